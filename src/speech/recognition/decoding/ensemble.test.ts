import { describe, expect, test } from "vitest";
import { SecondModel } from "./ensemble.ts";
import type { SpeechModel } from "./speech-model.ts";

type Tokens = readonly number[];
interface Cache {
  tokens: Tokens;
}

const START = 1;

/** A model of four tokens with fixed predictions; records the tokens it was given. */
function modelOf(next: (text: Tokens) => number[]) {
  const passes: Tokens[] = [];
  const audio: Float32Array[] = [];
  const model = {
    vocabularySize: 4,
    endToken: 0,
    tokenizer: { bytes: (token: number) => Buffer.from([".", ",", "for", "per"][token] ?? "") },
    traits: { sampleRate: 10, leadingSilenceSeconds: 0.2, trailingSilenceSeconds: [0.3], shortestSamples: 1 },
    encode: async (samples: Float32Array) => {
      audio.push(samples);
      return { encoded: { frames: samples.length }, memory: { frames: 0 } };
    },
    start: async () => ({ fedTokens: 0, tokens: [START], language: "en", rules: [] }),
    decode: async (_: unknown, cache: Cache | undefined, tokens: Tokens, skipLogits: number) => {
      passes.push(tokens);
      const text = [...(cache?.tokens ?? []), ...tokens];
      const rows = tokens.map((__, at) => next(text.slice(0, text.length - tokens.length + at + 1)));
      return {
        logits: Float32Array.from(rows.slice(skipLogits).flat()),
        attention: new Float32Array(),
        cache: { tokens: text },
      };
    },
    truncate: ({ tokens }: Cache, length: number) => ({ tokens: tokens.slice(0, length) }),
    release: async () => undefined,
  };
  return { model: model as unknown as SpeechModel<{ frames: number }, Cache, { frames: number }>, passes, audio };
}

const mostProbable = (logits: Float32Array) => logits.indexOf(Math.max(...logits));
const at = (token: number, height: number) => Float32Array.from({ length: 4 }, (_, id) => (id === token ? height : 0));
const request = { samples: Float32Array.of(0.1, 0.2, 0.3), languages: ["en"] };
const scorerOf = (model: SpeechModel<{ frames: number }, Cache, { frames: number }>) =>
  new SecondModel(model, async () => model).startScorer(request, (pass) => pass());

describe("an ensemble of two models", () => {
  test("does not run the second model when the first is certain", async () => {
    const { model, passes, audio } = modelOf(() => [0, 0, 9, 0]);
    const logits = at(3, 8);
    expect(await scorerOf(model).combine(logits, [])).toBe(logits);
    expect([passes, audio]).toEqual([[], []]);
    expect(logits).toEqual(at(3, 8));
  });

  test("does not run the second model when only punctuation is uncertain", async () => {
    const { model, passes } = modelOf(() => [0, 0, 9, 0]);
    await scorerOf(model).combine(Float32Array.of(0, 8, 1, 8), []);
    expect(passes).toEqual([]);
  });

  test("decides between tokens that the first model is uncertain about, and returns log probabilities", async () => {
    const { model, audio } = modelOf(() => [0, 0, 6, 0]);
    const logits = Float32Array.of(0, 0, 4, 4.5);
    const weighed = await scorerOf(model).combine(logits, []);
    expect(mostProbable(weighed)).toBe(2);
    expect(Math.max(...weighed)).toBeLessThan(0);
    expect(logits).toEqual(Float32Array.of(0, 0, 4, 4.5));
    expect(audio).toEqual([Float32Array.of(0, 0, 0.1, 0.2, 0.3, 0, 0, 0)]);
  });

  test("does not override a token that the first model almost rules out", async () => {
    const { model } = modelOf(() => [0, 0, 4, 3]);
    const logits = Float32Array.of(0, 0, -20, 1);
    expect(mostProbable(await scorerOf(model).combine(logits, []))).toBe(3);
  });

  test("decodes again from the first token that differs from the previous call", async () => {
    const { model, passes } = modelOf((text) => [...at((text[1] ?? 0) % 4, 2)]);
    const opinion = scorerOf(model);
    const doubt = () => Float32Array.of(1, 1, 1, 1);
    await opinion.combine(doubt(), [2, 3]);
    const logits = await opinion.combine(doubt(), [3]);
    expect(passes).toEqual([[START, 2, 3], [3]]);
    expect(mostProbable(logits)).toBe(3);
    await opinion.combine(doubt(), []);
    expect(passes.at(-1)).toEqual([START]);
  });

  test("decodes each token once, however far apart its calls are", async () => {
    const { model, passes, audio } = modelOf((text) => [...at(text.length % 4, 2)]);
    const opinion = scorerOf(model);
    const doubt = () => Float32Array.of(1, 1, 1, 1);
    await opinion.combine(doubt(), [2, 3]);
    await opinion.combine(at(2, 20), [2, 3, 2]);
    const logits = await opinion.combine(doubt(), [2, 3, 2, 0, 3]);
    expect(passes).toEqual([
      [START, 2, 3],
      [2, 0, 3],
    ]);
    expect(mostProbable(logits)).toBe(6 % 4);
    expect(audio).toHaveLength(1);
  });
});
