// Word error rate and word times, through the same stages as a job: clean recordings, harder ones derived from them,
// and words invented on an hour of audio without speech.
import type { Word } from "../src/contract/transcript/transcript.ts";
import { normalizedWords, wordErrors, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { writingFaults } from "../test/fixtures/writing-faults.ts";
import { CONDITIONS, realConditions, withModel } from "./conditions.ts";
import { soundsWithoutSpeech } from "./no-speech.ts";
import { loadRecordings, type Recording } from "./recordings.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

/** Differences of word starts and ends from the reference, seconds, over the words that both contain. */
function timeErrors(reference: NonNullable<Recording["words"]>, found: Word[]): { starts: number[]; ends: number[] } {
  const pairs = wordPairs(
    reference.map(({ word }) => word),
    found.map(({ word }) => word),
  );
  const differences = (side: "start" | "end") =>
    pairs.map(([left, right]) => Math.abs((reference[left]?.[side] ?? 0) - (found[right]?.[side] ?? 0)));
  return { starts: differences("start"), ends: differences("end") };
}

/** Word error rates, %. */
const GOALS: Readonly<Record<string, number>> = {
  clean: 2.2,
  "real noise 10 dB": 4,
  "real noise 3 dB": 8,
  "real rooms": 6,
};

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function wordErrorRates(model: string, recordings: Recording[]): Promise<Result[]> {
  return withModel(model, async (recognize) => {
    const results: Result[] = [];
    for (const [name, change] of [...CONDITIONS, ...(await realConditions())]) {
      let errors = 0;
      /** Errors of every other recording: constants are tuned on the others. */
      let errorsOfSecondHalf = 0;
      let words = 0;
      const faults: string[] = [];
      const starts: number[] = [];
      const ends: number[] = [];
      for (const [at, recording] of recordings.entries()) {
        const { transcription } = await recognize(change(recording.samples, at));
        const reference = normalizedWords(recording.transcript ?? "");
        const own = wordErrors(reference, normalizedWords(transcription.full_transcript));
        errors += own;
        if (at % 2 === 1) errorsOfSecondHalf += own;
        faults.push(...writingFaults(transcription.full_transcript));
        words += reference.length;
        if (name !== "clean" || !recording.words) continue;
        const times = timeErrors(
          recording.words,
          transcription.utterances.flatMap((utterance) => utterance.words),
        );
        starts.push(...times.starts);
        ends.push(...times.ends);
      }
      const rate = rounded((100 * errors) / words);
      const isGoal = name === "clean" && model === "moonshine-base-en";
      const most = model === "moonshine-base-en" ? GOALS[name] : undefined;
      results.push({
        name: `${model}, ${name}`,
        values: { "WER %": rate, errors, words, "second half": errorsOfSecondHalf, "faults of writing": faults.length },
        ...(most === undefined ? {} : { goal: `at most ${most} %`, isMet: rate <= most }),
      });
      if (starts.length === 0) continue;
      for (const [edge, values, most] of [
        ["starts", starts, 60],
        ["ends", ends, 90],
      ] as const) {
        const average = rounded(mean(values) * 1000, 0);
        results.push({
          name: `${model}, word ${edge}`,
          values: {
            "mean ms": average,
            "median ms": rounded(percentile(values, 0.5) * 1000, 0),
            "P95 ms": rounded(percentile(values, 0.95) * 1000, 0),
            words: values.length,
          },
          ...(isGoal ? { goal: `mean at most ${most} ms`, isMet: average <= most } : {}),
        });
      }
    }
    return results;
  });
}

const MINUTES_OF_NOTHING = 10;

async function inventedWords(model: string): Promise<Result[]> {
  const seconds = MINUTES_OF_NOTHING * 60;
  return withModel(model, async (recognize) => {
    const results: Result[] = [];
    for (const [name, samples] of soundsWithoutSpeech(seconds)) {
      const { transcription } = await recognize(samples);
      const words = transcription.utterances.reduce((sum, utterance) => sum + utterance.words.length, 0);
      results.push({ name: `${model}, ${name}`, values: { "words an hour": (words * 60) / MINUTES_OF_NOTHING } });
    }
    return results;
  });
}

const recordings = await loadRecordings((reference) => reference.transcript !== undefined);
const rates = [
  ...(await wordErrorRates("moonshine-base-en", recordings)),
  ...(await wordErrorRates("moonshine-tiny-en", recordings)),
];
printResults("Word error rate and word times", rates);
const invented = await inventedWords("moonshine-base-en");
printResults(`Words on what is no speech (${MINUTES_OF_NOTHING} minutes of each)`, invented);
saveResults("accuracy", [...rates, ...invented]);
