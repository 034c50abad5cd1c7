#!/usr/bin/env node
// Entry of the command line. In a clone the compiled code is made on the first run and whenever the source is newer;
// an installed package brings it along.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, "src");
const entry = path.join(root, "dist", "cli", "main.js");

function newest(folder) {
  let latest = 0;
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    latest = Math.max(latest, item.isDirectory() ? newest(file) : statSync(file).mtimeMs);
  }
  return latest;
}

function isBuilt() {
  if (!existsSync(entry)) return false;
  const stamp = path.join(root, "dist", ".tsbuildinfo");
  return !existsSync(source) || (existsSync(stamp) && statSync(stamp).mtimeMs >= newest(source));
}

if (!isBuilt()) {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin",
    "tsc",
  );
  const built = spawnSync(process.execPath, [compiler, "-p", path.join(root, "tsconfig.build.json")], {
    stdio: "inherit",
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
await import(pathToFileURL(entry).href);
