// again.js: runs the test files that failed in the last run once more, one after another, with nothing beside them. A test
// that waits for a process can fail while other tests use the processor; a defect fails again. More than MOST_FILES failed
// files have another cause than a busy machine, so they are not repeated. Tests that pass now are added to the repeated ones.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { addRepeated, FAILED_FILES } from "./repeated-tests.js";

const MOST_FILES = 3;

/** test/run-summary.ts writes them at the end of a failed run. */
function failedFiles() {
  try {
    return JSON.parse(readFileSync(FAILED_FILES, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

function runAgain() {
  const failed = failedFiles();
  const files = Object.keys(failed);
  if (files.length === 0) {
    process.stderr.write("The last run failed outside of its test files, so none is run again.\n");
    return 1;
  }
  if (files.length > MOST_FILES) {
    process.stderr.write(`${files.length} test files failed; at most ${MOST_FILES} are run again.\n`);
    return 1;
  }
  process.stdout.write(`\nFailed beside other tests, now run alone:\n${files.map((file) => `  ${file}\n`).join("")}`);
  // The project "fleet" has the same files, and would start its servers for them.
  const options = ["--no-file-parallelism", "--project=!fleet"];
  const { status } = spawnSync("npx", ["vitest", "run", ...options, ...files], { stdio: "inherit" });
  // A file without failed tests failed in a hook or at an import.
  const failures = (file) => (failed[file].length > 0 ? failed[file] : [["the file", ""]]);
  if (status === 0)
    addRepeated(files.flatMap((file) => failures(file).map(([title, error]) => [`${file}: ${title}`, error])));
  return status ?? 1;
}

process.exitCode = runAgain();
