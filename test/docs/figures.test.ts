// The tables of docs/figures.md are those that bench/figures.ts makes from bench/results. UPDATE_DOCS=true writes them.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { figureTables } from "../../bench/figures.ts";
import type { SavedResults } from "../../bench/table.ts";
import { ROOT } from "./documented-commands.ts";

const PAGE = path.join(ROOT, "docs/figures.md");
const TABLES = /<!-- figures -->\n\n([\s\S]*)\n\n<!-- \/figures -->/;

const saved = (name: string): SavedResults =>
  JSON.parse(readFileSync(path.join(ROOT, `bench/results/${name}.json`), "utf8"));

test("the tables of figures agree with the results", () => {
  const tables = figureTables(saved);
  const page = readFileSync(PAGE, "utf8");
  if (process.env["UPDATE_DOCS"] === "true") {
    writeFileSync(
      PAGE,
      page.replace(TABLES, () => `<!-- figures -->\n\n${tables}\n\n<!-- /figures -->`),
    );
    return;
  }
  expect(TABLES.exec(page)?.[1]).toBe(tables);
});

test("a figure that no result has is an error, and another result changes its table", () => {
  const changed = (name: string, change: (all: SavedResults) => void) =>
    figureTables((asked) => {
      const all = saved(asked);
      if (asked === name) change(all);
      return all;
    });
  expect(() => changed("start", ({ results }) => results.shift())).toThrow('no result "this, first"');
  const tables = changed("start", (all) => {
    all.machine.features = ["AVX2"];
    all.commit = "0123abcd+";
    Object.assign(all.results[0]?.values ?? {}, { "ready s": 99.5 });
  });
  expect(tables).toMatch(/^\| first \| [\d.]+ \| 99\.5 \|/m);
  expect(tables).toContain("2 cores, AVX2, Node 20.20.2; 2026-11-28, commit `0123abcd+`.");
});
