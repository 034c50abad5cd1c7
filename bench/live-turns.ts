// Turns of a client that stops sending where the speech ends, as voice agents and mute buttons do: from the last frame
// sent to the final.
import { createRequire } from "node:module";
import { normalizedWords, wordErrors } from "../test/fixtures/word-error-rate.ts";
import { call, type RunningService, ready, startService } from "../test/service.ts";
import { pcm } from "./live-stream.ts";
import { type Recording, SAMPLE_RATE } from "./recordings.ts";
import { percentile, type Result, rounded } from "./table.ts";

const { WebSocket } = createRequire(import.meta.url)("ws") as typeof import("ws");

const FRAME_SECONDS = 0.02;
const FRAME_BYTES = FRAME_SECONDS * SAMPLE_RATE * 2;
const COMFORT_MILLISECONDS = 400;
/** Samples below this amplitude are not speech. */
const SOUND = 0.02;
const PAUSE_MILLISECONDS = 1_000;
const MOST_FINAL_MILLISECONDS = 900;

interface Turn {
  seconds: number;
  text: string;
}

/** The recordings as turns of one session. */
async function turnsOf(service: RunningService, recordings: Recording[], hasComfortNoise: boolean): Promise<Turn[]> {
  const created = await call(service, "POST", "/v2/live", { body: { endpointing: 0.3 } });
  const socket = new WebSocket(created.json.url);
  await new Promise((resolve) => socket.once("open", resolve));
  let text = "";
  let finalAt = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString());
    if (message.type !== "transcript" || !message.data.is_final) return;
    text += message.data.utterance.text;
    finalAt = performance.now();
  });
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
  const turns: Turn[] = [];
  for (const { samples } of recordings) {
    const audio = pcm(samples.subarray(0, samples.findLastIndex((sample) => Math.abs(sample) > SOUND) + 1));
    const started = performance.now();
    text = "";
    for (let at = 0; at < audio.length; at += FRAME_BYTES) {
      await wait(started + ((at / FRAME_BYTES + 1) * FRAME_SECONDS * 1_000 - performance.now()));
      socket.send(audio.subarray(at, at + FRAME_BYTES));
    }
    const sentAt = performance.now();
    const noise = hasComfortNoise
      ? setInterval(() => socket.send(Buffer.alloc(FRAME_BYTES)), COMFORT_MILLISECONDS)
      : undefined;
    await wait(PAUSE_MILLISECONDS + 2 * MOST_FINAL_MILLISECONDS);
    clearInterval(noise);
    // A final before the last frame belongs to an earlier utterance of the same recording.
    turns.push({ seconds: finalAt > sentAt ? (finalAt - sentAt) / 1_000 : Number.POSITIVE_INFINITY, text });
  }
  socket.send(JSON.stringify({ type: "stop_recording" }));
  await new Promise((resolve) => socket.once("close", resolve));
  return turns;
}

/** @param recordings  with transcripts */
export async function turnDelays(recordings: Recording[]): Promise<Result[]> {
  const service = await startService({ environment: { PARLANCE_MAX_LIVE_SESSIONS: "64" } });
  await ready(service);
  const results: Result[] = [];
  const kinds = [
    { name: "1 session", sessions: 1, hasComfortNoise: false },
    { name: "1 session, comfort noise", sessions: 1, hasComfortNoise: true },
    { name: "8 sessions", sessions: 8, hasComfortNoise: false },
  ];
  for (const { name, sessions, hasComfortNoise } of kinds) {
    const heard = Array.from({ length: sessions }, (_, session) =>
      sessions === 1 ? recordings : recordings.filter((_, at) => (at + session) % 4 === 0),
    );
    const runs = await Promise.all(heard.map((some) => turnsOf(service, some, hasComfortNoise)));
    const turns = runs.flat();
    const ended = turns.map(({ seconds }) => seconds).filter(Number.isFinite);
    let [errors, words] = [0, 0];
    for (const [run, some] of heard.entries()) {
      for (const [at, { transcript }] of some.entries()) {
        const reference = normalizedWords(transcript ?? "");
        errors += wordErrors(reference, normalizedWords(runs[run]?.[at]?.text ?? ""));
        words += reference.length;
      }
    }
    const median = rounded(1_000 * percentile(ended, 0.5), 0);
    results.push({
      name,
      values: {
        "final median ms": median,
        "final P95 ms": rounded(1_000 * percentile(ended, 0.95), 0),
        turns: turns.length,
        "without a final": turns.length - ended.length,
        "WER %": rounded((100 * errors) / words),
      },
      goal: `median ${MOST_FINAL_MILLISECONDS} ms, a final for each`,
      isMet: median <= MOST_FINAL_MILLISECONDS && ended.length === turns.length,
    });
  }
  await service.remove();
  return results;
}
