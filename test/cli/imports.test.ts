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

async function importedBy(...args: string[]): Promise<string> {
  const outcome = await run(process.execPath, ["--import", REGISTERED, "bin/parlance.js", ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    maxBuffer: 1e7,
  }).catch((error: { stderr: string }) => error);
  return outcome.stderr;
}

const NOWHERE = ["--server", "http://127.0.0.1:9", "--key", "nobody"];

test.each([
  [["--help"]],
  [["doctor", "--help"]],
  [["transcribe", "x.mp3", "--format", "exe"]],
  [["jobs", "list", ...NOWHERE]],
  [["keys", "list", ...NOWHERE]],
])("%j", async (args) => {
  const imported = await importedBy(...args);
  expect(imported).toMatch(/imported .*\/dist\/cli\/main\.js/);
  expect(imported).not.toMatch(/\/(kysely|@sinclair\/typebox|fastify)\/|\/dist\/compose/);
});
