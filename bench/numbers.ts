// How well numbers are written: precision and recall by language over the half of the pairs that no rule was chosen on.

import { NUMERAL_LANGUAGES, withNumerals } from "../src/speech/text/numerals/numerals.ts";
import { type Half, numberPairs, scoresOf, spokenUtterance, unchangedTexts } from "../test/fixtures/number-pairs.ts";
import { printResults } from "./table.ts";

const write = (spoken: string, language: string) => withNumerals(spokenUtterance(spoken, language)).text;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

for (const half of ["chosen", "reported"] satisfies Half[]) {
  const pairs = [...numberPairs(half), ...unchangedTexts(half)];
  const results = [...NUMERAL_LANGUAGES, "all"].map((name) => {
    const own = pairs.filter(({ language }) => name === "all" || language === name);
    const { precision, recall, wrong } = scoresOf(own, write);
    const isJudged = name === "all" && half === "reported";
    return {
      name,
      values: { texts: own.length, precision: percent(precision), recall: percent(recall), wrong: wrong.length },
      ...(isJudged ? { goal: "precision 98 %, recall 90 %", isMet: precision >= 0.98 && recall >= 0.9 } : {}),
    };
  });
  printResults(`written numbers, half ${half}`, results);
  for (const { pair, got } of scoresOf(pairs, write).wrong) {
    process.stdout.write(`  ${pair.language}: "${pair.spoken}" is written "${got}", not "${pair.written}"\n`);
  }
}
