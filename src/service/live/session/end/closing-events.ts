// The closing events of a session, and its result. Each is persisted once, so a restart continues where the previous
// process stopped.
import type { LiveParameters } from "../../../../contract/job-parameters.ts";
import {
  milliseconds,
  type Transcription,
  type TranscriptionResult,
  type Utterance,
} from "../../../../contract/transcript/transcript.ts";
import { inTurns } from "../../../../platform/process/steps.ts";
import { callerSpellings } from "../../../intelligence/caller-wording.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import type { RecordFormat } from "../../events/record-format.ts";
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
  format: Pick<RecordFormat, "eventForMessage">;
  addons: LiveAddons;
  callbacks: LiveCallbacks | undefined;
  viewers: Pick<SessionViewers, "settled"> | undefined;
  /** Of the recording. */
  durationSeconds: number;
  /** Channels that carry a source of their own. */
  channelCount: number;
  /** Called when `recordingEnded` is persisted. */
  recorded(): Promise<void>;
  /** Finds the speakers, if the session is diarized. */
  diarize(transcription: Transcription): Promise<DiarizedSession>;
  /** When the session started, milliseconds. */
  startedAt: number;
  /** About speech that is not transcribed, or that may not be in English; read when the add-ons have ended. */
  warnings(): string[];
}

/** Resolves when `sessionEnded`, all callbacks and the events for viewers are persisted. */
export async function persistClosingEvents(parts: ClosingParts): Promise<TranscriptionResult> {
  const { request, finals, outbox, format, addons, callbacks, viewers, channelCount, startedAt } = parts;
  const persist = async (event: LiveEvent) => outbox.persistAndSendOnce(await format.eventForMessage(event));
  await addons.settled();
  const duration = milliseconds(parts.durationSeconds);
  await outbox.persistAndSendOnce({ kind: "recordingEnded", durationSeconds: duration });
  await parts.recorded();
  const kept = callerSpellings(request.realtime_processing);
  const joined = await inTurns(liveTranscription([...finals.values()], kept));
  const { transcription: diarized, diarization, warnings: ofSpeakers } = await parts.diarize(joined.transcription);
  const transcription = await inTurns(withSpeakersApart(diarized, joined.pauses));
  await persist({ kind: "transcript", transcription });
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
  await persist({ kind: "result", result });
  await outbox.persistAndSendOnce({ kind: "sessionEnded" });
  await callbacks?.settled();
  await viewers?.settled();
  return result;
}
