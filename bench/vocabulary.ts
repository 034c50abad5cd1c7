// Gain of a custom vocabulary where its terms are spoken, and harm where they are not: phrases found in accented
// orders, word error rate of other speech, with the orders' vocabulary and with a hundred terms that do not occur.
import { readFileSync } from "node:fs";
import { normalizedWords, wordErrors } from "../test/fixtures/word-error-rate.ts";
import { withModel } from "./conditions.ts";
import { loadRecordings } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const ORDERS = JSON.parse(readFileSync("../shared/data/orders-vocabulary.json", "utf8")) as string[];
/** Composed of syllables, so that none is a word. */
const UNSAID = ["Zor", "Vel", "Quin", "Bax", "Mir", "Tol", "Kar", "Nex", "Lum", "Dra"].flatMap((first) =>
  ["tavian", "donex", "lidol", "perion", "gara", "mintal", "stovia", "rubex", "calor", "fenix"].map(
    (second) => first + second,
  ),
);
const INTENSITIES = [0.3, 0.5, 0.7];
const FOUND_GOAL = 97;

const switched = (vocabulary: string[], default_intensity: number) => ({
  custom_vocabulary: true,
  custom_vocabulary_config: { vocabulary, default_intensity },
});

const orders = await loadRecordings(({ phrases }) => phrases !== undefined);
const others = await loadRecordings(({ transcript }) => transcript !== undefined);
const results: Result[] = [];

await withModel("moonshine-base-en", async (recognize) => {
  const found = async (params: object) => {
    let hits = 0;
    let all = 0;
    for (const { samples, phrases = [] } of orders) {
      const { transcription } = await recognize(samples, params as Record<string, unknown>);
      const text = ` ${normalizedWords(transcription.full_transcript).join(" ")} `;
      for (const phrase of phrases) {
        all++;
        if (text.includes(` ${normalizedWords(phrase).join(" ")} `)) hits++;
        else process.stderr.write(`missed "${phrase}" in "${text.trim()}"\n`);
      }
    }
    return rounded((100 * hits) / all, 1);
  };
  const errorRate = async (params: object) => {
    let errors = 0;
    let words = 0;
    for (const { samples, transcript = "" } of others) {
      const { transcription } = await recognize(samples, params as Record<string, unknown>);
      const reference = normalizedWords(transcript);
      errors += wordErrors(reference, normalizedWords(transcription.full_transcript));
      words += reference.length;
    }
    return rounded((100 * errors) / words);
  };
  const plainRate = await errorRate({});
  results.push({
    name: "without vocabulary",
    values: { "phrases found %": await found({}), "WER % of other speech": plainRate },
  });
  for (const intensity of INTENSITIES) {
    process.stderr.write(`intensity ${intensity}\n`);
    const share = await found(switched(ORDERS, intensity));
    const rate = await errorRate(switched(ORDERS, intensity));
    const unsaid = await errorRate(switched(UNSAID, intensity));
    results.push({
      name: `intensity ${intensity}`,
      values: { "phrases found %": share, "WER % of other speech": rate, "WER % with 100 unsaid terms": unsaid },
      ...(intensity === 0.5
        ? {
            goal: `at least ${FOUND_GOAL} %, no harm`,
            isMet: share >= FOUND_GOAL && rate <= plainRate && unsaid <= plainRate,
          }
        : {}),
    });
  }
});
printResults("Custom vocabulary", results);
saveResults("vocabulary", results);
