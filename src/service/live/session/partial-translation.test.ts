import { expect, test } from "vitest";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { PartialTranslation } from "./partial-translation.ts";

const utterance = (text: string): Utterance => ({
  text,
  language: "en",
  start: 0,
  end: 1,
  confidence: 1,
  channel: 0,
  words: [],
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("the newest partial is translated next, none in between, and none after its final", async () => {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const partials = new PartialTranslation(async ({ utterance: { text } }, isStale) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    if (!isStale()) sent.push(text);
  });
  for (const text of ["a", "a b", "a b c"]) partials.add("1", utterance(text));
  answers.shift()?.();
  await settled();
  answers.shift()?.();
  await settled();
  expect(sent).toEqual(["a", "a b c"]);
  partials.add("2", utterance("d"));
  partials.end("2");
  answers.shift()?.();
  await settled();
  partials.add("2", utterance("d e"));
  await settled();
  expect(sent).toEqual(["a", "a b c"]);
  expect(answers).toEqual([]);
});
