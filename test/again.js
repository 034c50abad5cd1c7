// again.js: runs the test files that failed in the last run once more, one after another, with nothing beside them. A test
// that waits for a process can fail while other tests use the processor; a defect fails again. More than MOST_FILES failed
// files have another cause than a busy machine, so they are not repeated.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** test/run-summary.ts writes it at the end of a failed run: a JSON array of paths. */
const FAILED_FILES = "node_modules/.cache/failed-test-files.json";
const MOST_FILES = 3;

function failedFiles() {
  try {
    return JSON.parse(readFileSync(FAILED_FILES, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function runAgain() {
  const files = failedFiles();
  if (files.length === 0) {
    process.stderr.write("The last run failed outside of its test files, so none is run again.\n");
    return 1;
  }
  if (files.length > MOST_FILES) {
    process.stderr.write(`${files.length} test files failed; at most ${MOST_FILES} are run again.\n`);
    return 1;
  }
  process.stdout.write(`\nFailed beside other tests, now run alone:\n${files.map((file) => `  ${file}\n`).join("")}`);
  const { status } = spawnSync("npx", ["vitest", "run", "--no-file-parallelism", ...files], { stdio: "inherit" });
  return status ?? 1;
}

process.exitCode = runAgain();
