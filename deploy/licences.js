// Licences of everything that is shipped: each must be one that an MIT project may bring along. Ends with 1 where one is not,
// or is not stated. `node deploy/licences.js --list` prints them.
import { readFileSync } from "node:fs";
import path from "node:path";

const ALLOWED = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "Unlicense",
  "Python-2.0",
  // File by file: what uses it is not touched. FFmpeg is loaded as a library and not linked into our code.
  "MPL-2.0",
  "LGPL-2.1-or-later",
  "LGPL-3.0-or-later",
  "PostgreSQL",
]);
/** Packages that state their licence only in prose; checked by hand. */
const LOOKED_AT = { "@shinyoshiaki/jspack": "BSD-3-Clause" };

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const problems = [];
const found = new Map();

/** An expression is fine when one of its alternatives is, with all that it joins. */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, "")
    .split(/ OR /i)
    .some((alternative) => alternative.split(/ AND /i).every((name) => ALLOWED.has(name.trim())));

for (const [place, entry] of Object.entries(lock.packages)) {
  // Other platforms' optional binaries have the licence of the one that is here.
  if (place === "" || entry.dev || (entry.optional && entry.os)) continue;
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  let licence = LOOKED_AT[name] ?? entry.license;
  if (licence === undefined) {
    try {
      const own = JSON.parse(readFileSync(path.join(place, "package.json"), "utf8"));
      licence = own.license?.type ?? own.license ?? own.licenses?.[0]?.type;
    } catch {
      // Not installed here.
    }
  }
  if (typeof licence !== "string") problems.push(`${name}: states no licence`);
  else if (!isAllowed(licence)) problems.push(`${name}: ${licence}`);
  else found.set(licence, [...(found.get(licence) ?? []), name]);
}
if (process.argv.includes("--list")) {
  for (const [licence, names] of [...found].sort()) process.stdout.write(`${licence}: ${names.sort().join(", ")}\n`);
}
if (problems.length > 0) {
  process.stderr.write(`licences that were not looked at:\n${problems.map((line) => `  ${line}\n`).join("")}`);
  process.exit(1);
}
const count = [...found.values()].reduce((sum, names) => sum + names.length, 0);
process.stdout.write(`${count} packages, every licence is one that may be shipped\n`);
