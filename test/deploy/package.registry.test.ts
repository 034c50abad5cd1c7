// The npm package, installed elsewhere, as users of it have it.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { execute } from "../fixtures/execute.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { copyRepository } from "../fixtures/repository-copy.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-package-"));
const [source, project] = [path.join(folder, "source"), path.join(folder, "project")];

beforeAll(async () => {
  mkdirSync(project);
  // A copy, because the command builds, and other tests start the service of this repository meanwhile.
  copyRepository(source);
  await execute("npm", ["run", "package", "--", "--pack-destination", folder], source);
  const archive = readdirSync(folder).find((file) => file.endsWith(".tgz")) as string;
  writeFileSync(path.join(project, "package.json"), JSON.stringify({ name: "somebody", private: true }));
  await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", path.join(folder, archive)], project);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("nothing is left behind in the repository", () => {
  expect(existsSync(path.join(source, "npm-shrinkwrap.json"))).toBe(false);
});

test("npx --no-install parlance prints its version and transcribes", async () => {
  expect(await execute("npx", ["--no-install", "parlance", "--version"], project)).toMatch(/^\d+\.\d+\.\d+/);
  copyFileSync(HELLO_MP3, path.join(project, "hello.mp3"));
  expect(await execute("npx", ["--no-install", "parlance", "transcribe", "hello.mp3"], project)).toMatch(
    /hello from the/i,
  );
});

test("npx --no-install parlance serve serves the console", async () => {
  const child = spawn("npx", ["--no-install", "parlance", "serve"], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, PARLANCE_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  try {
    const base = await new Promise<string>((resolve) => {
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
        const address = /Parlance serves on (\S+)/.exec(output)?.[1];
        if (address) resolve(address);
      });
    });
    expect(await (await fetch(base)).text()).toContain("<title>Parlance</title>");
    expect((await fetch(`${base}/docs/quick-start`)).status).toBe(200);
  } finally {
    process.kill(-(child.pid as number), "SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  }
});
