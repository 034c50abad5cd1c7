// The parts of the service that find and name the speakers of a live session.
import type { Logger } from "pino";
import type { VoiceMatch } from "../../../speech/speakers/known-voices.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { DiarizationParameters } from "../../intelligence/diarization.ts";
import type { ResultProcesses } from "../../intelligence/process/result-processes.ts";
import type { SpeakerModels } from "../../models/speaker-model.ts";
import type { People } from "./names.ts";

export interface SpeakerServices extends SpeakerModels {
  recognition: Pick<RecognitionPool, "segmentSpeakers" | "voices" | "embedSpeakers">;
  resultProcesses: Pick<ResultProcesses, "send">;
  /** Of the request. */
  params: DiarizationParameters;
  accountId: string;
  logger: Logger;
  /** People of the account's library whose voices a model computed. */
  people: People;
  /** Stores the people of the session's speakers. */
  identify(matches: readonly VoiceMatch[]): Promise<void>;
}
