// Recognition of recordings that begin and end anywhere: real speech cut at random positions. Counts invented words and
// misrecognised words near the cuts; the remainder of a word that was cut through is ignored.
import { parseArgs } from "node:util";
import { cutErrors, type TimedWord, wordsBetween } from "../test/fixtures/cut-words.ts";
import { normalizedWords, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { type Transcriber, withModel } from "./conditions.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const CUTS = 200;
const FIRST_SEED = 5;
const SHORTEST_SECONDS = 2;
const MOST_INVENTED_OF_100_CUTS = 1;
/**
 * Word positions come from one model, so that results of models are comparable: the one with the later word ends, so
 * that no end is cut off.
 */
const TIMING_MODEL = "moonshine-base-en";

const { values: options } = parseArgs({ options: { seeds: { type: "string", default: "1" } } });
const seeds = Array.from({ length: Number(options.seeds) }, (_, at) => FIRST_SEED + at);

/** The words of the reference with the times at which they were recognised in the whole recording. */
async function timedWords(recording: Recording, transcribe: Transcriber): Promise<TimedWord[]> {
  const { transcription } = await transcribe(recording.samples);
  const heard = transcription.utterances
    .flatMap(({ words }) => words)
    .flatMap(({ word, start, end }) => normalizedWords(word).map((one) => ({ word: one, start, end })));
  const said = normalizedWords(recording.transcript ?? "");
  const pairs = new Map(
    wordPairs(
      said,
      heard.map(({ word }) => word),
    ),
  );
  const times = said.map((_, at) => heard[pairs.get(at) ?? -1]);
  return said.map((word, at) => {
    const { start, end } = times[at] ?? {
      start: times.slice(0, at).findLast((time) => time)?.end ?? 0,
      end: times.slice(at).find((time) => time)?.start ?? recording.samples.length / SAMPLE_RATE,
    };
    return { word, start, end, isVague: times[at] === undefined };
  });
}

interface TimedRecording {
  recording: Recording;
  words: TimedWord[];
}

interface Cut extends TimedRecording {
  from: number;
  to: number;
}

function randomCuts(recordings: readonly TimedRecording[], seed: number): Cut[] {
  const next = random(seed);
  const long = recordings.filter(({ recording }) => recording.samples.length > 2 * SHORTEST_SECONDS * SAMPLE_RATE);
  return Array.from({ length: CUTS }, () => {
    const one = long[Math.floor(next() * long.length)] as (typeof long)[number];
    const seconds = one.recording.samples.length / SAMPLE_RATE;
    const from = next() * (seconds - SHORTEST_SECONDS);
    const to = from + SHORTEST_SECONDS + next() * (seconds - SHORTEST_SECONDS - from);
    return { ...one, from, to };
  });
}

async function measure(model: string, cuts: readonly Cut[]): Promise<Result> {
  return withModel(model, async (transcribe) => {
    let invented = 0;
    let misheard = 0;
    let words = 0;
    for (const { recording, words: all, from, to } of cuts) {
      const samples = recording.samples.slice(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE));
      const text = (await transcribe(samples)).transcription.full_transcript;
      const said = wordsBetween(all, from, to);
      const errors = cutErrors(said, normalizedWords(text));
      invented += errors.invented.length;
      misheard += errors.misheard;
      words += said.filter(({ isFree }) => !isFree).length;
      if (errors.invented.length === 0) continue;
      process.stderr.write(
        `${recording.file} ${rounded(from)} to ${rounded(to)}: "${errors.invented.join(" ")}" in "${text}"\n`,
      );
    }
    const ofHundred = rounded((100 * invented) / cuts.length);
    return {
      name: `${model}, ${cuts.length} random cuts`,
      values: {
        "invented words": invented,
        "in 100 cuts": ofHundred,
        "misheard words": misheard,
        "of whole words": words,
      },
      goal: `at most ${MOST_INVENTED_OF_100_CUTS} in 100`,
      isMet: ofHundred <= MOST_INVENTED_OF_100_CUTS,
    };
  });
}

const recordings = await loadRecordings((reference) => reference.transcript !== undefined);
const timed = await withModel(TIMING_MODEL, async (transcribe) => {
  const known: TimedRecording[] = [];
  for (const recording of recordings) known.push({ recording, words: await timedWords(recording, transcribe) });
  return known;
});
const cuts = seeds.flatMap((seed) => randomCuts(timed, seed));
const results = [await measure("moonshine-base-en", cuts), await measure("moonshine-tiny-en", cuts)];
printResults("Words at random cuts", results);
if (seeds.length === 1) saveResults("cuts", results);
