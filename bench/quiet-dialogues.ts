// Dialogues in one channel: a near voice, and a telephone voice that is quieter. The quiet voice's loud stretches are where words
// or a warning must be.
import type { TranscriptionResult } from "../src/contract/transcript/transcript.ts";
import { joinedSamples } from "../src/speech/audio/samples.ts";
import { type Stretch, speechRuns } from "../src/speech/audio/voice-activity/wordless-speech.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { normalizedWords } from "../test/fixtures/word-error-rate.ts";
import { call, type RunningService } from "../test/service.ts";
import type { Transcriber } from "./conditions.ts";
import { pcm } from "./live-stream.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE, throughTelephone } from "./recordings.ts";

const NEAR_LEVEL = -22;
const FAR_SOURCE_LEVEL = -20;
export const PAUSES_SECONDS = [0.3, 0.8];
export const TURNS = 2;
/** Amplitude of the noise of a quiet microphone. */
const FLOOR = 1e-4;
const WINDOW_SAMPLES = 512;
/** Below the level of the louder half, a window of the far voice is a pause. */
const PAUSE_DECIBELS = 20;

export interface Dialogue {
  samples: Float32Array;
  words: { text: string; isFar: boolean }[];
  /** Stretches in which the far voice is louder than its pauses, seconds. */
  farRuns: Stretch[];
}

/** The speech at a level, dBFS: that of the louder half of its windows. */
export function atSpeechLevel(samples: Float32Array, decibels: number): Float32Array {
  const powers: number[] = [];
  for (let from = 0; from + WINDOW_SAMPLES <= samples.length; from += WINDOW_SAMPLES) {
    powers.push(samples.subarray(from, from + WINDOW_SAMPLES).reduce((sum, value) => sum + value * value, 0));
  }
  const louder = powers.sort((left, right) => right - left).slice(0, Math.ceil(powers.length / 2));
  const power = louder.reduce((sum, value) => sum + value, 0) / louder.length / WINDOW_SAMPLES;
  const gain = 10 ** (decibels / 20) / Math.sqrt(power);
  return samples.map((value) => value * gain);
}

/** @param samples  at a level of `decibels` @param startSeconds  of the samples in the dialogue */
function loudRuns(samples: Float32Array, decibels: number, startSeconds: number): Stretch[] {
  const least = 10 ** ((decibels - PAUSE_DECIBELS) / 10) * WINDOW_SAMPLES;
  const windows = Math.floor(samples.length / WINDOW_SAMPLES);
  const loud = Float32Array.from({ length: windows }, (_, at) => {
    const window = samples.subarray(at * WINDOW_SAMPLES, (at + 1) * WINDOW_SAMPLES);
    return window.reduce((sum, value) => sum + value * value, 0) >= least ? 1 : 0;
  });
  return speechRuns(loud, WINDOW_SAMPLES / SAMPLE_RATE).map((run) => ({
    startSeconds: run.startSeconds + startSeconds,
    endSeconds: run.endSeconds + startSeconds,
  }));
}

function dialogue(pairs: readonly [near: Recording, far: Recording][], lower: number, pauseSeconds: number): Dialogue {
  const next = random(5);
  const pause = Math.round(pauseSeconds * SAMPLE_RATE);
  const parts: Float32Array[] = [];
  const words: Dialogue["words"] = [];
  const farRuns: Stretch[] = [];
  for (const [near, far] of pairs) {
    parts.push(atSpeechLevel(near.samples, NEAR_LEVEL), new Float32Array(pause));
    const distant = atSpeechLevel(throughTelephone(atSpeechLevel(far.samples, FAR_SOURCE_LEVEL)), NEAR_LEVEL - lower);
    const before = parts.reduce((sum, { length }) => sum + length, 0) / SAMPLE_RATE;
    farRuns.push(...loudRuns(distant, NEAR_LEVEL - lower, before));
    parts.push(distant, new Float32Array(pause));
    words.push(...normalizedWords(near.transcript ?? "").map((text) => ({ text, isFar: false })));
    words.push(...normalizedWords(far.transcript ?? "").map((text) => ({ text, isFar: true })));
  }
  return { samples: joinedSamples(parts).map((value) => value + 2 * FLOOR * (next() - 0.5)), words, farRuns };
}

/** @returns for a half of the recordings, its dialogues with the far voice so many decibels lower */
export async function quietDialogues(): Promise<(half: number, lower: number) => Dialogue[]> {
  const near = await loadRecordings(({ file }) => file.startsWith("reading"));
  const far = await loadRecordings(
    ({ file, transcript }) => transcript !== undefined && /^(sentence|speech-en|audiobook)/.test(file),
  );
  const pairs = near.map((recording, at) => [recording, far[at % far.length] as Recording] as [Recording, Recording]);
  return (half, lower) => {
    const own = pairs.filter((_, at) => Math.floor(at / TURNS) % 2 === half);
    return PAUSES_SECONDS.flatMap((pause) =>
      Array.from({ length: Math.floor(own.length / TURNS) }, (_, at) =>
        dialogue(own.slice(at * TURNS, (at + 1) * TURNS), lower, pause),
      ),
    );
  };
}

/** The stretches that a warning of the result names: "at 1.2 to 3.4 s, 5.6 to 7.8 s". */
export function wordlessIn({ metadata }: TranscriptionResult): Stretch[] {
  return (metadata.warnings ?? [])
    .filter((text) => text.startsWith("No words were recognised"))
    .flatMap((text) => [...text.matchAll(/([\d.]+) to ([\d.]+) s/g)])
    .map(([, from, to]) => ({ startSeconds: Number(from), endSeconds: Number(to) }));
}

/** Transcribes by a live session with default settings. */
export function liveTranscriber(service: RunningService): Transcriber {
  return async (samples) => {
    const { id, url } = await createSession(service);
    const client = await LiveClient.connect(url);
    client.send(pcm(samples));
    client.stop();
    await client.closed;
    return (await call(service, "GET", `/v2/live/${id}`)).json.result as TranscriptionResult;
  };
}
