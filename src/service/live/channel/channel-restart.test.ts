// A channel that another process continues after any of its finals: the later finals are the same, and no word is lost.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Final,
  finalsOf,
  numberedWords,
  type SpokenWord,
  wordsSound,
} from "../../../../test/fixtures/channel-run.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";

const spoken = fc.array(
  fc.record({
    silentSeconds: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      fc.integer({ min: 1, max: 40 }).map((tenths) => tenths / 20),
    ),
    seconds: fc.integer({ min: 4, max: 30 }).map((tenths) => tenths / 20),
    isDigit: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40, size: "max" },
);
const session = fc.record({
  spoken,
  silenceAtEnd: fc.constantFrom(0, 0.02, 0.5, 3),
  endpointingSeconds: fc.constantFrom(0.05, 0.3, 0.8, 2),
  maximumSeconds: fc.constantFrom(5, 8, 30),
  isJudging: fc.boolean(),
  continues: fc.boolean(),
  // Shares of the audio at which the client ends its turn.
  turnEnds: fc.array(
    fc.integer({ min: 0, max: 1_000 }).map((share) => share / 1_000),
    { maxLength: 3 },
  ),
  pieceSeconds: fc.constantFrom(0.032, 0.1, 1.7),
});

const withoutState = (finals: readonly Final[]) => finals.map(({ utterance }) => utterance);

test("a restart after any final, and the way in which audio arrives, change nothing", {
  timeout: 400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      session,
      async ({ spoken, silenceAtEnd, isJudging, turnEnds, pieceSeconds, continues, ...bounds }) => {
        const words: SpokenWord[] = spoken.map((word, at) => ({ ...word, number: at + 1 }));
        const audio = wordsSound(words, silenceAtEnd);
        const services = () => numberedWords((number) => spoken[number - 1]?.isDigit === true, continues);
        const ends = [...new Set(turnEnds.map((share) => Math.round(share * audio.length)))].sort((a, b) => a - b);
        // Any decision that depends on the audio alone.
        const judge = async (samples: Float32Array) => (Math.floor(samples.length / SAMPLE_RATE) % 3) / 2;
        const run = (more: object) =>
          finalsOf(
            audio,
            { judge, isJudging: () => isJudging },
            { services: services(), bounds, turnEnds: ends, pieceSeconds, ...more },
          );
        const whole = await run({});
        expect(withoutState((await run({ pieceSeconds: 100 })).finals)).toEqual(withoutState(whole.finals));
        for (const [at, { state }] of whole.finals.entries()) {
          const resumed = await run({ resumed: state });
          expect(withoutState(resumed.finals)).toEqual(withoutState(whole.finals.slice(at + 1)));
        }
        const said = whole.finals.flatMap(({ utterance }) =>
          utterance.words.map(({ word }) => word.replace(/\W/g, "").toLowerCase()),
        );
        const sent = spoken.map(({ isDigit }, at) => (isDigit ? `${(at + 1) % 10}` : `word${at + 1}`));
        expect(said).toEqual(expect.arrayContaining(sent));
        // An end of a turn may be within a word. A pause that is shorter than the detector's own delay may end an utterance within one.
        const isCut = ends.length > 0 || spoken.some(({ silentSeconds }) => silentSeconds > 0 && silentSeconds < 0.2);
        if (!isCut) expect(said).toEqual(sent);
      },
    ),
    { numRuns: 60, seed: 20261129 },
  );
});

test("in long audio without words, a restart resumes near its end, and the later finals are the same", async () => {
  const word = (number: number, silentSeconds: number) => ({ number, silentSeconds, seconds: 0.4 });
  const words = [word(1, 0.5), word(2, 200), word(3, 0.1), word(4, 1.3), word(5, 130)];
  const audio = wordsSound(words, 70);
  const run = (more: object) => finalsOf(audio, {}, { services: numberedWords(() => false), pieceSeconds: 5, ...more });
  const whole = await run({});
  expect(whole.wordless.map(({ state }) => Math.round(state.position / SAMPLE_RATE / 60))).toEqual([1, 2, 3, 4, 5, 7]);
  for (const { state, finals } of whole.wordless) {
    const resumed = await run({ resumed: state });
    expect(withoutState(resumed.finals)).toEqual(withoutState(whole.finals.slice(finals)));
  }
});

test("in long speech without words, a restart resumes near its end", async () => {
  const words = [
    { number: 1, silentSeconds: 0.5, seconds: 200 },
    ...[2, 3].map((number) => ({ number, silentSeconds: 2, seconds: 0.4 })),
  ];
  const services = () =>
    numberedWords(
      () => false,
      false,
      (number) => number === 1,
    );
  const run = (more: object) =>
    finalsOf(
      wordsSound(words, 3),
      {},
      { services: services(), pieceSeconds: 5, bounds: { maximumSeconds: 10 }, ...more },
    );
  const whole = await run({});
  expect(whole.wordless.length).toBeGreaterThan(1);
  for (const { state, finals } of whole.wordless) {
    expect((state.continuedAt ?? 0) - state.position).toBeLessThan(15 * SAMPLE_RATE);
    const resumed = await run({ resumed: state });
    expect(withoutState(resumed.finals)).toEqual(withoutState(whole.finals.slice(finals)));
  }
});
