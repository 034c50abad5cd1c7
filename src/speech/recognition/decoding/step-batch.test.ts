import { expect, test } from "vitest";
import type { DecodingStep } from "./decoder.ts";
import { PrioritySemaphore } from "./priority-semaphore.ts";
import { StepBatch } from "./step-batch.ts";

interface Audio {
  frames: number;
}

test("steps wait for longer passes and then run in one batch; urgent steps do not wait", async () => {
  const batches: number[][] = [];
  const semaphore: PrioritySemaphore = new PrioritySemaphore(() => batch.schedule());
  const decoder = {
    batchSize: 2,
    decodeBatch: async (texts: readonly DecodingStep<Audio, number>[]) => {
      batches.push(texts.map(({ token }) => token));
      return texts.map(({ token }) => ({ logits: new Float32Array(), attention: new Float32Array(), cache: token }));
    },
  };
  const batch = new StepBatch<Audio, number>(decoder, () => semaphore.isIdle);
  const step = (token: number, isUrgent = false) =>
    batch.step({ encoded: { frames: 1 }, cache: undefined, token }, isUrgent);

  const first = step(1);
  let end = () => {};
  const pass = semaphore.run(false, () => new Promise<void>((resolve) => (end = resolve)));
  expect((await step(7, true)).cache).toBe(7);
  const others = [step(2), step(3)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(batches).toEqual([[7]]);
  end();
  await Promise.all([pass, first, ...others]);
  expect(batches).toEqual([[7], [1, 2], [3]]);
});
