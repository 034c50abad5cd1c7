import { describe, expect, test } from "vitest";
import { SecondModel } from "./second-opinion.ts";
import type { SpeechModel } from "./speech-model.ts";

type Asked = readonly number[];
interface Remembered {
  tokens: Asked;
}

const START = 1;

/** A model of four tokens that says after each what is likely next; notes what it was fed. */
function modelOf(next: (said: Asked) => number[]) {
  const passes: Asked[] = [];
  const audio: Float32Array[] = [];
  const model = {
    vocabularySize: 4,
    endToken: 0,
    tokenizer: { bytes: (token: number) => Buffer.from([".", ",", "for", "per"][token] ?? "") },
    traits: { sampleRate: 10, silenceBefore: 0.2, silenceBehind: [0.3], shortestSamples: 1 },
    encode: async (samples: Float32Array) => {
      audio.push(samples);
      return { encoded: { frames: samples.length }, memory: { frames: 0 } };
    },
    start: async () => ({ fedTokens: 0, tokens: [START], language: "en", rules: [] }),
    decode: async (_: unknown, cache: Remembered | undefined, tokens: Asked, unanswered: number) => {
      passes.push(tokens);
      const said = [...(cache?.tokens ?? []), ...tokens];
      const rows = tokens.map((__, at) => next(said.slice(0, said.length - tokens.length + at + 1)));
      return {
        logits: Float32Array.from(rows.slice(unanswered).flat()),
        attention: new Float32Array(),
        cache: { tokens: said },
      };
    },
    release: async () => undefined,
  };
  return { model: model as unknown as SpeechModel<{ frames: number }, Remembered, { frames: number }>, passes, audio };
}

const likeliest = (logits: Float32Array) => logits.indexOf(Math.max(...logits));
const at = (token: number, height: number) => Float32Array.from({ length: 4 }, (_, id) => (id === token ? height : 0));
const request = { samples: Float32Array.of(0.1, 0.2, 0.3), languages: ["en"] };
const opinionOf = (model: SpeechModel<{ frames: number }, Remembered, { frames: number }>) =>
  new SecondModel(model, async () => model).on(request, (pass) => pass());

describe("a second opinion", () => {
  test("is not asked for where the first model is sure", async () => {
    const { model, passes, audio } = modelOf(() => [0, 0, 9, 0]);
    const logits = at(3, 8);
    expect(await opinionOf(model).weigh(logits, [])).toBe(logits);
    expect([passes, audio]).toEqual([[], []]);
    expect(logits).toEqual(at(3, 8));
  });

  test("is not asked for where only a mark is in doubt", async () => {
    const { model, passes } = modelOf(() => [0, 0, 9, 0]);
    await opinionOf(model).weigh(Float32Array.of(0, 8, 1, 8), []);
    expect(passes).toEqual([]);
  });

  test("decides between tokens that the first model wavers between, and leaves probabilities", async () => {
    const { model, audio } = modelOf(() => [0, 0, 6, 0]);
    const logits = Float32Array.of(0, 0, 4, 4.5);
    const weighed = await opinionOf(model).weigh(logits, []);
    expect(likeliest(weighed)).toBe(2);
    expect(Math.max(...weighed)).toBeLessThan(0);
    expect(logits).toEqual(Float32Array.of(0, 0, 4, 4.5));
    expect(audio).toEqual([Float32Array.of(0, 0, 0.1, 0.2, 0.3, 0, 0, 0)]);
  });

  test("does not outweigh what the first model all but rules out", async () => {
    const { model } = modelOf(() => [0, 0, 4, 3]);
    const logits = Float32Array.of(0, 0, -20, 1);
    expect(likeliest(await opinionOf(model).weigh(logits, []))).toBe(3);
  });

  test("hears each token once, however far apart it is asked", async () => {
    const { model, passes, audio } = modelOf((said) => [...at(said.length % 4, 2)]);
    const opinion = opinionOf(model);
    const doubt = () => Float32Array.of(1, 1, 1, 1);
    await opinion.weigh(doubt(), [2, 3]);
    await opinion.weigh(at(2, 20), [2, 3, 2]);
    const logits = await opinion.weigh(doubt(), [2, 3, 2, 0, 3]);
    expect(passes).toEqual([
      [START, 2, 3],
      [2, 0, 3],
    ]);
    expect(likeliest(logits)).toBe(6 % 4);
    expect(audio).toHaveLength(1);
  });
});
