// Runs vitest, test/again.js and test/repeated-tests.js in a folder with tests that fail at first, as .ci/run does.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const program = (name: string) => path.join(REPOSITORY, "test", name);

let root: string;
let list: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "parlance-repeated-"));
  list = path.join(root, "repeated.txt");
  // The runs write to node_modules/.cache, which must not be the repository's.
  mkdirSync(path.join(root, "node_modules"));
  for (const name of ["vitest", ".bin"]) {
    symlinkSync(path.join(REPOSITORY, "node_modules", name), path.join(root, "node_modules", name));
  }
  const reporter = JSON.stringify(program("run-summary.ts"));
  const settings = `{ test: { reporters: [${reporter}], retry: Number(process.env.TEST_RETRIES ?? 0) } }`;
  writeFileSync(path.join(root, "vitest.config.js"), `export default ${settings};\n`);
});

afterEach(() => rmSync(root, { recursive: true }));

/** Each title's test fails until it has run `failures` times. */
function writeTests(file: string, titles: string[], failures: number): void {
  const tests = titles.map((title) => {
    const runs = JSON.stringify(path.join(root, `${file}-${title}.runs`));
    return `test("${title}", () => {
      appendFileSync(${runs}, ".");
      expect(readFileSync(${runs}, "utf8").length).toBeGreaterThan(${failures});
    });`;
  });
  const imports = 'import { appendFileSync, readFileSync } from "node:fs";\nimport { expect, test } from "vitest";\n';
  writeFileSync(path.join(root, `${file}.test.js`), `${imports}${tests.join("\n")}\n`);
}

function run(command: string, given: string[], retries = 0) {
  const { VITEST: _inTest, VITEST_WORKER_ID: _worker, VITEST_POOL_ID: _pool, ...environment } = process.env;
  const { status, stderr } = spawnSync(command, given, {
    cwd: root,
    encoding: "utf8",
    env: { ...environment, TEST_RETRIES: String(retries), REPEATED_TESTS: list },
  });
  return { status, stderr };
}

const runTests = (retries: number) => run("npx", ["vitest", "run"], retries).status;
const runAgain = () => run(process.execPath, [program("again.js")]).status;
/** The titles in the list, without the errors. */
const listed = () =>
  readFileSync(list, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0]);
const report = () => run(process.execPath, [program("repeated-tests.js")]);

test("one test that passed only when repeated is listed and accepted; the second one, of a later run, is refused", () => {
  writeTests("first", ["steady"], 0);
  expect(runTests(1)).toBe(0);
  expect(existsSync(list)).toBe(false);
  expect(report()).toEqual({ status: 0, stderr: "" });

  writeTests("second", ["shaky"], 1);
  expect(runTests(1)).toBe(0);
  expect(report()).toMatchObject({
    status: 0,
    stderr: expect.stringContaining("  second.test.js: shaky\n      expected 1 to be greater than 1\n"),
  });

  writeTests("third", ["rocky"], 1);
  expect(runTests(1)).toBe(0);
  const { status, stderr } = report();
  expect(status).toBe(1);
  expect(stderr).toMatch(/^ {2}second\.test\.js: shaky$/m);
  expect(stderr).toMatch(/^ {2}third\.test\.js: rocky\n {6}expected 1 to be greater than 1$/m);
  expect(stderr).toContain("They are in 2 files; at most 1 is accepted");
});

test("tests that pass when their file runs alone are listed, each once; those of one file are accepted", () => {
  writeTests("alone", ["shaky", "rocky", "steady"], 1);
  expect(runTests(0)).toBe(1);
  expect(runAgain()).toBe(0);
  expect(listed()).toEqual(["alone.test.js: shaky", "alone.test.js: rocky", "alone.test.js: steady"]);
  expect(report().stderr).toContain("  alone.test.js: steady\n      expected 1 to be greater than 1\n");
  expect(report().status).toBe(0);
});

test("a test that still fails is not listed as passed", () => {
  writeTests("broken", ["defect"], 9);
  expect(runTests(1)).toBe(1);
  expect(runAgain()).toBe(1);
  expect(existsSync(list)).toBe(false);
});

test("a file that fails outside of its tests and then passes counts once", () => {
  const runs = JSON.stringify(path.join(root, "hook.runs"));
  writeFileSync(
    path.join(root, "hook.test.js"),
    `import { appendFileSync, readFileSync } from "node:fs";
    import { test } from "vitest";
    appendFileSync(${runs}, ".");
    if (readFileSync(${runs}, "utf8").length === 1) throw new Error("not at first");
    test("passes", () => {});\n`,
  );
  expect(runTests(1)).toBe(1);
  expect(runAgain()).toBe(0);
  expect(listed()).toEqual(["hook.test.js: the file"]);
  expect(report().status).toBe(0);
});

test("a test that vitest repeats and whose file then runs alone counts once", () => {
  writeTests("shaky", ["late"], 2);
  expect(runTests(1)).toBe(1);
  expect(runAgain()).toBe(0);
  expect(runTests(1)).toBe(0);
  writeTests("shaky", ["late"], 5);
  expect(runTests(1)).toBe(0);
  expect(listed()).toEqual(["shaky.test.js: late", "shaky.test.js: late"]);
  expect(report().stderr).toContain("  shaky.test.js: late\n      expected 1 to be greater than 2\n");
  expect(report().status).toBe(0);
});
