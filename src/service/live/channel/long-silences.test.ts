// Utterances with long silences: each word is in one final, once.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finalsOf, numberedWords, type SpokenWord, wordsSound } from "../../../../test/fixtures/channel-run.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";

type Options = Parameters<typeof finalsOf>[2];
type Run = Awaited<ReturnType<typeof finalsOf>>;

const isJudging = () => false;
const run = (words: readonly SpokenWord[], silenceAtEnd: number, bounds: object, more: Options = {}) =>
  finalsOf(
    wordsSound(words, silenceAtEnd),
    { isJudging },
    { services: numberedWords(() => false), bounds, pieceSeconds: 5, ...more },
  );
const wordsOf = ({ finals }: Run) =>
  finals.map(({ utterance }) => utterance.words.map(({ word }) => word.trim().toLowerCase()).join(" "));
const ofNumbers = (...numbers: number[]) => numbers.map((number) => `word${number}`).join(" ");
/** The words of the finals with their times, which show whether they are whole. */
const timesOf = ({ finals }: Pick<Run, "finals">) =>
  finals.flatMap(({ utterance }) =>
    utterance.words.map(({ word, start, end }) => [word.trim().toLowerCase(), start.toFixed(2), end.toFixed(2)]),
  );
function spokenTimes(words: readonly SpokenWord[]) {
  let at = 0;
  return words.map(({ number, silentSeconds, seconds }) => {
    const start = at + silentSeconds;
    at = start + seconds;
    return [`word${number}`, start.toFixed(2), at.toFixed(2)];
  });
}

const hello: SpokenWord[] = [
  { number: 1, silentSeconds: 1, seconds: 0.5 },
  { number: 2, silentSeconds: 0.1, seconds: 0.4 },
];

test("words before a silence of ten seconds are in the final that the silence ends", async () => {
  for (const endpointingSeconds of [9, 9.9, 10])
    expect(wordsOf(await run(hello, 14, { endpointingSeconds, maximumSeconds: 60 }))).toEqual(["word1 word2"]);
});

test("the same where the client ends the turn within the silence, or a turn has the longest silence", async () => {
  const bounds = { endpointingSeconds: 10, maximumSeconds: 60 };
  for (const seconds of [9.8, 11.9, 12]) {
    const found = await run(hello, 14, bounds, { turnEnds: [seconds * SAMPLE_RATE] });
    expect(wordsOf(found)).toEqual(["word1 word2"]);
  }
  const turns = { judge: async () => 0.01, maximumSeconds: 10 };
  const judged = await finalsOf(wordsSound(hello, 14), turns, {
    services: numberedWords(() => false),
    pieceSeconds: 5,
  });
  expect(wordsOf(judged)).toEqual(["word1 word2"]);
});

test("a word that is spoken while earlier ones are settled is whole", async () => {
  const words = [...hello, { number: 3, silentSeconds: 7.7, seconds: 0.5 }];
  const found = await run(words, 14, { endpointingSeconds: 10, maximumSeconds: 60 });
  expect(wordsOf(found)).toEqual(["word1 word2 word3"]);
  expect(found.finals[0]?.utterance.words[2]).toMatchObject({ start: 9.7, end: 10.2 });
});

test("words that a long silence makes late are not reported as unrecognised", async () => {
  const lengths = [0.2, 0.2, 8.3, 1.45, 0, 0.45, 1.25, 0.25, 0, 0.85, 1.3, 1.3, 0, 1.4, 0, 0.3];
  const words = Array.from({ length: 8 }, (_, at) => {
    const [silentSeconds = 0, seconds = 0] = lengths.slice(2 * at);
    return { number: at + 1, silentSeconds, seconds };
  });
  const found = await run(words, 11, { endpointingSeconds: 6.13, maximumSeconds: 15 });
  expect(wordsOf(found)).toEqual(["word1", ofNumbers(2, 3, 4, 5, 6, 7, 8)]);
  expect(found.unrecognized).toEqual([]);
});

const session = fc.record({
  spoken: fc.array(
    fc.record({
      silentSeconds: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.integer({ min: 4, max: 40 }).map((tenths) => tenths / 20) },
        { weight: 1, arbitrary: fc.integer({ min: 20, max: 120 }).map((tenths) => tenths / 10) },
      ),
      seconds: fc.integer({ min: 4, max: 30 }).map((tenths) => tenths / 20),
    }),
    { minLength: 1, maxLength: 25, size: "max" },
  ),
  silenceAtEnd: fc.constantFrom(0, 0.5, 11),
  endpointingSeconds: fc.constantFrom(0.01, 0.05, 0.3, 1, 3, 7, 9.9, 10),
  maximumSeconds: fc.constantFrom(5, 8, 30, 60),
  continues: fc.boolean(),
  isJudging: fc.boolean(),
  longestTurn: fc.constantFrom(2, 10),
  /** Shares of the silences at which the client ends its turn. */
  turnEnds: fc.array(fc.record({ word: fc.nat(24), share: fc.constantFrom(0.3, 0.6, 0.97) }), { maxLength: 3 }),
  /** Share of the finals after which another process continues. */
  restartShare: fc.integer({ min: 0, max: 99 }).map((share) => share / 100),
});

