// Live captions for an assistant: the finals of a session so far, or those that follow an earlier call.

import type { ReadCaptionsInput } from "../../contract/mcp.ts";
import { speakerName } from "../../contract/transcript/transcript.ts";
import type { ServiceCalls } from "./service-calls.ts";

/** Time of a call without a new caption. Assistants call again. */
const WAIT_SECONDS = 10;
/** Length of each stream that is requested. A stream is read to its end: a caption is returned with this delay at most. */
const STREAM_SECONDS = 2;
const MOST_CHARACTERS = 30_000;
const SECONDS_PER_MINUTE = 60;

interface CaptionEvent {
  /** Undefined for the end. */
  number: number | undefined;
  type: string;
  /** The message, in the form of the WebSocket. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of every type
  message: any;
}

function eventsOf(stream: string): CaptionEvent[] {
  return stream.split("\n\n").flatMap((block) => {
    const [, type] = /^event: (.+)$/m.exec(block) ?? [];
    const [, number] = /^id: (\d+)$/m.exec(block) ?? [];
    const [, data = "null"] = /^data: (.+)$/m.exec(block) ?? [];
    if (type === undefined || (number === undefined && type !== "end")) return [];
    return [{ type, number: number === undefined ? undefined : Number(number), message: JSON.parse(data) }];
  });
}

const clock = (seconds: number) => {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / SECONDS_PER_MINUTE)}:${String(whole % SECONDS_PER_MINUTE).padStart(2, "0")}`;
};

/** @returns undefined for events that are no text */
function lineOf({ type, message }: CaptionEvent): string | undefined {
  if (type === "error") return `[${message.message}]`;
  if (type === "translation" && message.data) {
    const { target_language, translated_utterance: translated } = message.data;
    return `[${clock(translated.start)}] (${target_language}) ${translated.text.trim()}`;
  }
  if (type !== "transcript") return undefined;
  const { start, text, speaker } = message.data.utterance;
  return `[${clock(start)}] ${speaker === undefined ? "" : `${speakerName(speaker, {})}: `}${text.trim()}`;
}

/** Captions until their text is as long as an answer may be. @returns the number of the last one that is in the text */
function printed(events: readonly CaptionEvent[], after: number): { text: string; last: number; isWhole: boolean } {
  const lines: string[] = [];
  let [last, length] = [after, 0];
  for (const event of events) {
    const line = lineOf(event);
    if (lines.length > 0 && length + (line ?? "").length > MOST_CHARACTERS)
      return { text: lines.join("\n"), last, isWhole: false };
    if (line !== undefined) lines.push(line);
    length += (line ?? "").length;
    last = event.number ?? last;
  }
  return { text: lines.join("\n"), last, isWhole: true };
}

/** Returns as soon as there is a caption after `after`, or after the wait. @throws live.without_viewers, request.not_found */
export async function readCaptions(
  service: ServiceCalls,
  { id, after = 0, wait_seconds = WAIT_SECONDS }: ReadCaptionsInput,
  signal: AbortSignal,
): Promise<string> {
  const until = performance.now() + 1000 * wait_seconds;
  let seen = after;
  for (;;) {
    const stream = await service.call("GET", `/v2/live/${id}/events?after=${seen}&seconds=${STREAM_SECONDS}`, {
      signal,
    });
    const events = eventsOf(stream.toString());
    const { text, last, isWhole } = printed(events, seen);
    const isOver = isWhole && events.at(-1)?.type === "end";
    // Events without words, such as the end of speech, have numbers, too.
    if (text === "" && !isOver && performance.now() < until) {
      seen = last;
      continue;
    }
    const next = isOver
      ? "The session has ended. Call read_transcript with its id for the transcript."
      : `Call read_live_captions with after ${last} for ${isWhole ? "what is said next" : "the next captions"}.`;
    return text === ""
      ? `There are no ${after > 0 ? "further captions" : "captions yet"}. ${next}`
      : `${text}\n\n[${next}]`;
  }
}
