// A telephone or distant voice that takes turns with a near one in one channel: how many of its words are recognised, how many
// words of the near voice, and how many are invented. The limits of speech/audio/voice-activity/leveller.ts were chosen on readings
// 1, 3, 5, 7, 9 and the sentences, so both halves contain recordings of the choice.
import { joinedSamples } from "../src/speech/audio/samples.ts";
import {
  type Stretch,
  speechRuns,
  stretchesOf,
  uncoveredRuns,
} from "../src/speech/audio/voice-activity/wordless-speech.ts";
import { normalizedWords, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { type Transcriber, withModel } from "./conditions.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE, throughTelephone } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const NEAR_LEVEL = -22;
const DECIBELS_LOWER = [6, 14, 18, 20, 24];
const PAUSES_SECONDS = [0.3, 0.8];
const TURNS = 2;
/** Amplitude of the noise of a quiet microphone. */
const FLOOR = 1e-4;
const WINDOW_SAMPLES = 512;
const GOAL_PERCENT = 80;

/** The speech at a level, dBFS: that of the louder half of its windows. */
function atLevel(samples: Float32Array, decibels: number): Float32Array {
  const powers: number[] = [];
  for (let from = 0; from + WINDOW_SAMPLES <= samples.length; from += WINDOW_SAMPLES) {
    powers.push(samples.subarray(from, from + WINDOW_SAMPLES).reduce((sum, value) => sum + value * value, 0));
  }
  const louder = powers.sort((left, right) => right - left).slice(0, Math.ceil(powers.length / 2));
  const power = louder.reduce((sum, value) => sum + value, 0) / louder.length / WINDOW_SAMPLES;
  const gain = 10 ** (decibels / 20) / Math.sqrt(power);
  return samples.map((value) => value * gain);
}

interface Dialogue {
  samples: Float32Array;
  words: { text: string; isFar: boolean }[];
  /** Stretches in which the far voice is louder than its pauses, seconds. */
  farRuns: Stretch[];
}

/** Below the level of the louder half, a window of the far voice is a pause. */
const PAUSE_DECIBELS = 20;
const LEAST_STRETCH_SECONDS = 1;

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

/** Of a warning: "at 1.2 to 3.4 s, 5.6 to 7.8 s". */
function rangesIn(warnings: readonly string[]): Stretch[] {
  return warnings
    .filter((text) => text.startsWith("No words were recognised"))
    .flatMap((text) => [...text.matchAll(/([\d.]+) to ([\d.]+) s/g)])
    .map(([, from, to]) => ({ startSeconds: Number(from), endSeconds: Number(to) }));
}

const meets = (one: Stretch, other: Stretch) =>
  one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds;

function dialogue(pairs: readonly [near: Recording, far: Recording][], lower: number, pauseSeconds: number): Dialogue {
  const next = random(5);
  const pause = Math.round(pauseSeconds * SAMPLE_RATE);
  const parts: Float32Array[] = [];
  const words: Dialogue["words"] = [];
  const farRuns: Stretch[] = [];
  for (const [near, far] of pairs) {
    parts.push(atLevel(near.samples, NEAR_LEVEL), new Float32Array(pause));
    const distant = atLevel(throughTelephone(atLevel(far.samples, -20)), NEAR_LEVEL - lower);
    const before = parts.reduce((sum, { length }) => sum + length, 0) / SAMPLE_RATE;
    farRuns.push(...loudRuns(distant, NEAR_LEVEL - lower, before));
    parts.push(distant, new Float32Array(pause));
    words.push(...normalizedWords(near.transcript ?? "").map((text) => ({ text, isFar: false })));
    words.push(...normalizedWords(far.transcript ?? "").map((text) => ({ text, isFar: true })));
  }
  return { samples: joinedSamples(parts).map((value) => value + 2 * FLOOR * (next() - 0.5)), words, farRuns };
}

const percent = (part: number, whole: number) => rounded((100 * part) / whole, 1);

async function measure(
  name: string,
  dialogues: readonly Dialogue[],
  transcribe: Transcriber,
  goal: boolean,
): Promise<Result> {
  const count = { far: 0, farRight: 0, near: 0, nearRight: 0, wrong: 0, warnings: 0, wordless: 0, reported: 0 };
  for (const { samples, words, farRuns } of dialogues) {
    const { transcription, metadata } = await transcribe(samples);
    const found = normalizedWords(transcription.full_transcript);
    const said = words.map(({ text }) => text);
    const right = new Set(
      wordPairs(said, found)
        .filter(([left, other]) => said[left] === found[other])
        .map(([left]) => left),
    );
    for (const [at, { isFar }] of words.entries()) {
      count[isFar ? "far" : "near"]++;
      if (right.has(at)) count[isFar ? "farRight" : "nearRight"]++;
    }
    count.wrong += found.length - right.size;
    const warned = rangesIn(metadata.warnings ?? []);
    if (warned.length > 0) count.warnings++;
    const spoken = transcription.utterances
      .flatMap((one) => one.words)
      .map(({ start, end }) => ({ startSeconds: start, endSeconds: end }));
    const wordless = stretchesOf(uncoveredRuns(farRuns, spoken)).filter(
      ({ startSeconds, endSeconds }) => endSeconds - startSeconds >= LEAST_STRETCH_SECONDS,
    );
    count.wordless += wordless.length;
    count.reported += wordless.filter((one) => warned.some((range) => meets(one, range))).length;
    if (process.env["SHOW"]) process.stderr.write(`${name}: ${JSON.stringify({ wordless, warned })}\n`);
  }
  const far = percent(count.farRight, count.far);
  return {
    name,
    values: {
      "far words": count.far,
      "far recognised %": far,
      "near recognised %": percent(count.nearRight, count.near),
      "other words": count.wrong,
      "dialogues with a warning": `${count.warnings} of ${dialogues.length}`,
      "far stretches of 1 s without words, with a warning": `${count.reported} of ${count.wordless}`,
    },
    ...(goal ? { goal: `at least ${GOAL_PERCENT} % of the far words`, isMet: far >= GOAL_PERCENT } : {}),
  };
}

const near = await loadRecordings(({ file }) => file.startsWith("reading"));
const far = await loadRecordings(
  ({ file, transcript }) => transcript !== undefined && /^(sentence|speech-en|audiobook)/.test(file),
);
const pairs = near.map((recording, at) => [recording, far[at % far.length] as Recording] as [Recording, Recording]);
const results: Result[] = [];
await withModel(MODEL, async (transcribe) => {
  for (const lower of DECIBELS_LOWER) {
    for (const half of [0, 1]) {
      const own = pairs.filter((_, at) => Math.floor(at / TURNS) % 2 === half);
      const dialogues = PAUSES_SECONDS.flatMap((pause) =>
        Array.from({ length: Math.floor(own.length / TURNS) }, (_, at) =>
          dialogue(own.slice(at * TURNS, (at + 1) * TURNS), lower, pause),
        ),
      );
      const name = `${lower} dB lower, ${half === 0 ? "first" : "second"} half`;
      results.push(await measure(name, dialogues, transcribe, half === 1));
    }
  }
});
printResults("A telephone voice beside a near one", results);
saveResults("quiet-voices", results);
process.exit(0);
