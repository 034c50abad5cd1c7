// Commands that only print or that use a service must not import the service or its database: importing these takes longer than the whole
// command. The files of dist/compact name the modules that are in them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "../fixtures/command.ts";

/** Prints the address of each module that the process imports, on standard error. */
const HOOK = `
  import { writeSync } from "node:fs";
  export function load(url, context, next) {
    writeSync(2, "imported " + url + "\\n");
    return next(url, context);
  }`;
const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const REGISTERED = asModule(`import { register } from "node:module"; register(${JSON.stringify(asModule(HOOK))});`);
const SERVICE = /\/dist\/(compose\/|platform\/storage\/db\/database\b)/;
const PACKAGES = /\/(kysely|pg|@electric-sql|@sinclair\/typebox|fastify|onnxruntime-node|node-av)\//;

const MODULE = /^\/\/ ((?:dist|node_modules)\/\S+)$/gm;

/** Addresses of the modules in an imported file of dist/compact; that of any other module. */
function modulesIn(address: string): string[] {
  if (!address.includes("/dist/compact/")) return [address];
  return [...readFileSync(fileURLToPath(address), "utf8").matchAll(MODULE)].map(([, module]) => `/${module}`);
}

async function outcomeOf(args: string[]) {
  const { code, stdout, stderr } = await runCommand(args, { environment: { NODE_OPTIONS: `--import=${REGISTERED}` } });
  const lines = stderr.split("\n");
  const isImport = (line: string) => line.startsWith("imported ");
  const printed = stdout + lines.filter((line) => !isImport(line)).join("\n");
  const imported = lines.filter(isImport).flatMap((line) => modulesIn(line.replace("imported ", "")));
  return { code, printed, imported: imported.join("\n") };
}

/** No process listens on this port. */
const UNREACHABLE_SERVICE = ["--server", "http://127.0.0.1:9", "--key", "any key"];
const UNREACHABLE = /127\.0\.0\.1:9/;

test.each([
  { args: ["--help"], code: 0, says: /^Usage: parlance/ },
  { args: ["doctor", "--help"], code: 0, says: /^Usage: parlance doctor/ },
  { args: ["transcribe", "x.mp3", "--format", "exe"], code: 2, says: /--format must be one of/ },
  { args: ["transcribe", "package.json", ...UNREACHABLE_SERVICE], code: 1, says: UNREACHABLE },
  { args: ["live", ...UNREACHABLE_SERVICE], code: 1, says: UNREACHABLE },
  { args: ["jobs", "list", ...UNREACHABLE_SERVICE], code: 1, says: UNREACHABLE },
  { args: ["keys", "list", ...UNREACHABLE_SERVICE], code: 1, says: UNREACHABLE },
  { args: ["doctor", ...UNREACHABLE_SERVICE], code: 1, says: UNREACHABLE },
])("$args imports neither the service nor the database", async ({ args, code, says }) => {
  const outcome = await outcomeOf(args);
  expect(outcome.printed).toMatch(says);
  expect(outcome.code).toBe(code);
  expect(outcome.imported).toMatch(/\/dist\/cli\/main\.js/);
  expect(outcome.imported).not.toMatch(SERVICE);
  expect(outcome.imported).not.toMatch(PACKAGES);
});
