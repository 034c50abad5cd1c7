// The OpenAPI document with the tools that read it: a linter, and clients that three generators make of it.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../fixtures/execute.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const PROGRAMS = path.resolve("test/clients/generated");
/** The versions that docs/clients.md names. */
const TOOLS = ["@redocly/cli@2.77.0", "openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];
const PYTHON_TOOL = "openapi-python-client==0.29.1";
/** Its package on PyPI brings the program for Java along. */
const GENERATOR = "openapi-generator-cli==7.26.0";
const TRANSCRIPTS = /hello from the[^\n]*\n+hello from the/i;
const hasPython = spawnSync("python3", ["-m", "venv", "--help"]).status === 0;
const hasJava = spawnSync("java", ["-version"]).status === 0;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-generated-"));
const tool = (name: string) => path.join(folder, "node_modules", ".bin", name);
const document = path.join(folder, "openapi.json");
let service: RunningService;

beforeAll(async () => {
  service = await startService();
  await ready(service);
  const { json } = await call(service, "GET", "/openapi.json", { key: null });
  // The linter warns of addresses of the machine itself.
  writeFileSync(document, JSON.stringify({ ...json, servers: [{ url: "https://transcripts.example" }] }));
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "generated", type: "module", private: true }),
  );
  const packages = [...TOOLS, "@types/node@20"];
  await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], folder);
}, 300_000);
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ["env", `SERVICE=${service.base}`, `KEY=${TEST_KEY}`, `RECORDING=${HELLO_MP3}`];
async function run(...command: string[]): Promise<string> {
  const [program = "", ...args] = [...settings(), ...command];
  return execute(program, args, folder);
}

test("Redocly's recommended rules pass without a warning", async () => {
  writeFileSync(path.join(folder, "redocly.yaml"), "extends: [recommended]\ntelemetry: off\n");
  const lint = ["REDOCLY_TELEMETRY=off", tool("redocly"), "lint", document, "--format=json"];
  const report = await run(...lint);
  expect(JSON.parse(report.slice(report.indexOf("{"))).problems).toEqual([]);
});

test("every operation has a name of its own, and every title one schema", async () => {
  const { json } = await call(service, "GET", "/openapi.json", { key: null });
  const operations = Object.values<Record<string, { operationId: string }>>(json.paths).flatMap(Object.values);
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(["upload", "createPreRecorded", "getPreRecorded", "transcribeAudio"]));
  expect(JSON.stringify(json.paths)).not.toMatch(/"title":"/);
});

describe("clients made of it upload and transcribe", () => {
  test("by openapi-typescript", async () => {
    await run(
      tool("openapi-typescript"),
      document,
      "--default-non-nullable=false",
      "-o",
      path.join(folder, "api.d.ts"),
    );
    copyFileSync(path.join(PROGRAMS, "program.ts.txt"), path.join(folder, "program.ts"));
    const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    await run(tool("tsc"), ...options, path.join(folder, "program.ts"));
    expect(await run(process.execPath, path.join(folder, "program.js"))).toMatch(TRANSCRIPTS);
  });

  test.skipIf(!hasPython || !hasJava)("by openapi-generator (needs Java)", async () => {
    const environment = path.join(folder, "generator");
    const command = (name: string) => path.join(environment, "bin", name);
    await execute("python3", ["-m", "venv", environment], folder);
    await execute(command("python"), ["-m", "pip", "install", "--quiet", GENERATOR], folder);
    const output = ["-g", "typescript-fetch", "-o", path.join(folder, "made-typescript")];
    // Without --skip-validate-spec, an invalid document ends the command.
    const properties = ["--additional-properties", "importFileExtension=.js"];
    await execute(command("openapi-generator-cli"), ["generate", "-i", document, ...output, ...properties], folder);
    copyFileSync(path.join(PROGRAMS, "program-of-generator.ts.txt"), path.join(folder, "program-of-generator.ts"));
    const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    await run(tool("tsc"), ...options, path.join(folder, "program-of-generator.ts"));
    expect(await run(process.execPath, path.join(folder, "program-of-generator.js"))).toMatch(TRANSCRIPTS);
  });

  test.skipIf(!hasPython)("by openapi-python-client", async () => {
    const python = path.join(folder, "venv", "bin", "python");
    await execute("python3", ["-m", "venv", "venv"], folder);
    await execute(python, ["-m", "pip", "install", "--quiet", PYTHON_TOOL], folder);
    const generate = ["generate", "--path", document, "--output-path", "made", "--meta", "none"];
    // Without its formatter, which is not needed to run the client.
    const settings = ["post_hooks: []", "package_name_override: parlance_api_client", "content_type_overrides:"];
    // It does not know the media type of playlists, which players of HLS need.
    settings.push("  application/vnd.apple.mpegurl: text/plain");
    // Nor that of uploads that resume.
    settings.push("  application/offset+octet-stream: application/octet-stream", "");
    writeFileSync(path.join(folder, "generator.yaml"), settings.join("\n"));
    const command = path.join(folder, "venv", "bin", "openapi-python-client");
    const output = await execute(command, [...generate, "--config", "generator.yaml", "--fail-on-warning"], folder);
    expect(output).not.toMatch(/warning/i);
    await run("mv", "made", "parlance_api_client");
    await run("cp", path.join(PROGRAMS, "program.py"), folder);
    expect(await run(python, path.join(folder, "program.py"))).toMatch(TRANSCRIPTS);
  });
});
