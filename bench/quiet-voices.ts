// A telephone or distant voice that takes turns with a near one in one channel: how many of its words are recognised, how many
// words of the near voice, how many are invented, and whether a warning names its stretches without words. The limits of
// speech/audio/voice-activity/leveller.ts were chosen on readings 1, 3, 5, 7, 9 and the sentences, so both halves contain
// recordings of that choice; the others were chosen on the first half.
import { type Stretch, stretchesOf, uncoveredRuns } from "../src/speech/audio/voice-activity/wordless-speech.ts";
import { normalizedWords, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { ready, startService } from "../test/service.ts";
import { type Transcriber, withModel } from "./conditions.ts";
import { type Dialogue, liveTranscriber, quietDialogues, wordlessIn } from "./quiet-dialogues.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const DECIBELS_LOWER = [6, 14, 18, 20, 24, 30];
/** Lower voices are reported, but few of their words are recognised. */
const MOST_GOAL_DECIBELS = 24;
const GOAL_PERCENT = 80;
const LEAST_STRETCH_SECONDS = 1;

const meets = (one: Stretch, other: Stretch) =>
  one.startSeconds < other.endSeconds && other.startSeconds < one.endSeconds;

const percent = (part: number, whole: number) => rounded((100 * part) / whole, 1);

async function measure(
  name: string,
  dialogues: readonly Dialogue[],
  transcribe: Transcriber,
  goals: { words: boolean; reports: boolean },
): Promise<Result> {
  const count = {
    far: 0,
    farRight: 0,
    near: 0,
    nearRight: 0,
    wrong: 0,
    warnings: 0,
    wordless: 0,
    reported: 0,
    false: 0,
  };
  for (const { samples, words, farRuns } of dialogues) {
    const result = await transcribe(samples);
    const { transcription } = result;
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
    const warned = wordlessIn(result);
    if (warned.length > 0) count.warnings++;
    count.false += warned.filter((range) => !farRuns.some((run) => meets(run, range))).length;
    const spoken = transcription.utterances
      .flatMap((one) => one.words)
      .map(({ start, end }) => ({ startSeconds: start, endSeconds: end }));
    const wordless = stretchesOf(uncoveredRuns(farRuns, spoken)).filter(
      ({ startSeconds, endSeconds }) => endSeconds - startSeconds >= LEAST_STRETCH_SECONDS,
    );
    count.wordless += wordless.length;
    count.reported += wordless.filter((one) => warned.some((range) => meets(one, range))).length;
    if (process.env["SHOW"]) process.stderr.write(`${name}: ${JSON.stringify({ wordless, warned, farRuns })}\n`);
  }
  const far = percent(count.farRight, count.far);
  const goal = [
    ...(goals.words ? [`at least ${GOAL_PERCENT} % of the far words`] : []),
    ...(goals.reports ? ["every stretch without words has a warning"] : []),
  ];
  const isMet = (!goals.words || far >= GOAL_PERCENT) && count.reported === count.wordless && count.false === 0;
  return {
    name,
    values: {
      "far words": count.far,
      "far recognised %": far,
      "near recognised %": percent(count.nearRight, count.near),
      "other words": count.wrong,
      "dialogues with a warning": `${count.warnings} of ${dialogues.length}`,
      "far stretches of 1 s without words, with a warning": `${count.reported} of ${count.wordless}`,
      "warnings where nobody speaks": count.false,
    },
    ...(goal.length > 0 ? { goal: goal.join(", "), isMet } : {}),
  };
}

const dialoguesOf = await quietDialogues();
const results: Result[] = [];
async function measureAll(kind: string, transcribe: Transcriber): Promise<void> {
  for (const lower of DECIBELS_LOWER) {
    for (const half of [0, 1]) {
      const name = `${kind}${lower} dB lower, ${half === 0 ? "first" : "second"} half`;
      const goals = { words: half === 1 && lower <= MOST_GOAL_DECIBELS && kind === "", reports: half === 1 };
      results.push(await measure(name, dialoguesOf(half, lower), transcribe, goals));
    }
  }
}

if (process.env["BENCH_ONLY"] !== "live") await withModel(MODEL, (transcribe) => measureAll("", transcribe));
if (process.env["BENCH_ONLY"] !== "recorded") {
  const service = await startService();
  await ready(service);
  await measureAll("live, ", liveTranscriber(service));
  await service.stop();
}
printResults("A telephone voice beside a near one", results);
if (process.env["BENCH_ONLY"] === undefined) saveResults("quiet-voices", results);
process.exit(0);
