// Ends of turns in real speech: how often an utterance ends before its turn does, and how long after the last word it ends, by silence alone,
// by Smart Turn alone, and by the judgement of live sessions (src/speech/turns/turn-end.ts). Times are those of the audio; the recognition of
// the final is not included. The weights of the probability and the silence were fitted on the first half; every second recording
// of each kind belongs to the second.
import { digitsOf } from "../src/speech/text/numerals/digits-of.ts";
import { silenceOfTurnEnd } from "../src/speech/turns/turn-end.ts";
import { milliseconds, printResults, type Result, rounded, saveResults } from "./table.ts";
import { loadTurns, type MeasuredTurn, measuredTurns, type Pause, WINDOW_SECONDS } from "./turn-pauses.ts";

const SILENCES = [0.2, 0.3, 0.4, 0.5, 0.8];
const THRESHOLDS = [0.75, 0.85, 0.9];
const LEAST_SECONDS = 0.2;
const MOST_SECONDS = 2;
const SECOND_SECONDS = 0.6;
/** Smart Turn as its authors use it: judged after 0.2 s, ended at a probability of 0.5, otherwise after a longer silence. */
const AUTHORS_THRESHOLD = 0.5;
const KINDS = [/^order/, /^reading/, /^meeting|^speech-1961/, /^/] as const;
const KIND_NAMES = ["orders", "readings", "meetings and an address", "all"];

/** @returns seconds of silence after which the utterance ends */
type Rule = (pause: Pause) => number;

const bounded = (seconds: number) => Math.max(LEAST_SECONDS, Math.min(MOST_SECONDS, seconds));
/** Whole windows, as in live sessions. */
const counted = (seconds: number) => Math.round(seconds / WINDOW_SECONDS) * WINDOW_SECONDS;

function judged(threshold: number, hasWords = true): Rule {
  return ({ words, judged: [first, , second] }) => {
    const endsInNumber = digitsOf(words.at(-1) ?? "", "en") !== undefined;
    const silence = (probability = 0) =>
      bounded(
        silenceOfTurnEnd(
          { probability, words, language: hasWords ? "en" : "", endsInNumber: hasWords && endsInNumber },
          threshold,
        ),
      );
    const needed = silence(first?.[1]);
    return needed > SECOND_SECONDS && second ? Math.max(SECOND_SECONDS, silence(second[1])) : needed;
  };
}

const smartTurn: Rule = ({ judged: [, atLeastSilence] }) =>
  (atLeastSilence?.[1] ?? 0) >= AUTHORS_THRESHOLD ? LEAST_SECONDS : MOST_SECONDS;

function resultOf(name: string, turns: readonly MeasuredTurn[], rule: Rule): Result {
  const isCut = ({ pauses }: MeasuredTurn) =>
    pauses.some((pause) => !pause.isEnd && counted(rule(pause)) <= pause.seconds + WINDOW_SECONDS / 2);
  const cut = turns.filter(isCut).length;
  const delays = turns.map(({ lastWord, pauses }) => {
    const end = pauses.at(-1) as Pause;
    return end.start + counted(rule(end)) - lastWord;
  });
  return {
    name,
    values: {
      turns: turns.length,
      "cut off": cut,
      "cut off %": rounded((100 * cut) / turns.length, 1),
      "end median ms": milliseconds(delays, 0.5),
      "end P95 ms": milliseconds(delays, 0.95),
    },
  };
}

const rules: [name: string, rule: Rule][] = [
  ...SILENCES.map((seconds) => [`silence of ${seconds} s`, () => seconds] as [string, Rule]),
  ["Smart Turn alone", smartTurn],
  ["judged, without words, 0.85", judged(0.85, false)],
  ...THRESHOLDS.map((threshold) => [`judged, ${threshold}`, judged(threshold)] as [string, Rule]),
];
const all = await measuredTurns(await loadTurns());
const results: Result[] = [];
for (const half of [0, 1]) {
  for (const [at, kind] of KINDS.entries()) {
    const turns = all.filter((turn) => turn.half === half && kind.test(turn.name));
    const title = `${KIND_NAMES[at]}, ${half === 0 ? "half of the choice" : "reported half"}`;
    const own = rules.map(([name, rule]) => resultOf(name, turns, rule));
    printResults(title, own);
    results.push(...own.map((result) => ({ ...result, name: `${title}: ${result.name}` })));
  }
}
saveResults("turns", results);
process.exit(0);
