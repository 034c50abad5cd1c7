// Compiled modules whose source was renamed or removed: the compiler leaves them in dist, and a package must not contain them. The same
// for files of former builds in dist/compact.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

/** Made by other tools than the compiler. */
const OTHERS = /^(console|tmp|new-database-[^/]*)\//;
const COMPACT = "compact/";

/** @returns the removed files, relative to dist */
export function removeStaleCode() {
  const list = path.join("dist", COMPACT, "files.json");
  const compact = new Set(existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []);
  const isCurrent = (name) =>
    name.startsWith(COMPACT)
      ? compact.has(name.slice(COMPACT.length))
      : existsSync(path.join("src", name.replace(/\.js(\.map)?$/, ".ts")));
  const stale = readdirSync("dist", { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => /\.js(\.map)?$/.test(name) && !OTHERS.test(name) && !isCurrent(name));
  for (const name of stale) rmSync(path.join("dist", name));
  return stale;
}
