// The closing messages of a session, and its result. Each is persisted once, so a restart continues where the previous
// process stopped.
import type { LiveParameters } from "../../contract/job-parameters.ts";
import { milliseconds, type Utterance } from "../../transcript/transcript.ts";
import type { LiveResult } from "../connection/protocol.ts";
import type { LiveAddons } from "./addons.ts";
import type { LiveCallbacks } from "./callbacks.ts";
import type { Outbox } from "./outbox.ts";
import { liveResult, liveTranscription } from "./result.ts";

export interface ClosingParts {
  request: LiveParameters;
  finals: ReadonlyMap<string, Utterance>;
  outbox: Outbox;
  addons: LiveAddons;
  callbacks: LiveCallbacks | undefined;
  /** Of the recording. */
  durationSeconds: number;
  /** Channels that carry a source of their own. */
  channelCount: number;
  /** When the session started, milliseconds. */
  startedAt: number;
  /** Warning about speech in a language that no model recognises; read when the add-ons have ended. */
  problem(): string | undefined;
}

/** Resolves when `end_session` and all callbacks are persisted. */
export async function persistClosingMessages(parts: ClosingParts): Promise<LiveResult> {
  const { request, finals, outbox, addons, callbacks, channelCount, startedAt } = parts;
  await addons.settled();
  const duration = milliseconds(parts.durationSeconds);
  await outbox.persistAndSendOnce({ type: "end_recording", data: { recording_duration: duration } });
  const transcription = liveTranscription([...finals.values()]);
  await outbox.persistAndSendOnce({ type: "post_transcript", data: transcription });
  const { results, messages } = await addons.finish(transcription);
  const recording = { duration, channels: channelCount, seconds: (Date.now() - startedAt) / 1000 };
  const problem = parts.problem();
  const warnings = [...(request.warnings ?? []), ...(problem === undefined ? [] : [problem])];
  const result = liveResult(transcription, results, recording, warnings);
  for (const message of messages) await outbox.persistAndSendOnce(message);
  await outbox.persistAndSendOnce({ type: "post_final_transcript", data: result });
  await outbox.persistAndSendOnce({ type: "end_session" });
  await callbacks?.settled();
  return result;
}
