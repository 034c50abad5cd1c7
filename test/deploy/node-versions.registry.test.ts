// The service on every Node version that package.json allows. The npm registry has the binaries of other versions as packages.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../fixtures/execute.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, ready, startService, submit } from "../service.ts";

const VERSIONS = ["20", "22", "24"];
const RUNNING = process.versions.node.split(".")[0] as string;
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-nodes-"));
const platform = process.platform === "win32" ? "win" : process.platform;
const binary = (version: string) =>
  version === RUNNING
    ? process.execPath
    : path.join(folder, "node_modules", `node-${version}`, "bin", process.platform === "win32" ? "node.exe" : "node");
let npm: string;

beforeAll(async () => {
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "nodes", private: true }));
  const others = VERSIONS.filter((version) => version !== RUNNING);
  const packages = others.map((version) => `node-${version}@npm:node-${platform}-${process.arch}@${version}`);
  await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], folder);
  npm = path.join((await execute("npm", ["root", "--global"], folder)).trim(), "npm", "bin", "npm-cli.js");
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(VERSIONS)("on Node %s", (version) => {
  test("npm ci warns of no package that needs another version", async () => {
    expect(await execute(binary(version), ["--version"], folder)).toMatch(new RegExp(`^v${version}\\.`));
    const plan = ["ci", "--dry-run", "--engine-strict", "--loglevel", "warn"];
    // With engine-strict, npm fails where it would warn.
    await execute(binary(version), [npm, ...plan], path.resolve("."));
  });

  test("the client of S3 prints no warning", async () => {
    const store = JSON.stringify(pathToFileURL(path.resolve("dist/platform/storage/objects/s3-store.js")).href);
    const options = JSON.stringify({
      endpoint: "http://127.0.0.1:9",
      region: "none",
      bucket: "none",
      prefix: "",
      cache: folder,
    });
    const program = `const { S3Store } = await import(${store}); new S3Store({ ...${options}, disk: {} }); setTimeout(process.exit, 100, 0);`;
    const command = `${JSON.stringify(binary(version))} --input-type=module 2>&1`;
    expect(await execute("sh", ["-c", `printf %s "$0" | ${command}`, program], folder)).toBe("");
  });

  test("the service transcribes, stores and exports", async () => {
    const service = await startService({ node: binary(version) });
    try {
      await ready(service);
      const id = await submit(service, readFileSync(HELLO_MP3), { diarization: true });
      expect((await finished(service, id)).result.transcription.full_transcript).toMatch(/^Hello from/);
      const document = await call(service, "GET", `/v2/transcription/${id}/transcript?format=docx`);
      expect(document.status).toBe(200);
      expect(service.log()).not.toMatch(/\(node:\d+\)|Warning: /);
    } finally {
      expect(await service.stop()).toBe(0);
      await service.remove();
    }
  });
});
