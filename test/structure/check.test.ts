// Runs the checker on small trees with one violation each, so that no rule can stop working unnoticed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const CHECK = path.join(import.meta.dirname, "../../structure/check.js");

/** Exceptions of rules.js that a tree without their files reports as stale. */
const isStale = (line: string) => line.startsWith("structure/rules.js:");

/** @param modules  path → source @returns what the checker prints about them */
async function violations(modules: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(path.join(os.tmpdir(), "parlance-structure-"));
  try {
    for (const [file, source] of Object.entries({ "console/src/main.tsx": "", ...modules })) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), source);
    }
    return await new Promise((resolve) => {
      execFile(process.execPath, [CHECK, root], (_error, _output, errorOutput) => {
        resolve(errorOutput.split("\n").filter((line) => line !== "" && !isStale(line)));
      });
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

const ALLOWED = {
  "src/speech/onnx/runtime.ts": 'import "onnxruntime-node";\n',
  "src/platform/config/load.ts": "export const all = process.env;\n",
  "src/contract/job.ts": 'import { Type } from "typebox";\n',
  "src/api/forms.ts": 'import type { TSchema } from "typebox";\n',
  "src/api/app.ts": 'import cors from "@fastify/cors";\nimport type { All } from "../platform/config/load.ts";\n',
};

test("what the rules allow is not reported", async () => {
  expect(await violations(ALLOWED)).toEqual([]);
});

test.each([
  ["a package outside its folder", 'import ort from "onnxruntime-node";\n', /imports onnxruntime-node/],
  ["its types", 'import type { Tensor } from "onnxruntime-node";\n', /imports onnxruntime-node/],
  ["a package of a scope", 'export { cors } from "@fastify/cors";\n', /imports @fastify\/cors/],
  ["a package that is imported later", 'export const load = () => import("undici");\n', /imports undici/],
  ["a type of a package", 'export type Socket = import("ws").WebSocket;\n', /imports ws/],
  [
    "a time of this machine as one of the database",
    'import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";\nexport const now = new Date() as DatabaseTime;\n',
    /makes a time of the database from another one/,
  ],
  [
    "a module of live sessions",
    'import "../live/session/session.ts";\n',
    /imports src\/service\/live\/.*jobs and live sessions/,
  ],
  [
    "a topic of the errors",
    'import "../../platform/errors/jobs.ts";\n',
    /imports src\/platform\/errors\/jobs\.ts; only/,
  ],
  ["an upper layer", 'import "../../api/app.ts";\n', /imports src\/api\/app\.ts from a higher room/],
  ["the environment", "export const home = process.env.HOME;\n", /reads process\.env/],
  ["the environment by name", 'export const home = process["env"];\n', /reads process\.env/],
  ["fetch", 'await fetch("http://127.0.0.1");\n', /calls fetch/],
  ["an awaited timer", "await new Promise((resolve) => setTimeout(resolve, 5));\n", /awaits a timer/],
  ["a schema", 'import { Type } from "typebox";\n', /imports more than types from typebox/],
  [
    "a schema beside types",
    'import type { TSchema } from "typebox";\nimport { Type } from "typebox";\n',
    /imports more than types from typebox/,
  ],
  [
    "a cut list",
    "const MOST = 5;\nexport const first = (all) => all.slice(0, MOST);\n",
    /cuts a list at MOST; use firstOf/,
  ],
  ["a cut at a number", "export const first = (all) => all.slice(0, 500);\n", /cuts a list at 500; use firstOf/],
  ["a cut beginning", "const MOST = 5;\nexport const last = (all) => all.slice(-MOST);\n", /cuts a list at MOST/],
  ["a name", "export const isToldLater = true;\n", /names something isToldLater/],
  ["an error class", "export class Lost extends TypeError {}\n", /declares the error class Lost/],
  [
    "a function of 101 lines",
    `export function long() {${"\n".repeat(100)}}\n`,
    /has the function long of 101 lines, more than 100/,
  ],
  ["a method of 101 lines", `export class A {\n  long() {${"\n".repeat(100)}}\n}\n`, /function of line 2 of 101 lines/],
  ["301 lines", "\n".repeat(301), /has 301 lines, more than 300/],
])("%s is reported", async (_name, source, expected) => {
  const found = await violations({ ...ALLOWED, "src/service/jobs/some.ts": source });
  expect(found[0]).toMatch(expected);
  expect(found.every((line) => line.startsWith("src/service/jobs/some.ts"))).toBe(true);
});

test("a package that a process must not load at its start is reported with its import chain", async () => {
  const modules = {
    ...ALLOWED,
    "src/compose/compose.ts":
      'import { size } from "../speech/audio/detector.ts";\nimport("../speech/onnx/runtime.ts");\n',
    "src/speech/audio/detector.ts": 'import type { Session } from "../onnx/runtime.ts";\nexport const size = 512;\n',
  };
  expect(await violations(modules)).toEqual([]);
  const found = await violations({ ...modules, "src/speech/audio/detector.ts": 'import "../onnx/runtime.ts";\n' });
  expect(found).toEqual([
    expect.stringMatching(
      /^src\/compose\/compose\.ts → src\/speech\/audio\/detector\.ts → src\/speech\/onnx\/runtime\.ts loads onnxruntime-node at the start/,
    ),
  ]);
});

test("folders that import each other through a third are reported with the modules that do, at every level", async () => {
  const ring = (place: string) => ({
    [`${place}/net/a.ts`]: 'import "../text/b.ts";\n',
    [`${place}/text/b.ts`]: 'import type { C } from "../audio/c.ts";\n',
    [`${place}/audio/c.ts`]: 'import "../net/d.ts";\n',
    [`${place}/net/d.ts`]: "export const d = 1;\n",
  });
  for (const place of ["src/platform", "src/service/live/some", "console/src"]) {
    const found = await violations({ ...ALLOWED, ...ring(place) });
    expect(found[0]).toBe(`items of ${place} import each other:`);
    expect(found.slice(1).map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        `net → text: ${place}/net/a.ts`,
        `text → audio: ${place}/text/b.ts`,
        `audio → net: ${place}/audio/c.ts`,
      ]),
    );
  }
});

test("a file that imports a folder which imports the file is reported", async () => {
  const found = await violations({
    "src/service/jobs/run.ts": 'import "./stages/fetch.ts";\nexport const run = 1;\n',
    "src/service/jobs/stages/fetch.ts": "export const fetch = 1;\n",
    "src/service/jobs/stages/assemble.ts": 'import "../run.ts";\n',
  });
  expect(found[0]).toBe("items of src/service/jobs import each other:");
});

test("a module outside of the rooms is reported", async () => {
  expect(await violations({ "src/some.ts": "export const some = 1;\n" })).toEqual([
    expect.stringMatching(/^src\/some\.ts is in none of the rooms src\/contract\//),
  ]);
});

test("modules of one folder that import each other are reported, also when they only import types", async () => {
  const modules = (kind: string) => ({
    "src/platform/net/a.ts": 'import { b } from "./b.ts";\nexport const a = b;\n',
    "src/platform/net/b.ts": `import ${kind}{ a } from "./a.ts";\nexport const b = typeof a;\n`,
  });
  for (const kind of ["", "type "]) {
    expect(await violations(modules(kind))).toEqual([
      "modules import each other: src/platform/net/a.ts, src/platform/net/b.ts",
    ]);
  }
});
