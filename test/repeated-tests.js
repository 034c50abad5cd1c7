// repeated-tests.js [FILE]: the tests that passed only when repeated, in all runs of the tests that share a list. .ci/run names the
// list in REPEATED_TESTS; test/run-summary.ts adds the tests that vitest repeated, and test/again.js those whose file passed when it
// ran alone. Each is a defect. Those of one file are tolerated, as one often follows from the other; with more files than MOST_FILES, the
// command exits with 1.
import { appendFileSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The files that failed in the last run: a JSON object of paths, each with the titles and errors of its failed tests. */
export const FAILED_FILES = "node_modules/.cache/failed-test-files.json";

/** A test that waits for a process can fail once while another program uses the processor. A second one is no accident. */
const MOST_FILES = 1;

const inOneLine = (text) => text.replaceAll(/\s+/g, " ").trim();

/** @param tests  "file: title" and the first error of each. Without a list, as outside of CI, nothing is written. */
export function addRepeated(tests, list = process.env["REPEATED_TESTS"]) {
  if (list && tests.length > 0)
    appendFileSync(list, tests.map((test) => `${test.map(inOneLine).join("\t")}\n`).join(""));
}

/** @returns the first error of each test, by "file: title" */
function readRepeated(list) {
  try {
    const lines = readFileSync(list, "utf8").split("\n");
    const errors = new Map();
    for (const [test, error] of lines.map((line) => line.split("\t")))
      if (test !== "" && !errors.has(test)) errors.set(test, error);
    return errors;
  } catch (error) {
    // No test was repeated.
    if (error.code === "ENOENT") return new Map();
    throw error;
  }
}

function report(list) {
  const tests = readRepeated(list);
  if (tests.size === 0) return 0;
  const lines = [...tests].map(([test, error]) => `  ${test}\n${error ? `      ${error}\n` : ""}`);
  process.stderr.write(`\nPassed only when repeated, in this run of CI:\n${lines.join("")}`);
  const files = new Set([...tests.keys()].map((test) => test.split(": ", 1)[0]));
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
