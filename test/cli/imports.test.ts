// Commands that only print, and commands that use a service, import neither the service nor its database: they answer in a fraction of the
// time that importing those takes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Prints the address of each module that the process imports, on standard error. */
const HOOK = `
  import { writeSync } from "node:fs";
  export function load(url, context, next) {
    writeSync(2, "imported " + url + "\\n");
    return next(url, context);
  }`;
const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const REGISTERED = asModule(`import { register } from "node:module"; register(${JSON.stringify(asModule(HOOK))});`);
const SERVICE = /\/dist\/(compose|main|recognition-startup|storage\/db\/database)\b/;
const PACKAGES = /\/(kysely|pg|@electric-sql|@sinclair\/typebox|fastify|onnxruntime-node|node-av)\//;

async function outcomeOf(...args: string[]) {
  const ran = run(process.execPath, ["--import", REGISTERED, "bin/parlance.js", ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    maxBuffer: 1e7,
  });
  ran.child.stdin?.end();
  const { code, stdout, stderr } = await ran.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const lines = stderr.split("\n");
  const isImport = (line: string) => line.startsWith("imported ");
  const printed = stdout + lines.filter((line) => !isImport(line)).join("\n");
  return { code, printed, imported: lines.filter(isImport).join("\n") };
}

const NOWHERE = ["--server", "http://127.0.0.1:9", "--key", "nobody"];
const UNREACHABLE = /127\.0\.0\.1:9/;

test.each([
  { args: ["--help"], code: 0, says: /^Usage: parlance/ },
  { args: ["doctor", "--help"], code: 0, says: /^Usage: parlance doctor/ },
  { args: ["transcribe", "x.mp3", "--format", "exe"], code: 2, says: /--format must be one of/ },
  { args: ["transcribe", "package.json", ...NOWHERE], code: 1, says: UNREACHABLE },
  { args: ["live", ...NOWHERE], code: 1, says: UNREACHABLE },
  { args: ["jobs", "list", ...NOWHERE], code: 1, says: UNREACHABLE },
  { args: ["keys", "list", ...NOWHERE], code: 1, says: UNREACHABLE },
  { args: ["doctor", ...NOWHERE], code: 1, says: UNREACHABLE },
])("$args imports neither the service nor the database", async ({ args, code, says }) => {
  const outcome = await outcomeOf(...args);
  expect(outcome.printed).toMatch(says);
  expect(outcome.code).toBe(code);
  expect(outcome.imported).toMatch(/\/dist\/cli\/main\.js/);
  expect(outcome.imported).not.toMatch(SERVICE);
  expect(outcome.imported).not.toMatch(PACKAGES);
});
