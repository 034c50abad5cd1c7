// repeated-tests.js [FILE]: the tests that passed only when repeated, in all runs of the tests that share a list. .ci/run names the
// list in REPEATED_TESTS; test/run-summary.ts adds the tests that vitest repeated, and test/again.js those whose file passed when it
// ran alone. Each is a defect. Those of one file are tolerated, as one often follows from the other; with more files than MOST_FILES, the
// command exits with 1.
import { appendFileSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The files that failed in the last run: a JSON object of paths, each with the titles of its failed tests. Runs beside each other name their own. */
export const FAILED_FILES = process.env["FAILED_TEST_FILES"] ?? "node_modules/.cache/failed-test-files.json";

/** A test that waits for a process can fail once while another program uses the processor. A second one is no accident. */
const MOST_FILES = 1;

/** @param tests  each a line, "file: title". Without a list, as outside of CI, nothing is written. */
export function addRepeated(tests, list = process.env["REPEATED_TESTS"]) {
  if (list && tests.length > 0)
    appendFileSync(list, tests.map((test) => `${test.replaceAll(/\s*\n\s*/g, " ")}\n`).join(""));
}

function readRepeated(list) {
  try {
    return [...new Set(readFileSync(list, "utf8").split("\n"))].filter((test) => test !== "");
  } catch (error) {
    // No test was repeated.
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function report(list) {
  const tests = readRepeated(list);
  if (tests.length === 0) return 0;
  process.stderr.write(
    `\nPassed only when repeated, in this run of CI:\n${tests.map((test) => `  ${test}\n`).join("")}`,
  );
  const files = new Set(tests.map((test) => test.split(": ", 1)[0]));
  if (files.size <= MOST_FILES) return 0;
  process.stderr.write(
    `They are in ${files.size} files; at most ${MOST_FILES} is accepted. Find out why each of them failed at first, and fix the test or the service.\n`,
  );
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const list = process.argv[2] ?? process.env["REPEATED_TESTS"];
  if (!list) throw new Error("name the list: node test/repeated-tests.js FILE, or set REPEATED_TESTS");
  process.exitCode = report(list);
}
