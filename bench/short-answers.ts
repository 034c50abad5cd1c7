// One-word answers and sounds without speech: how many words are transcribed, and how many are invented. Real words are
// cut
// out of the shared recordings and placed in silence, noise and rooms. The weights in speech/engines/moonshine/config.ts were
// fitted on
// every other clip and sound; both halves are reported. BENCH_SOUNDS names a folder of music and noises to add to the
// shared noises, for example the unpacked Debian package supertux-data.
import { readdirSync } from "node:fs";
import path from "node:path";
import type { RecognizedWord } from "../src/speech/recognition/recognizer.ts";
import { normalizedWords, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { type Transcriber, withModel } from "./conditions.ts";
import { soundsWithoutSpeech } from "./no-speech.ts";
import { inRoom, loadFiles, loadRecordings, loadSounds, type Recording, random, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODELS = ["moonshine-base-en", "moonshine-tiny-en"];
const SHORTEST_SECONDS = 0.2;
const LONGEST_SECONDS = 0.7;
/** Silence before and after a word. */
const AROUND_SECONDS = 1;
/** Audio kept before and after a word, and the duration of the fade. */
const BEFORE_SECONDS = 0.03;
const BEHIND_SECONDS = 0.05;
const FADE_SECONDS = 0.01;
/** Minimum confidence of words of recordings without a reference. */
const MIN_CONFIDENCE = 0.95;
const MINUTES_OF_SOUND = 10;
const MOST_SECONDS_OF_A_FILE = 60;
const WORDS_GOAL = 97;

interface Clip {
  word: string;
  condition: string;
  samples: Float32Array;
}

/** Short words of a recording that were recognised correctly, with their audio. */
async function shortWords(
  recording: Recording,
  transcribe: Transcriber,
): Promise<{ word: string; cut: Float32Array }[]> {
  const { transcription } = await transcribe(recording.samples);
  const found = transcription.utterances
    .flatMap(({ words }) => words)
    .map(({ word, ...rest }) => ({ ...rest, texts: normalizedWords(word) }))
    .filter(({ texts }) => texts.length === 1);
  const said = recording.transcript === undefined ? undefined : normalizedWords(recording.transcript);
  const heard = found.map(({ texts }) => texts[0] as string);
  const right = said
    ? new Set(
        wordPairs(said, heard)
          .filter(([left, right]) => said[left] === heard[right])
          .map(([, right]) => right),
      )
    : undefined;
  const wanted = found.filter(
    ({ start, end, confidence }, at) =>
      end - start >= SHORTEST_SECONDS &&
      end - start <= LONGEST_SECONDS &&
      (right ? right.has(at) : confidence > MIN_CONFIDENCE),
  );
  const fade = Math.round(FADE_SECONDS * SAMPLE_RATE);
  return wanted.map(({ start, end, texts }) => {
    const from = Math.max(0, Math.round((start - BEFORE_SECONDS) * SAMPLE_RATE));
    const cut = recording.samples.slice(from, Math.round((end + BEHIND_SECONDS) * SAMPLE_RATE));
    for (let at = 0; at < fade; at++) {
      cut[at] = ((cut[at] as number) * at) / fade;
      cut[cut.length - 1 - at] = ((cut[cut.length - 1 - at] as number) * at) / fade;
    }
    return { word: texts[0] as string, cut };
  });
}

const energyOf = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 1e-12) / samples.length;

async function shortAnswers(): Promise<Clip[]> {
  const noises = await loadSounds("noise");
  const rooms = await loadSounds("room");
  const next = random(42);
  const recordings = await loadRecordings(({ file }) => /^(reading|order|audiobook|sentence|speech-en)/.test(file));
  return withModel("moonshine-base-en", async (transcribe) => {
    const clips: Clip[] = [];
    for (const recording of recordings) {
      for (const { word, cut } of await shortWords(recording, transcribe)) {
        const around = Math.round(AROUND_SECONDS * SAMPLE_RATE);
        // Below the noise floor of any microphone.
        const quiet = Float32Array.from({ length: cut.length + 2 * around }, () => (next() - 0.5) * 2e-4);
        for (const [at, value] of cut.entries()) quiet[around + at] = (quiet[around + at] as number) + value;
        const noise = noises[clips.length % noises.length] as Float32Array;
        const offset = Math.floor(next() * noise.length);
        const noisy = (decibels: number) => {
          const gain = Math.sqrt(energyOf(cut) / energyOf(noise) / 10 ** (decibels / 10));
          return quiet.map((value, at) => value + gain * (noise[(offset + at) % noise.length] as number));
        };
        const conditions: [string, () => Float32Array][] = [
          ["quiet", () => quiet],
          ["noise 20 dB", () => noisy(20)],
          ["noise 10 dB", () => noisy(10)],
          ["room", () => inRoom(quiet, rooms[clips.length % rooms.length] as Float32Array)],
        ];
        const [condition, samples] = conditions[clips.length % conditions.length] as [string, () => Float32Array];
        clips.push({ word, condition, samples: samples() });
      }
    }
    return clips;
  });
}

const faster = (samples: Float32Array, factor: number) =>
  Float32Array.from({ length: Math.floor(samples.length / factor) }, (_, at) => samples[Math.floor(at * factor)] ?? 0);

async function soundsWithoutWords(): Promise<[name: string, samples: Float32Array][]> {
  const noises = await loadSounds("noise");
  const rooms = await loadSounds("room");
  const changed = noises.flatMap((noise, at): [string, Float32Array][] => [
    [`noise ${at + 1}`, noise],
    [`noise ${at + 1}, quieter`, noise.map((value) => 0.3 * value)],
    [`noise ${at + 1}, louder`, noise.map((value) => Math.max(-1, Math.min(1, 3 * value)))],
    [`noise ${at + 1}, backwards`, noise.toReversed()],
    [`noise ${at + 1}, faster`, faster(noise, 1.2)],
    [`noise ${at + 1}, slower`, faster(noise, 0.8)],
    [`noise ${at + 1}, in a room`, inRoom(noise, rooms[at % rooms.length] as Float32Array)],
  ]);
  const folder = process.env["BENCH_SOUNDS"];
  const files = folder ? readdirSync(folder, { recursive: true }).map(String) : [];
  const sounds = files.filter(
    (name) => /\.(ogg|oga|wav|flac|mp3)$/.test(name) && !/speech|stereo|voice|rap/.test(name),
  );
  const added = await loadFiles(sounds.sort().map((name) => path.join(folder ?? "", name)));
  const seconds = MOST_SECONDS_OF_A_FILE * SAMPLE_RATE;
  return [
    ...soundsWithoutSpeech(MINUTES_OF_SOUND * 60),
    ...changed,
    ...sounds.flatMap((name, at): [string, Float32Array][] =>
      added[at] ? [[name, (added[at] as Float32Array).subarray(0, seconds)]] : [],
    ),
  ];
}

async function measure(
  model: string,
  clips: readonly Clip[],
  sounds: readonly [string, Float32Array][],
): Promise<Result[]> {
  return withModel(model, async (transcribe) => {
    const wordsOf = async (samples: Float32Array) =>
      (await transcribe(samples)).transcription.utterances.flatMap(({ words }) => words) as Pick<
        RecognizedWord & { word: string },
        "word"
      >[];
    const half = () => ({ clips: 0, transcribed: 0, right: 0, minutes: 0, invented: 0 });
    const halves = [half(), half()] as const;
    for (const [at, { word, samples, condition }] of clips.entries()) {
      const count = halves[Math.floor(at / 4) % 2] as (typeof halves)[0];
      const texts = (await wordsOf(samples)).flatMap((one) => normalizedWords(one.word));
      count.clips++;
      if (texts.length > 0) count.transcribed++;
      else process.stderr.write(`nothing for "${word}" (${condition})\n`);
      if (texts.length === 1 && texts[0] === word) count.right++;
    }
    for (const [at, [name, samples]] of sounds.entries()) {
      const count = halves[at % 2] as (typeof halves)[0];
      const texts = (await wordsOf(samples)).map((one) => one.word.trim());
      count.minutes += samples.length / SAMPLE_RATE / 60;
      count.invented += texts.length;
      if (texts.length > 0) process.stderr.write(`"${texts.join(" ")}" in ${name}\n`);
    }
    return halves.map((count, at) => {
      const transcribed = rounded((100 * count.transcribed) / count.clips, 1);
      const isReported = at === 1;
      return {
        name: `${model}, ${isReported ? "reported" : "fitted"} half`,
        values: {
          "single words": count.clips,
          "transcribed %": transcribed,
          "as that word %": rounded((100 * count.right) / count.clips, 1),
          "minutes without speech": rounded(count.minutes, 1),
          "words invented": count.invented,
        },
        ...(isReported && model === MODELS[0]
          ? {
              goal: `at least ${WORDS_GOAL} % transcribed, none invented`,
              isMet: transcribed >= WORDS_GOAL && count.invented === 0,
            }
          : {}),
      };
    });
  });
}

const clips = await shortAnswers();
const sounds = await soundsWithoutWords();
const results: Result[] = [];
for (const model of MODELS) results.push(...(await measure(model, clips, sounds)));
printResults("Short answers", results);
saveResults("short-answers", results);
process.exit(0);
