// Compiled modules whose source was renamed or removed: the compiler leaves them in dist, and a package must not contain them.
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Made by other tools than the compiler. */
const OTHERS = /^(console|tmp|new-database-[^/]*)\//;

/** @returns the removed files, relative to dist */
export function removeStaleCode() {
  const stale = readdirSync("dist", { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => /\.js(\.map)?$/.test(name) && !OTHERS.test(name))
    .filter((name) => !existsSync(path.join("src", name.replace(/\.js(\.map)?$/, ".ts"))));
  for (const name of stale) rmSync(path.join("dist", name));
  return stale;
}
