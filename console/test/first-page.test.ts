// What a browser loads before the first page of the console can be used, from the files of the build.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LANGUAGES } from "../src/language/languages.ts";

const folder = path.join(import.meta.dirname, "../../dist/console");
/** Compressed by gzip, which browsers accept on plain http, too. */
const MOST_BYTES = 60_000;

interface Chunk {
  file: string;
  imports?: string[];
}
const chunks = JSON.parse(readFileSync(path.join(folder, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

/** Files of a chunk with those that it imports. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk) throw new Error(`the build has no ${name}`);
  if (!found.has(chunk.file)) {
    found.add(chunk.file);
    for (const other of chunk.imports ?? []) filesOf(other, found);
  }
  return found;
}

/** A file that is too small for the build to compress is sent as it is. */
function bytesOf(file: string): number {
  const whole = path.join(folder, file);
  return Math.min(...[whole, `${whole}.gz`].map((one) => statSync(one, { throwIfNoEntry: false })?.size ?? Infinity));
}

test("the page loads the scripts of the manifest's entry", () => {
  const page = readFileSync(path.join(folder, "index.html"), "utf8");
  const loaded = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]*\.js)"/g)].map(([, file]) => file);
  expect(loaded.length).toBeGreaterThan(0);
  expect([...filesOf("index.html")]).toEqual(expect.arrayContaining(loaded));
});

test.each(Object.keys(LANGUAGES))("the scripts of the first page have at most 60 kB, with the texts of %s", (code) => {
  const files = new Set([...filesOf("index.html"), ...filesOf(`src/language/tables/${code}.ts`)]);
  const bytes = [...files].map(bytesOf).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("no script of the console contains the library of schemas", () => {
  const scripts = readdirSync(path.join(folder, "assets")).filter((name) => name.endsWith(".js"));
  const withSchemas = scripts.filter((name) =>
    readFileSync(path.join(folder, "assets", name), "utf8").includes("TypeBox"),
  );
  expect(scripts.length).toBeGreaterThan(10);
  expect(withSchemas).toEqual([]);
});
