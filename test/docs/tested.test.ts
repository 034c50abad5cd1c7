// The table of what was tested: its files exist, and npm run test:deploy runs each of them.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("docs/operating.md", "utf8");
const section = /## What was tested\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
const named = [...section.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, file]) => file as string);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const filters = (scripts["test:deploy"] ?? "").split(" ").filter((word) => word.includes("/"));

test("npm run test:deploy runs every test in the table", () => {
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
  expect(named.filter((file) => !filters.some((filter) => file.includes(filter)))).toEqual([]);
});
