// Runs benchmarks, each in a process of its own: npm run bench -- NAME ARGUMENTS… The name `all` runs those that need nothing besides
// ../shared. Without a name, this prints the list. Most benchmarks write their results to bench/results.
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { BENCHMARKS } from "./benchmarks.ts";

const here = path.dirname(fileURLToPath(import.meta.url));

/** @returns whether it succeeded */
function run(name: string, given: readonly string[]): boolean {
  // The compiled copy of the service reads its version two folders above its modules.
  copyFileSync(path.join(here, "../../package.json"), path.join(here, "../package.json"));
  const { status } = spawnSync(process.execPath, [path.join(here, `${name}.js`), ...given], { stdio: "inherit" });
  return status === 0;
}

function printList(): void {
  for (const [name, { measures, needs }] of Object.entries(BENCHMARKS)) {
    process.stdout.write(`${name.padEnd(20)} ${measures}${needs === undefined ? "" : ` (needs ${needs})`}\n`);
  }
}

const [wanted, ...given] = process.argv.slice(2);
if (wanted === undefined) {
  process.stdout.write(
    "npm run bench -- NAME runs a benchmark; npm run bench -- all runs every one that needs nothing else.\n\n",
  );
  printList();
} else if (wanted === "all") {
  const failed = Object.keys(BENCHMARKS).filter((name) => {
    if (BENCHMARKS[name]?.needs !== undefined) return false;
    process.stdout.write(`\n${name}\n`);
    return !run(name, []);
  });
  if (failed.length > 0) {
    process.stderr.write(`These benchmarks failed: ${failed.join(", ")}\n`);
    process.exitCode = 1;
  }
} else if (BENCHMARKS[wanted] === undefined) {
  process.stderr.write(`There is no benchmark ${wanted}. These exist:\n\n`);
  printList();
  process.exitCode = 2;
} else if (!run(wanted, given)) {
  process.exitCode = 1;
}
