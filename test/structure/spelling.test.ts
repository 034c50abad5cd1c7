// The spelling check with this repository's dictionaries: a misspelled word fails it, a listed one does not.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const CSPELL = path.resolve("node_modules/cspell/bin.mjs");

// The file decides which parts of the text are checked.
const MISSPELLED = [
  ["documentation", "docs/misspelled.md", "The servise stores audio.\n"],
  ["a comment", "src/comment.ts", "// The servise stores audio.\nexport const one = 1;\n"],
  ["a message", "src/message.ts", 'export const one = "the servise stores audio";\n'],
  ["a text of the console", "console/src/text.tsx", "export const one = <p>The servise</p>;\n"],
] as const;
const CORRECT = [
  ["words of the dictionaries and of the list", "docs/listed.md", "Recognisers use onnxruntime for diarization.\n"],
  ["code in documentation", "docs/code.md", "Run `servise`.\n\n```sh\nservise --all\n```\n"],
  ["names in code", "src/name.ts", "export const servise = 1;\n"],
] as const;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-spelling-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Unknown words by file. */
const unknown = new Map<string, string[]>();

// One run for all texts: most of its time is for the dictionaries.
beforeAll(() => {
  for (const [, file, text] of [...MISSPELLED, ...CORRECT]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const options = [
    "--no-progress",
    "--no-summary",
    "--no-cache",
    "--no-color",
    "--config",
    path.resolve("cspell.jsonc"),
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [CSPELL, "lint", ...options, "--root", folder, "--issue-template", "$filename $text", `${folder}/**`],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(1);
  for (const line of stdout.trim().split("\n")) {
    const [file = "", word = ""] = line.split(" ");
    unknown.set(file, [...(unknown.get(file) ?? []), word]);
  }
});

test.each(MISSPELLED)("a misspelled word in %s fails the check", (_name, file) => {
  expect(unknown.get(file)).toEqual(["servise"]);
});

test.each(CORRECT)("%s pass it", (_name, file) => {
  expect(unknown.get(file)).toBeUndefined();
});
