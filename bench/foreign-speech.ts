// Recordings without a language in the request, with only the English models installed: speech in other languages must be
// refused or have a warning, also with inaudible noise, which has the effect of another processor's rounding. English must
// never be refused. Also reports speech of the English recordings without words.
import type { TranscriptionResult } from "../src/contract/transcript/transcript.ts";
import { ParlanceError } from "../src/platform/errors.ts";
import { CONDITIONS, realConditions, type Transcriber, withModel } from "./conditions.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";
import { uncoveredSpeech } from "./uncovered-speech.ts";

const MODEL = "moonshine-base-en";
/** Samples are rounded to 16 bits: one or two steps. */
const INAUDIBLE = 1.2e-4;
/** Each recording in another language, besides itself. */
const INAUDIBLE_VARIANTS = 3;

function* variantsOf(samples: Float32Array, count: number): Generator<Float32Array> {
  yield samples;
  for (let seed = 1; seed <= count; seed++) {
    const next = random(seed);
    yield samples.map((sample) => sample + INAUDIBLE * (next() - 0.5));
  }
}

/** @returns undefined if the job ends because the speech is not English */
async function resultOf(transcribe: Transcriber, samples: Float32Array): Promise<TranscriptionResult | undefined> {
  try {
    return await transcribe(samples);
  } catch (error) {
    if (error instanceof ParlanceError && error.code === "recognition.not_english") return undefined;
    throw error;
  }
}

async function measure(transcribe: Transcriber, recordings: Recording[], isEnglish: boolean): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, change] of [...CONDITIONS, ...(await realConditions())]) {
    let refused = 0;
    let warned = 0;
    let uncovered = 0;
    let stretches = 0;
    let silent = 0;
    let count = 0;
    for (const [at, recording] of recordings.entries()) {
      const { file } = recording;
      for (const samples of variantsOf(change(recording.samples, at), isEnglish ? 0 : INAUDIBLE_VARIANTS)) {
        const result = await resultOf(transcribe, samples);
        const hasWarning = result?.metadata.warnings !== undefined;
        count++;
        if (!result) refused++;
        else if (hasWarning) warned++;
        else silent++;
        if (isEnglish && !result) process.stderr.write(`${name}: ${file} refused\n`);
        if (isEnglish && hasWarning) process.stderr.write(`${name}: ${file} has a warning\n`);
        if (!isEnglish && result) {
          const { full_transcript: text } = result.transcription;
          process.stderr.write(`${name}: ${file}${hasWarning ? " (warning)" : ""}: ${text}\n`);
        }
        if (!isEnglish || name !== "clean" || !result) continue;
        const words = result.transcription.utterances.flatMap((utterance) => utterance.words);
        for (const [start, end] of await uncoveredSpeech(samples, words)) {
          uncovered += end - start;
          stretches++;
          process.stderr.write(`${file} ${start.toFixed(1)} to ${end.toFixed(1)} s: no words\n`);
        }
      }
    }
    const minutes = recordings.reduce((sum, { samples }) => sum + samples.length / SAMPLE_RATE / 60, 0);
    results.push({
      name: `${isEnglish ? "English" : "other languages"}, ${name}`,
      values: {
        recordings: count,
        refused,
        warned,
        ...(isEnglish ? {} : { "neither, wrongly": silent }),
        ...(isEnglish && name === "clean"
          ? {
              minutes: rounded(minutes, 1),
              "stretches without words": stretches,
              "seconds of them": rounded(uncovered, 1),
            }
          : {}),
      },
      ...(isEnglish
        ? { goal: "none refused", isMet: refused === 0 }
        : { goal: "all refused or with a warning", isMet: silent === 0 }),
    });
  }
  return results;
}

const all = await loadRecordings(() => true, "all languages");
const spoken = all.filter(({ transcript, phrases, speakers }) => transcript ?? phrases ?? speakers);
const results = await withModel(MODEL, async (transcribe) => [
  ...(await measure(
    transcribe,
    spoken.filter(({ language }) => language !== "en"),
    false,
  )),
  ...(await measure(
    transcribe,
    spoken.filter(({ language }) => language === "en"),
    true,
  )),
]);
printResults("Speech that is not English", results);
saveResults("foreign-speech", results);
process.exit(0);
