import { expect, test } from "vitest";
import type { TextStep } from "./decoder.ts";
import { StepBatch } from "./step-batch.ts";
import { Turns } from "./turns.ts";

interface Audio {
  frames: number;
}

test("steps wait for longer passes and then go together; an urgent one does not wait", async () => {
  const together: number[][] = [];
  const turns: Turns = new Turns(() => batch.goOn());
  const decoder = {
    mostTexts: 2,
    steps: async (texts: readonly TextStep<Audio, number>[]) => {
      together.push(texts.map(({ token }) => token));
      return texts.map(({ token }) => ({ logits: new Float32Array(), attention: new Float32Array(), cache: token }));
    },
  };
  const batch = new StepBatch<Audio, number>(decoder, () => turns.isQuiet);
  const step = (token: number, isUrgent = false) =>
    batch.step({ encoded: { frames: 1 }, cache: undefined, token }, isUrgent);

  const first = step(1);
  let end = () => {};
  const pass = turns.take(false, () => new Promise<void>((resolve) => (end = resolve)));
  expect((await step(7, true)).cache).toBe(7);
  const others = [step(2), step(3)];
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(together).toEqual([[7]]);
  end();
  await Promise.all([pass, first, ...others]);
  expect(together).toEqual([[7], [1, 2], [3]]);
});
