// Runs the checker of wording on small trees with one violation each, so that no rule can stop working unnoticed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";

const CHECK = path.join(import.meta.dirname, "../../structure/style.js");
const TREE = {
  "README.md": "# Name\n\nThe service stores audio.\n",
  "SECURITY.md": "# Security\n",
  "CHANGELOG.md": "# Changelog\n",
  "docs/page.md": "# Page\n",
  "src/some.ts": "// The index of sessions.\nexport const one = 1;\n",
  "console/src/main.tsx": 'export const text = "Sign in";\n',
};

/** @param files  path → text, added to a tree without violations @returns what the checker prints */
async function violations(files: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(path.join(os.tmpdir(), "parlance-style-"));
  try {
    for (const [file, text] of Object.entries({ ...TREE, ...files })) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
    return await new Promise((resolve) => {
      execFile(process.execPath, [CHECK, root], (_error, _output, errorOutput) => {
        resolve(errorOutput.split("\n").filter((line) => line !== ""));
      });
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

const words = (count: number) =>
  `The ${Array(count - 1)
    .fill("word")
    .join(" ")}.`;

test("plain sentences are not reported", async () => {
  expect(await violations({})).toEqual([]);
});

describe("in documentation", () => {
  test.each([
    ["a program described as a person", "The client is told of it.", /docs\/page\.md:3 "told": write instead/],
    ["a sentence across lines", "The job goes\non after a restart.", /:3 "goes on": write instead/],
    ["a table cell", "| a | it comes back |", /"comes back"/],
    ["more than 30 words", words(31), /31 words, more than 30/],
    ["a sentence without its subject", "Of the six disk images of the test, two were lost.", /begin with the subject/],
    ["a sentence that begins with What", "What the service has stored is on the disk.", /no sentence begins with What/],
  ])("%s is reported", async (_name, text, expected) => {
    const found = await violations({ "docs/page.md": `# Page\n\n${text}\n` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  test.each([
    ["code", "```sh\nfoo tells\n```\n\nRun `knows`."],
    ["30 words", words(30)],
    ["two sentences of 20 words", `${words(20)} ${words(20)}`],
    ["a long enumeration", `Formats: ${Array(40).fill("one").join(", ")}.`],
  ])("%s is not", async (_name, text) => {
    expect(await violations({ "docs/page.md": `# Page\n\n${text}\n` })).toEqual([]);
  });
});

describe("in the source", () => {
  test.each([
    ["a comment", "// The client\n// is told of it.\nexport const one = 1;\n", /src\/some\.ts:1 "told"/],
    ["a docstring", "/**\n * Whether a model\n * knows it.\n */\nexport const one = 1;\n", /"knows"/],
    ["a message", 'export const one = "the session goes on";\n', /"goes on"/],
    ["a message with values", "export const one = (id: string) => `job ${" + "id} goes on`;\n", /"goes on"/],
  ])("%s is reported", async (_name, source, expected) => {
    const found = await violations({ "src/some.ts": source });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  test("a text of the console is reported", async () => {
    expect(await violations({ "console/src/main.tsx": "export const a = <p>The service wants a key</p>;\n" })).toEqual([
      expect.stringMatching(/console\/src\/main\.tsx:1 "wants"/),
    ]);
  });

  test("a test's title is reported, its other strings are not", async () => {
    const source = 'test.each([1])("a client is told", () => expect("it knows").toBe(1));\n';
    expect(await violations({ "test/some.test.ts": source })).toEqual([
      expect.stringMatching(/test\/some\.test\.ts:1 "told"/),
    ]);
  });

  test("names and single words are not", async () => {
    expect(await violations({ "src/some.ts": 'export const knows = "told";\n' })).toEqual([]);
  });
});
