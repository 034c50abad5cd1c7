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
const consoleSource = path.join(root, "console");
const consolePage = path.join(root, "dist", "console", "index.html");

function newest(folder) {
  let latest = 0;
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    latest = Math.max(latest, item.isDirectory() ? newest(file) : statSync(file).mtimeMs);
  }
  return latest;
}

function run(tool, ...args) {
  const built = spawnSync(process.execPath, [tool, ...args], { stdio: ["ignore", "ignore", "inherit"], cwd: root });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

const toolOf = (name, file) =>
  path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);

/** @param stamp  a file that is made last */
function isOlder(stamp, ...folders) {
  return !existsSync(stamp) || folders.some((folder) => existsSync(folder) && statSync(stamp).mtimeMs < newest(folder));
}

// An installed package has no source.
if (existsSync(source)) {
  if (!existsSync(entry) || isOlder(path.join(root, "dist", ".tsbuildinfo"), source)) {
    run(toolOf("typescript", "bin/tsc"), "-p", path.join(root, "tsconfig.build.json"));
    run(path.join(root, "dist", "storage", "db", "make-database.js"));
  }
  if (process.argv[2] === "serve" && isOlder(consolePage, consoleSource)) {
    run(toolOf("vite", "bin/vite.js"), "build", "-c", path.join(consoleSource, "vite.config.ts"), "--logLevel", "warn");
  }
}
await import(pathToFileURL(entry).href);
