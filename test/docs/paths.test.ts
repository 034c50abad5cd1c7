// Files and folders that the documents name exist. Decisions are left out: they describe the code of their day.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const PAGES = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** Sources are named from `src` on. */
const ROOTS = [".", "src"];
const SOURCE_PATH = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|js|mjs|sh))`/g;

test.each(PAGES)("%s", (page) => {
  const named = [...readFileSync(page, "utf8").matchAll(SOURCE_PATH)].map(([, name]) => name as string);
  const missing = named.filter((name) => !ROOTS.some((root) => existsSync(path.join(root, name))));
  expect(missing).toEqual([]);
});
