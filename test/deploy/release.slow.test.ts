// The release command in a repository of its own, and its archive with all dependencies on a machine without a network.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../fixtures/execute.ts";
import { freePort } from "../fixtures/free-port.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { copyRepository } from "../fixtures/repository-copy.ts";

const VERSION = "99.1.2";
const TIMEOUT_MILLISECONDS = 300_000;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-release-"));
const repository = path.join(folder, "repository");
const identity = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org"];
const git = (...args: string[]) =>
  execFileSync("git", [...identity, ...args], { cwd: repository, encoding: "utf8" }).trim();
const at = (name: string) => path.join(repository, "release", VERSION, name);
const archive = `parlance-${VERSION}-${process.platform}-${process.arch}.tar.gz`;

/** @returns what it printed, refused or not */
function release(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "release", "--", ...args], {
    cwd: repository,
    env: { ...process.env, DOCKER_HOST: "unix:///no-docker-here" },
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  copyRepository(repository);
  git("init", "--quiet");
  for (const [name, value] of [
    ["user.name", "Tests"],
    ["user.email", "tests@example.org"],
  ] as const)
    git("config", name, value);
  writeFileSync(path.join(repository, ".git", "info", "exclude"), "node_modules\n");
  const changelog = path.join(repository, "CHANGELOG.md");
  writeFileSync(
    changelog,
    readFileSync(changelog, "utf8").replace("## Unreleased\n", "## Unreleased\n\n- An entry.\n"),
  );
  git("add", "-A");
  git("commit", "--quiet", "-m", "everything");
}, TIMEOUT_MILLISECONDS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what cannot be released is refused, and nothing is changed", () => {
  expect(release("next").output).toMatch(/usage: npm run release -- VERSION/);
  expect(release("0.0.9").output).toMatch(/must be later than \d/);
  writeFileSync(path.join(repository, "unfinished"), "");
  expect(release(VERSION).output).toMatch(/commit or remove the changes/);
  rmSync(path.join(repository, "unfinished"));
  expect(release(VERSION)).toMatchObject({
    status: 1,
    output: expect.stringMatching(/docker does not work here.*--no-image/),
  });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("tag")).toBe("");
});

const canIsolate = spawnSync("unshare", ["--net", "ip", "link", "set", "lo", "up"]).status === 0;
/** Uploads the recording beside it, and prints the transcript. */
const CLIENT = `
const base = "http://127.0.0.1:" + process.env.PARLANCE_PORT;
const until = async (look) => { for (;;) { const found = await look().catch(() => undefined); if (found) return found; await new Promise((done) => setTimeout(done, 200)); } };
await until(async () => (await fetch(base + "/ready")).ok);
if (!(await (await fetch(base)).text()).includes("<title>Parlance</title>")) throw new Error("no console");
const headers = { "x-service-key": process.env.PARLANCE_API_KEY };
const body = new FormData();
body.append("audio", new Blob([(await import("node:fs")).readFileSync("hello.mp3")]), "hello.mp3");
const { audio_url } = await (await fetch(base + "/v2/upload", { method: "POST", headers, body })).json();
const asJson = { ...headers, "content-type": "application/json" };
const { id } = await (await fetch(base + "/v2/pre-recorded", { method: "POST", headers: asJson, body: JSON.stringify({ audio_url }) })).json();
const job = await until(async () => { const one = await (await fetch(base + "/v2/transcription/" + id, { headers })).json(); return /done|error/.test(one.status) && one; });
console.log(job.result.transcription.full_transcript);
`;

describe("npm run release", () => {
  beforeAll(async () => {
    await execute("npm", ["run", "release", "--", VERSION, "--no-image"], repository);
  }, TIMEOUT_MILLISECONDS);

  test("commits, tags and lists the version; the changelog has a section of that day", () => {
    expect(git("status", "--porcelain")).toBe("");
    const commit = git("rev-parse", `v${VERSION}^{commit}`);
    expect(JSON.parse(readFileSync(path.join(repository, "versions.json"), "utf8")).at(-1)).toEqual({
      version: VERSION,
      commit,
    });
    expect(git("show", `${commit}:package.json`)).toContain(`"version": "${VERSION}"`);
    const today = new Date().toISOString().slice(0, 10);
    expect(git("show", `${commit}:CHANGELOG.md`)).toContain(
      `## Unreleased\n\n## ${VERSION} (${today})\n\n- An entry.\n`,
    );
  });

  test("the checksums are those of the package, the archive and the list of components", () => {
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: at(""), stdio: "ignore" });
    expect(readdirSync(at("")).sort()).toEqual(
      ["SHA256SUMS", archive, `parlance-${VERSION}.cdx.json`, `parlance-speech-parlance-${VERSION}.tgz`].sort(),
    );
    const { bomFormat, components } = JSON.parse(readFileSync(at(`parlance-${VERSION}.cdx.json`), "utf8"));
    expect(bomFormat).toBe("CycloneDX");
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toContain("fastify");
    expect(names).not.toContain("vitest");
  });

  describe.skipIf(!canIsolate)("without a network (skipped where root or iproute2 is missing)", () => {
    test("the archive with all dependencies is unpacked and serves", { timeout: TIMEOUT_MILLISECONDS }, async () => {
      const place = path.join(folder, "machine");
      mkdirSync(place);
      copyFileSync(HELLO_MP3, path.join(place, "hello.mp3"));
      writeFileSync(path.join(place, "client.mjs"), CLIENT);
      // Nothing but Node.js and a shell: no npm, no home directory.
      const program = `${path.basename(archive, ".tar.gz")}/bin/parlance.js`;
      const script = `set -e
        ip link set lo up
        tar -xzf ${at(archive)}
        "${process.execPath}" ${program} --version
        "${process.execPath}" ${program} serve > log 2>&1 &
        service=$!
        timeout 120 "${process.execPath}" client.mjs || { cat log; exit 1; }
        kill $service
        wait $service`;
      const { status, stdout, stderr } = spawnSync("unshare", ["--net", "sh", "-c", script], {
        cwd: place,
        env: {
          PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
          PARLANCE_DATA_DIR: path.join(place, "data"),
          PARLANCE_PORT: String(await freePort()),
          PARLANCE_API_KEY: "a-key-for-this-machine",
          PARLANCE_WORKERS: "1",
        },
        encoding: "utf8",
      });
      expect(status, stdout + stderr).toBe(0);
      expect(stdout).toMatch(new RegExp(`^${VERSION.replaceAll(".", "\\.")}\\n`));
      expect(stdout).toMatch(/hello from the/i);
    });
  });
});
