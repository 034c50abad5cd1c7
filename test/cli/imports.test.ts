// Commands that only print or that use a service must not import the service or its database: importing these takes longer than the whole
// command. The files of dist/compact name the modules that are in them.
import { readFileSync } from "node:fs";
import path from "node:path";
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
const PACKAGES = /\/(kysely|pg|@electric-sql|typebox|fastify|onnxruntime-node|node-av)\//;

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

const COMPACT = fileURLToPath(new URL("../../dist/compact/", import.meta.url));
const IMPORT = /^(?:import|export)\b[^"]*"(\.[^"]+)"/gm;

/** The modules in a file of dist/compact and in the files that it imports when it starts. */
function modulesBehind(entry: string, read = new Set<string>()): Set<string> {
  if (read.has(entry)) return read;
  read.add(entry);
  const source = readFileSync(entry, "utf8");
  for (const [, module = ""] of source.matchAll(MODULE)) read.add(module);
  for (const [, file = ""] of source.matchAll(IMPORT)) modulesBehind(path.join(path.dirname(entry), file), read);
  return read;
}
const ofTypeBox = (modules: Set<string>) => [...modules].filter((name) => name.startsWith("node_modules/typebox/"));

test("child processes import no schemas, and the service imports a part of TypeBox", () => {
  const files = JSON.parse(readFileSync(path.join(COMPACT, "files.json"), "utf8")) as string[];
  const children = files.filter((name) => name.endsWith("/child.js"));
  expect(children.length).toBeGreaterThan(5);
  for (const child of children) expect(ofTypeBox(modulesBehind(path.join(COMPACT, child))), child).toEqual([]);
  const chunks = files.filter((name) => name.endsWith(".js")).map((name) => modulesBehind(path.join(COMPACT, name)));
  const used = Math.max(...chunks.map((modules) => ofTypeBox(modules).length));
  // All of TypeBox is about 270 modules, which cost a start 0.1 s and 16 MB: `import { Type }` loads them, and so do Pick and Partial.
  expect(used).toBeGreaterThan(5);
  expect(used).toBeLessThan(80);
});
