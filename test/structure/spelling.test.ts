// The spelling check with this repository's dictionaries: a misspelled word fails it, a listed one does not.
import { execFile } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const CSPELL = path.resolve("node_modules/cspell/bin.mjs");

/** @param file  decides which parts of the text are checked @returns the unknown words; empty if the check passes */
function unknownWords(file: string, text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = [
      "lint",
      "--no-progress",
      "--no-summary",
      "--no-cache",
      "--words-only",
      `stdin://${path.resolve(file)}`,
    ];
    const child = execFile(process.execPath, [CSPELL, ...options], (error, output, errorOutput) => {
      const words = output.split("\n").filter((word) => word !== "");
      if ((error !== null) === words.length > 0) resolve(words);
      else reject(error ?? new Error(errorOutput));
    });
    child.stdin?.end(text);
  });
}

test.each([
  ["documentation", "docs/page.md", "The servise stores audio.\n"],
  ["a comment", "src/some.ts", "// The servise stores audio.\nexport const one = 1;\n"],
  ["a message", "src/some.ts", 'export const one = "the servise stores audio";\n'],
  ["a text of the console", "console/src/some.tsx", "export const one = <p>The servise</p>;\n"],
])("a misspelled word in %s fails the check", async (_name, file, text) => {
  expect(await unknownWords(file, text)).toEqual(["servise"]);
});

test.each([
  ["words of the dictionaries and of the list", "docs/page.md", "Recognisers use onnxruntime for diarization.\n"],
  ["code in documentation", "docs/page.md", "Run `servise`.\n\n```sh\nservise --all\n```\n"],
  ["names in code", "src/some.ts", "export const servise = 1;\n"],
])("%s pass it", async (_name, file, text) => {
  expect(await unknownWords(file, text)).toEqual([]);
});
