// Reporter: at the end of a run, lists the tests that passed only when repeated (TEST_RETRIES), with their first errors: each is
// a defect of the test or of the service, and test/repeated-tests.js counts them. Then it lists the suites and tests that were
// skipped. It writes the files that failed for test/again.js. With REFUSE_SKIPPED_TESTS=true, as in CI, a skipped test fails the run unless it needs recordings or models
// from ../shared, one process in a layout of many, or commits that a shallow clone, or a copy without .git, does not have.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import { ONE_PROCESS, oneProcessReason } from "./fixtures/one-process.ts";
import { addRepeated, FAILED_FILES } from "./repeated-tests.js";

type Container = TestModule | TestSuite;

const NEEDS_SHARED = /needs \.\.\/shared/;
const NEEDS_HISTORY = /needs the git history/;
/** `.ci/run` sets the variable where it could not build the server. */
const lacksMediamtx = (line: string) => process.env["LACKS_MEDIAMTX"] === "true" && line.includes("mediamtx");

/** Its suites have the names of the files whose tests they run. */
const SUITES_OF_MANY = "test/many/suites.net.test.ts";
const needsOneProcess = (line: string) =>
  line.startsWith(SUITES_OF_MANY) &&
  Object.keys(ONE_PROCESS).some((file) => line.includes(file) && oneProcessReason(file, line) !== undefined);

const MOST_ERROR_LINES = 6;
const MOST_ERROR_CHARACTERS = 300;

/** In a whole clone every released commit is there, and nothing excuses a skipped test. */
function lacksHistory(): boolean {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--is-shallow-repository"], { encoding: "utf8" });
  return status !== 0 || stdout.trim() !== "false";
}

function skippedIn(container: Container, names: readonly string[]): string[] {
  return [...container.children].flatMap((child) => {
    const own = [...names, child.name];
    if (child.type === "suite") {
      const tests = [...child.children.allTests()];
      const isSkipped = tests.length > 0 && tests.every((test) => test.result().state === "skipped");
      return isSkipped ? [own.join(" > ")] : skippedIn(child, own);
    }
    return child.result().state === "skipped" ? [own.join(" > ")] : [];
  });
}

const fileOf = (module: TestModule) => path.relative("", module.moduleId);

/** The error of the first attempt. test/repeated-tests.js prints it below the title. */
const firstError = (test: TestCase) => test.result().errors?.[0]?.message.slice(0, MOST_ERROR_CHARACTERS) ?? "";

/** "file: title" of a test. */
const nameOf = (module: TestModule, test: TestCase) => `${fileOf(module)}: ${test.fullName}`;

const repeatedIn = (module: TestModule) =>
  [...module.children.allTests("passed")].filter((test) => test.diagnostic()?.flaky);

/** The first lines of the error of the first attempt; vitest prints none for a test that passed in the end. */
function repeatedLines(module: TestModule): string[] {
  return repeatedIn(module).flatMap((test) => [
    `  ${nameOf(module, test)}`,
    ...(test.result().errors ?? []).flatMap((error) => [
      ...error.message.split("\n", MOST_ERROR_LINES).map((line) => `      ${line}`),
      ...(error.stacks ?? []).slice(0, 1).map(({ file, line }) => `      at ${path.relative("", file)}:${line}`),
    ]),
  ]);
}

function reportRepeated(modules: readonly TestModule[]): void {
  const repeated = modules.flatMap(repeatedLines);
  if (repeated.length > 0) process.stdout.write(`\nPassed only when repeated:\n${repeated.join("\n")}\n`);
  addRepeated(modules.flatMap((module) => repeatedIn(module).map((test) => [nameOf(module, test), firstError(test)])));
}

function writeFailed(modules: readonly TestModule[]): void {
  const failures = (module: TestModule) =>
    [...module.children.allTests("failed")].map((test) => [test.fullName, firstError(test)]);
  mkdirSync(path.dirname(FAILED_FILES), { recursive: true });
  writeFileSync(
    FAILED_FILES,
    JSON.stringify(Object.fromEntries(modules.map((module) => [fileOf(module), failures(module)]))),
  );
}

export default class RunSummary implements Reporter {
  onTestRunStart(): void {
    rmSync(FAILED_FILES, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    reportRepeated(modules);
    const failed = modules.filter((module) => !module.ok());
    // An error outside of the tests belongs to no file.
    if (failed.length > 0 && errors.length === 0) writeFailed(failed);
    // A filter by name (-t) skips everything else.
    if (process.argv.some((argument) => /^(-t|--testNamePattern)/.test(argument))) return;
    const skipped = modules.flatMap((module) => skippedIn(module, []).map((name) => `${fileOf(module)}: ${name}`));
    if (skipped.length === 0) return;
    process.stdout.write(`\nSkipped:\n${skipped.map((line) => `  ${line}`).join("\n")}\n`);
    if (process.env["REFUSE_SKIPPED_TESTS"] !== "true") return;
    const mayLackHistory = lacksHistory();
    const isExcused = (line: string) =>
      NEEDS_SHARED.test(line) ||
      needsOneProcess(line) ||
      lacksMediamtx(line) ||
      (mayLackHistory && NEEDS_HISTORY.test(line));
    const refused = skipped.filter((line) => !isExcused(line));
    if (refused.length === 0) return;
    process.stderr.write(`${refused.length} of them must not be skipped here; install what their names say\n`);
    process.exitCode = 1;
  }
}