/** Samples within silences before words. */
function turnEndsOf(words: readonly SpokenWord[], ends: readonly { word: number; share: number }[]): number[] {
  let at = 0;
  const silences = words.map(({ silentSeconds, seconds }) => {
    const from = at;
    at += silentSeconds + seconds;
    return { from, silentSeconds };
  });
  return ends
    .flatMap(({ word, share }) => {
      const silence = silences[word];
      // Shorter ones may end before the detector reports the silence.
      return silence && silence.silentSeconds > 0.4
        ? [silence.from + 0.15 + share * (silence.silentSeconds - 0.3)]
        : [];
    })
    .map((seconds) => Math.round(seconds * SAMPLE_RATE))
    .sort((a, b) => a - b);
}

test("whatever the silences, the endpointing and the longest utterance, finals have each word once", {
  timeout: 400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      session,
      async ({ spoken, silenceAtEnd, continues, turnEnds, isJudging, longestTurn, restartShare, ...bounds }) => {
        const words: SpokenWord[] = spoken.map((word, at) => ({ ...word, number: at + 1 }));
        const judge = async (samples: Float32Array) => (Math.floor(samples.length / SAMPLE_RATE) % 3) / 2;
        const turns = { judge, isJudging: () => isJudging, maximumSeconds: longestTurn };
        const services = numberedWords(() => false, continues);
        const options = { services, bounds, turnEnds: turnEndsOf(words, turnEnds), pieceSeconds: 5 };
        const sound = wordsSound(words, silenceAtEnd);
        const found = await finalsOf(sound, turns, options);
        expect(timesOf(found)).toEqual(spokenTimes(words));
        expect(found.unrecognized).toEqual([]);
        const restart = Math.floor(restartShare * found.finals.length);
        const resumed = await finalsOf(sound, turns, { ...options, resumed: found.finals[restart]?.state });
        expect(timesOf(resumed)).toEqual(timesOf({ finals: found.finals.slice(restart + 1) }));
      },
    ),
    { numRuns: 100, seed: 20270114 },
  );
});

/** Channel 1 is transcribed in place of this one until `decidedAt`, when the sources are found to differ since `since`; seconds. */
const separated = (since: number, decidedAt: number) => ({
  carrierOf: (_channel: number, at: number) => (at < decidedAt ? 1 : undefined),
  isCarried: (_channel: number, _range: readonly [number, number], at: number) => at < since,
  distinctSince: (_channel: number, at: number) => (at < decidedAt ? 0 : since),
});
const counted = Array.from({ length: 30 }, (_, at) => ({ number: at + 1, silentSeconds: 0, seconds: 0.5 }));

test("words that another channel's finals have are in no final, partial or report of this channel", async () => {
  const bounds = { endpointingSeconds: 1, maximumSeconds: 60, includesPartials: true };
  // Words are settled from ten seconds on, and the sources are found to differ later.
  const whole = await run(counted, 2, bounds, { sources: separated(9, 14), pieceSeconds: 0.1 });
  expect(wordsOf(whole)).toEqual([ofNumbers(...counted.slice(18).map(({ number }) => number))]);
  expect(whole.reports.map(([kind, ...rest]) => [kind, `${rest.at(-1)}`.toLowerCase().includes("word18 ")])).toEqual([
    ["probable", false],
    ["final", false],
    ["over", false],
  ]);
  expect(whole.partials.length).toBeGreaterThan(0);
  for (const { words } of whole.partials) expect(words[0]?.word.trim().toLowerCase()).toBe("word19");
});

test("an utterance that is cut after words of another channel's finals alone has none of them in the next one", async () => {
  const bounds = { endpointingSeconds: 1, maximumSeconds: 8 };
  const found = await run(counted.slice(0, 20), 2, bounds, { sources: separated(7.6, 7.9) });
  expect(wordsOf(found)).toEqual([ofNumbers(16, 17, 18, 19, 20)]);
});

test("an utterance after a short pause has no words from before the pause that another channel's finals have", async () => {
  const words = counted.slice(0, 12).map((word) => ({ ...word, silentSeconds: word.number === 7 ? 0.4 : 0 }));
  const bounds = { endpointingSeconds: 0.1, maximumSeconds: 60 };
  // The first utterance was left to the other channel; that the sources differ was found in the pause.
  const found = await run(words, 2, bounds, {
    sources: { ...separated(3.2, 3.3), isCarried: (_, __, at) => at < 3.3 },
  });
  expect(wordsOf(found)).toEqual([ofNumbers(7, 8, 9, 10, 11, 12)]);
});
