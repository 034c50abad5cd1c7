// The closing events of a session, and its result. Each is persisted once, so a restart continues where the previous
// process stopped.
import type { LiveParameters } from "../../../../contract/job-parameters.ts";
import {
  milliseconds,
  type Transcription,
  type TranscriptionResult,
  type Utterance,
} from "../../../../contract/transcript/transcript.ts";
import { callerSpellings } from "../../../intelligence/caller-wording.ts";
import type { DiarizedSession } from "../../speakers/session-diarization.ts";
import type { SessionViewers } from "../../viewers/session-viewers.ts";
import type { LiveAddons } from "../addons.ts";
import type { LiveCallbacks } from "../callbacks.ts";
import type { Outbox } from "../outbox.ts";
import { liveResult, liveTranscription, withSpeakersApart } from "./result.ts";

export interface ClosingParts {
  request: LiveParameters;
  finals: ReadonlyMap<string, Utterance>;
  outbox: Outbox;
  addons: LiveAddons;
  callbacks: LiveCallbacks | undefined;
  viewers: Pick<SessionViewers, "settled"> | undefined;
  /** Of the recording. */
  durationSeconds: number;
  /** Channels that carry a source of their own. */
  channelCount: number;
  /** Finds the speakers, if the session is diarized. */
  diarize(transcription: Transcription): Promise<DiarizedSession>;
  /** When the session started, milliseconds. */
  startedAt: number;
  /** About speech that is not transcribed, or that may not be in English; read when the add-ons have ended. */
  warnings(): string[];
}

/** Resolves when `sessionEnded`, all callbacks and the events for viewers are persisted. */
export async function persistClosingEvents(parts: ClosingParts): Promise<TranscriptionResult> {
  const { request, finals, outbox, addons, callbacks, viewers, channelCount, startedAt } = parts;
  await addons.settled();
  const duration = milliseconds(parts.durationSeconds);
  await outbox.persistAndSendOnce({ kind: "recordingEnded", durationSeconds: duration });
  const joined = liveTranscription([...finals.values()], callerSpellings(request.realtime_processing));
  const { transcription: diarized, diarization, warnings: ofSpeakers } = await parts.diarize(joined.transcription);
  const transcription = withSpeakersApart(diarized, joined.pauses);
  await outbox.persistAndSendOnce({ kind: "transcript", transcription });
  const { results, events } = await addons.finish(transcription);
  const recording = { duration, channels: channelCount, seconds: (Date.now() - startedAt) / 1000 };
  const warnings = [...(request.warnings ?? []), ...ofSpeakers, ...parts.warnings()];
  const result = liveResult(
    transcription,
    results,
    { ...recording, ...(diarization ? { diarization } : {}) },
    warnings,
  );
  for (const event of events) await outbox.persistAndSendOnce(event);
  await outbox.persistAndSendOnce({ kind: "result", result });
  await outbox.persistAndSendOnce({ kind: "sessionEnded" });
  await callbacks?.settled();
  await viewers?.settled();
  return result;
}
