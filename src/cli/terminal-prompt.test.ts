import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readSecret } from "./terminal-prompt.ts";

test.each([
  ["a line", " secret \r", "secret"],
  ["an empty line", "\r", ""],
  ["Ctrl-C", "sec\u0003", undefined],
  ["Ctrl-D", "\u0004", undefined],
])("%s at the prompt", async (_, typed, expected) => {
  const input = new PassThrough();
  const reading = readSecret(input);
  input.write(typed);
  expect(await reading).toBe(expected);
});

test("the end of the input at the prompt", async () => {
  const input = new PassThrough();
  const reading = readSecret(input);
  input.end();
  expect(await reading).toBeUndefined();
});
