// Commands of benchmarks in documents and comments: each names a benchmark that exists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { BENCHMARKS } from "../../bench/benchmarks.ts";
import { ROOT } from "./documented-commands.ts";

const NAMED = /npm run bench --\s+([a-z][a-z-]*)/g;

/** Every text that names commands. */
const texts = ["README.md", "CHANGELOG.md", "docs", "src", "bench"].flatMap((place) => {
  const full = path.join(ROOT, place);
  if (path.extname(full) !== "") return [full];
  return readdirSync(full, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(md|ts)$/.test(file))
    .map((file) => path.join(full, file));
});

test("every benchmark is a module", () => {
  expect(Object.keys(BENCHMARKS).filter((name) => !existsSync(path.join(ROOT, "bench", `${name}.ts`)))).toEqual([]);
});

test("every command names a benchmark", () => {
  const named = texts.flatMap((file) => [...readFileSync(file, "utf8").matchAll(NAMED)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => name !== "all" && BENCHMARKS[name] === undefined)).toEqual([]);
});
