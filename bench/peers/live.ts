// Live sessions in the comparison: recordings with known word times, streamed in real time. The delay of a word begins when the client
// sends the frame in which the word ends. It ends when the client first shows the word. Times that the service states are not used.
import { normalizedWords, wordPairs } from "../../test/fixtures/word-error-rate.ts";
import { pcm } from "../live-stream.ts";
import { peakWhile } from "../process-memory.ts";
import { type Recording, SAMPLE_RATE } from "../recordings.ts";
import { percentile } from "../table.ts";
import type { Shown } from "./live-clients.ts";
import type { LivePeer, LiveServer } from "./live-peers.ts";

const FRAME_SECONDS = 0.02;
const FRAME_BYTES = FRAME_SECONDS * SAMPLE_RATE * 2;
const PAUSE_SECONDS = 1;
/** Sessions do not begin at the same moment. */
const STAGGER_MILLISECONDS = 170;
/** Words with a longer delay do not count as shown in time. */
const LATE_SECONDS = 5;

interface Speech {
  audio: Buffer;
  words: { word: string; end: number }[];
}

/** Recordings one after another. @param first  index of the first one */
function speech(recordings: readonly Recording[], first: number, seconds: number): Speech {
  const parts: Buffer[] = [];
  const words: Speech["words"] = [];
  let at = 0;
  for (let index = first; at < seconds; index++) {
    const recording = recordings[index % recordings.length] as Recording;
    for (const { word, end } of recording.words ?? []) {
      for (const normalized of normalizedWords(word)) words.push({ word: normalized, end: at + end });
    }
    parts.push(pcm(recording.samples), Buffer.alloc(PAUSE_SECONDS * SAMPLE_RATE * 2));
    at += recording.samples.length / SAMPLE_RATE + PAUSE_SECONDS;
  }
  return { audio: Buffer.concat(parts), words };
}

const sentAt = (seconds: number) => Math.ceil(seconds / FRAME_SECONDS) * FRAME_SECONDS;

/** Delays of the words, seconds; infinite for those that were never shown. */
function delaysOf({ words }: Speech, started: number, shown: readonly Shown[]): number[] {
  const delays = words.map(() => Number.POSITIVE_INFINITY);
  let previous = "";
  for (const { at, text } of shown) {
    if (text === previous) continue;
    previous = text;
    const now = (at - started) / 1000;
    // A text shows no word that has not been spoken.
    const spoken = words.filter(({ end }) => sentAt(end) <= now).map(({ word }) => word);
    for (const [left] of wordPairs(spoken, normalizedWords(text))) {
      delays[left] = Math.min(delays[left] ?? 0, now - sentAt(words[left]?.end ?? 0));
    }
  }
  return delays;
}

async function session(server: LiveServer, speech: Speech, waitMilliseconds: number): Promise<number[]> {
  const client = await server.open();
  await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  const started = performance.now();
  for (let frame = 0; frame * FRAME_BYTES < speech.audio.length; frame++) {
    const wait = started + (frame + 1) * FRAME_SECONDS * 1000 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    client.send(speech.audio.subarray(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES));
  }
  return delaysOf(speech, started, await client.finish());
}

export interface LiveFigures {
  name: string;
  version: string;
  sessions: number;
  medianMilliseconds: number;
  highMilliseconds: number;
  /** Share of the words that the client showed within LATE_SECONDS. */
  inTime: number;
  peakMegabytes: number;
}

async function measured(peer: LivePeer, recordings: readonly Recording[], sessions: number, seconds: number) {
  const server = await peer.start();
  try {
    // One session beforehand: weights are loaded, caches are filled.
    await session(server, speech(recordings, 0, 5), 0);
    const runs = Array.from({ length: sessions }, (_, at) =>
      session(server, speech(recordings, at, seconds), at * STAGGER_MILLISECONDS),
    );
    const all = Promise.all(runs);
    const peak = await peakWhile(server.processId, all);
    const delays = (await all).flat();
    return {
      name: peer.name,
      version: peer.version,
      sessions,
      medianMilliseconds: percentile(delays, 0.5) * 1000,
      highMilliseconds: percentile(delays, 0.95) * 1000,
      inTime: delays.filter((delay) => delay <= LATE_SECONDS).length / delays.length,
      peakMegabytes: peak / 1e6,
    };
  } finally {
    await server.stop();
  }
}

/**
 * @param loads  numbers of concurrent sessions; each number is measured for all services before the next one
 * @returns the figures, and why others are missing: a failure is repeated once before it counts
 */
export async function liveFigures(
  peers: readonly LivePeer[],
  recordings: readonly Recording[],
  loads: readonly number[],
  seconds: number,
): Promise<{ figures: LiveFigures[]; skipped: string[] }> {
  const timed = recordings.filter(({ words, language }) => words !== undefined && language === "en");
  const figures: LiveFigures[] = [];
  const skipped: string[] = [];
  for (const sessions of loads) {
    for (const peer of peers) {
      const run = () => measured(peer, timed, sessions, seconds);
      try {
        const one = await run().catch(run);
        figures.push(one);
        process.stderr.write(`${JSON.stringify(one)}\n`);
      } catch (error) {
        skipped.push(`${peer.name} with ${sessions} live sessions failed twice: ${(error as Error).message}`);
      }
    }
  }
  return { figures, skipped };
}
