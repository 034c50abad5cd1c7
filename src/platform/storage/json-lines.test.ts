import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { turnsOf } from "../../../test/fixtures/thread-time.ts";
import { parseJsonLines, printJsonLine, readJsonLinesOf } from "./json-lines.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-lines-"));
const file = path.join(folder, "lines.jsonl");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file has the same values as its text, damaged and repeated lines included", async () => {
  const whole = fc.jsonValue().map(printJsonLine);
  const damaged = fc.constantFrom("\n", "=00000000 1\n", "{}\n", "=0", "\n\n", printJsonLine("é€😀").repeat(2));
  const texts = fc.array(fc.oneof(whole, damaged), { maxLength: 20 }).map((lines) => lines.join(""));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      writeFileSync(file, text);
      expect(await readJsonLinesOf(file)).toEqual(parseJsonLines(text));
    }),
  );
});

test("the words of six hours of eight channels are read in short turns", { timeout: 120_000 }, async () => {
  const words = Array.from({ length: 20 }, (_, at) => ({
    ...{ word: ` wörd${at}`, startSeconds: at, endSeconds: at + 0.3, confidence: 0.9 },
  }));
  const lines = Array.from({ length: 8 * 2_700 }, (_, at) => ({ channel: at % 8, at, language: "de", words }));
  writeFileSync(file, lines.map(printJsonLine).join(""));
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && longest >= 100; tries++) {
    const cost = await turnsOf(() => readJsonLinesOf(file));
    expect(cost.result).toEqual(lines);
    if (process.env["SHOW_TURNS"]) process.stderr.write(`lines ${cost.longest} of ${cost.all}\n`);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(100);
});
