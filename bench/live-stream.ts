// One live session, measured at its client: real speech streamed in real time in frames of 20 ms. A word's partial delay
// starts
// when its last sample is sent; a final's when the endpointing silence has passed. Word times and speech ends
// are those the service reports.
import { createRequire } from "node:module";
import { normalizedWords } from "../test/fixtures/word-error-rate.ts";
import { call, type RunningService } from "../test/service.ts";
import { type Recording, SAMPLE_RATE } from "./recordings.ts";

const { WebSocket } = createRequire(import.meta.url)("ws") as typeof import("ws");

const FRAME_SECONDS = 0.02;
const FRAME_BYTES = FRAME_SECONDS * SAMPLE_RATE * 2;

interface Word {
  word: string;
  start: number;
  end: number;
}
interface Utterance {
  text: string;
  start: number;
  end: number;
  words: Word[];
}
export interface Outcome {
  text: string;
  finalDelays: number[];
  partialDelays: number[];
  shownWords: number;
  changedWords: number;
  audioSeconds: number;
}

/** Number of the shown words that are no longer in the newer text, in order. */
function lost(shown: string[], newer: string[]): number {
  let previous = new Array<number>(newer.length + 1).fill(0);
  for (const word of shown) {
    const row = [0];
    for (const [column, other] of newer.entries()) {
      const both = word === other ? (previous[column] as number) + 1 : 0;
      row.push(Math.max(both, previous[column + 1] as number, row[column] as number));
    }
    previous = row;
  }
  return shown.length - (previous[newer.length] as number);
}

export function pcm(samples: Float32Array): Buffer {
  const integers = Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))));
  return Buffer.from(integers.buffer);
}

/** Pause after each recording of continuous speech. */
const PAUSE_SECONDS = 1;
export const secondsWithPause = ({ samples }: Recording) => samples.length / SAMPLE_RATE + PAUSE_SECONDS;

/** Speech joined with pauses. @param first  index of the recording to begin with, another one for each session */
export function continuous(recordings: readonly Recording[], first: number, seconds: number): Buffer {
  const parts: Buffer[] = [];
  let total = 0;
  for (let index = first; total < seconds; index++) {
    const recording = recordings[index % recordings.length] as Recording;
    parts.push(pcm(recording.samples), Buffer.alloc(PAUSE_SECONDS * SAMPLE_RATE * 2));
    total += secondsWithPause(recording);
  }
  return Buffer.concat(parts);
}

/** Every recording once, with pauses. */
export const allOnce = (recordings: readonly Recording[]): Buffer =>
  continuous(
    recordings,
    0,
    recordings.reduce((sum, recording) => sum + secondsWithPause(recording), 0),
  );

/** Streams one recording in real time and measures the messages received. */
export async function stream(
  service: RunningService,
  audio: Buffer,
  body: object,
  endpointing: number,
): Promise<Outcome> {
  const created = await call(service, "POST", "/v2/live", { body: { endpointing, ...body } });
  if (created.status !== 201) throw new Error(`no session: ${created.text}`);
  const socket = new WebSocket(created.json.url);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const started = performance.now();
  const outcome: Outcome = {
    text: "",
    finalDelays: [],
    partialDelays: [],
    shownWords: 0,
    changedWords: 0,
    audioSeconds: audio.length / 2 / SAMPLE_RATE,
  };
  /** A frame is sent as a whole, when its last sample is known. */
  const sentAt = (seconds: number) => Math.ceil(seconds / FRAME_SECONDS) * FRAME_SECONDS;
  let speechEnd = 0;
  let shown: string[] = [];
  let seen = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString());
    const now = (performance.now() - started) / 1000;
    if (message.type === "speech_end") speechEnd = message.data.time;
    if (message.type !== "transcript") return;
    const utterance = message.data.utterance as Utterance;
    const words = utterance.words.flatMap(({ word }) => normalizedWords(word));
    // Words shown after a final's last one moved to the next utterance: they are compared with its beginning.
    const moved = message.data.is_final ? shown.slice(words.length) : [];
    outcome.changedWords += lost(message.data.is_final ? shown.slice(0, words.length) : shown, words);
    for (const { end } of utterance.words.slice(seen)) {
      outcome.shownWords++;
      // The first time that a word appears, in a partial or, if none contained it, in its final.
      outcome.partialDelays.push(now - sentAt(end));
    }
    seen = Math.max(seen, utterance.words.length);
    shown = words;
    if (!message.data.is_final) return;
    shown = moved;
    seen = moved.length;
    outcome.text += utterance.text;
    if (now < outcome.audioSeconds) outcome.finalDelays.push(now - sentAt(speechEnd + endpointing));
  });
  for (let frame = 0; frame * FRAME_BYTES < audio.length; frame++) {
    const due = started + (frame + 1) * FRAME_SECONDS * 1000;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    socket.send(audio.subarray(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES));
  }
  socket.send(JSON.stringify({ type: "stop_recording" }));
  await new Promise((resolve) => socket.once("close", resolve));
  return outcome;
}
