// The entry of the command line in a clone whose source is newer than its compiled code.
import { execFile, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

let clone: string;
const put = (name: string, content: string) => {
  const file = path.join(clone, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
};
/** Sets the time of change of a file. @param seconds  from now */
const age = (name: string, seconds: number) => {
  const time = Date.now() / 1000 + seconds;
  utimesSync(path.join(clone, name), time, time);
};
const command = () => [path.join(clone, "bin/parlance.js"), "--version"];
const start = () => spawnSync(process.execPath, command(), { encoding: "utf8" });

beforeEach(() => {
  clone = realpathSync(mkdtempSync(path.join(os.tmpdir(), "parlance-clone-")));
  for (const folder of ["bin", "deploy"]) mkdirSync(path.join(clone, folder));
  for (const file of ["bin/parlance.js", "deploy/compact.js"]) copyFileSync(file, path.join(clone, file));
  symlinkSync(realpathSync("node_modules"), path.join(clone, "node_modules"));
  put("package.json", '{ "type": "module" }');
  put(
    "tsconfig.build.json",
    JSON.stringify({
      compilerOptions: {
        incremental: true,
        tsBuildInfoFile: "dist/.tsbuildinfo",
        rootDir: "src",
        outDir: "dist",
        types: [],
        module: "nodenext",
        target: "es2022",
      },
      include: ["src"],
      exclude: ["src/**/*.test.ts"],
    }),
  );
  put("src/cli/main.ts", 'console.log("started");\n');
  put("src/platform/storage/db/embedded/make-database.ts", "export {};\n");
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

test("it is compiled once per change of the source, not for changes of tests", () => {
  expect(start()).toMatchObject({ stdout: "started\n", stderr: expect.stringMatching(/building the compiled code/) });
  expect(start()).toMatchObject({ stdout: "started\n", stderr: "" });
  put("src/cli/main.test.ts", "not TypeScript");
  age("src/cli/main.test.ts", 60);
  expect(start()).toMatchObject({ stdout: "started\n", stderr: "" });
  // The source is newer, but has the same content: tsc writes no output.
  age("dist/.tsbuildinfo", -60);
  expect(start().stderr).toMatch(/building/);
  expect(start()).toMatchObject({ stdout: "started\n", stderr: "" });
});

test("several first starts at once build one after another, the first of them alone", async () => {
  const ended = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, command())));
  expect(ended.map(({ stdout }) => stdout)).toEqual(Array(4).fill("started\n"));
  expect(ended.filter(({ stderr }) => stderr.includes("from the source"))).toHaveLength(1);
});

test("a source file from the future and links without a target do not compile each time, and other changes do", () => {
  age("src/cli/main.ts", 3_600);
  symlinkSync("/nowhere", path.join(clone, "src/without-target.ts"));
  symlinkSync("loop.ts", path.join(clone, "src/loop.ts"));
  expect(start()).toMatchObject({ stdout: "started\n", stderr: expect.stringMatching(/building/) });
  expect(start()).toMatchObject({ stdout: "started\n", stderr: "" });
  put("src/cli/other.ts", "export {};\n");
  expect(start().stderr).toMatch(/building/);
  expect(start().stderr).toBe("");
});

test("a build that was interrupted after the compiler is repeated", () => {
  const kill = 'declare const process: any;\nprocess.kill(process.ppid, "SIGKILL");\nexport {};\n';
  put("src/platform/storage/db/embedded/make-database.ts", kill);
  expect(start().signal).toBe("SIGKILL");
  put("src/platform/storage/db/embedded/make-database.ts", "export {};\n");
  age("src/platform/storage/db/embedded/make-database.ts", -3_600);
  expect(start()).toMatchObject({ stdout: "started\n", stderr: expect.stringMatching(/building/) });
});

test("code that the compiler alone has written is joined before it runs", () => {
  start();
  put("src/cli/main.ts", 'console.log("started again");\n');
  spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { cwd: clone });
  age("dist/.tsbuildinfo", 1);
  const { stdout, stderr } = start();
  expect(stdout).toBe("started again\n");
  expect(stderr).toMatch(/joining the compiled code/);
  expect(stderr).not.toMatch(/compiling/);
});

test("code is joined again once after other packages are installed, or the way of joining changes", () => {
  start();
  age("deploy/compact.js", 0);
  expect(start()).toMatchObject({ stdout: "started\n", stderr: expect.stringMatching(/joining the compiled code/) });
  expect(start()).toMatchObject({ stdout: "started\n", stderr: "" });
});

test("errors of the compiler are shown, and the next start compiles again", () => {
  put("src/cli/main.ts", 'const number: number = "text";\nconsole.log(number);\n');
  for (let time = 0; time < 2; time++) {
    const { status, stderr } = start();
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/main\.ts.*error TS2322/);
  }
});

test("where the folder of the compiled code cannot be written, the message says what to do", () => {
  start();
  age("dist/.tsbuildinfo", -60);
  put("dist/tmp", "not a folder");
  const { status, stderr } = start();
  expect(status).toBe(1);
  expect(stderr).toMatch(/missing or older than the source, and \S*dist cannot be written \(\w+\)\. Run npm start/);
  expect(stderr).not.toMatch(/\n\s+at /);
});
