import { expect, test } from "vitest";
import type { GgufHeader } from "./gguf.ts";
import { planContext, WANTED_SEQUENCES } from "./memory-plan.ts";

const GIGABYTE = 1e9;
/** A model of 1.5 billion parameters at 4 bits. */
const HEADER: GgufHeader = {
  architecture: "qwen2",
  contextTokens: 32_768,
  layers: 28,
  cacheBytesPerToken: 28_672,
  fileBytes: 1.12 * GIGABYTE,
  parts: 1,
};

test("with enough memory, two conversations of 8,192 tokens", () => {
  expect(planContext(HEADER, 8 * GIGABYTE, "m")).toMatchObject({ contextTokens: 8_192, sequences: WANTED_SEQUENCES });
});

test("with less, one conversation, then a shorter context; never more than what is free", () => {
  const plans = [1.9, 1.7, 1.6, 1.5].map((free) => ({ free, plan: planContext(HEADER, free * GIGABYTE, "m") }));
  for (const { free, plan } of plans) expect(plan.bytes).toBeLessThanOrEqual(free * GIGABYTE);
  expect(plans.map(({ plan }) => plan.sequences)).toEqual([1, 1, 1, 1]);
  const contexts = plans.map(({ plan }) => plan.contextTokens);
  expect(contexts).toEqual([...contexts].sort((left, right) => right - left));
  expect(contexts.at(-1)).toBeLessThan(8_192);
});

test("too little is an error that names both sizes and what to do", () => {
  expect(() => planContext(HEADER, GIGABYTE, "m.gguf")).toThrow(
    expect.objectContaining({
      code: "language_model.memory",
      message: expect.stringMatching(
        /m\.gguf needs .* of memory and .* free\. Set PARLANCE_LANGUAGE_MODEL to a smaller one/,
      ),
    }),
  );
});

test("a model that was trained on a short context has no longer one", () => {
  expect(planContext({ ...HEADER, contextTokens: 2_048 }, 8 * GIGABYTE, "m").contextTokens).toBe(2_048);
});
