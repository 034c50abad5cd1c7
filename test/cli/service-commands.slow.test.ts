// Commands that use a service: named by --server, or by the stored login.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../fixtures/command.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const HELLO = /hello from the ver/i;
let folder: string;
let service: RunningService;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-service-commands-"));
  environment = { HOME: folder, PARLANCE_DATA_DIR: path.join(folder, "data") };
  service = await startService();
  await ready(service);
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const parlance = (...args: string[]) => runCommand(args, { environment, folder });
const named = () => ["--server", service.base, "--key", TEST_KEY];

describe("named by --server", () => {
  test("transcribe prints what the service recognised, with the options of the request", async () => {
    const { code, stdout } = await parlance("transcribe", HELLO_MP3, ...named());
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(HELLO) });
    const tsv = await parlance("transcribe", HELLO_MP3, "-f", "tsv", "--vocabulary", "Vermilion,Ada", ...named());
    expect(tsv.stdout).toMatch(/^start\tend\ttext\n\d+\t\d+\t.*hello/i);
    const narrow = await parlance("transcribe", HELLO_MP3, "-f", "srt", "--max-line-width", "12", ...named());
    for (const line of narrow.stdout.split("\n").filter((text) => !text.includes("-->"))) {
      expect(line.length).toBeLessThanOrEqual(12);
    }
    const listed = JSON.parse((await parlance("jobs", "list", "--json", ...named())).stdout);
    expect(listed).toHaveLength(3);
  });

  test("transcribe takes a pipe", async () => {
    const { code, stdout } = await runCommand(["transcribe", "-", ...named()], {
      environment,
      input: readFileSync(HELLO_MP3),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(HELLO) });
  });

  test("a job is created, awaited, and its recording downloaded without replacing a file", async () => {
    const created = await parlance("jobs", "create", HELLO_MP3, "--no-numerals", ...named());
    expect(created.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    const id = created.stdout.trim();
    expect(await parlance("jobs", "wait", id, ...named())).toMatchObject({ code: 0, stdout: `${id} done\n` });
    const target = path.join(folder, "copy.mp3");
    expect((await parlance("jobs", "audio", id, "-o", target, ...named())).code).toBe(0);
    expect(readFileSync(target).equals(readFileSync(HELLO_MP3))).toBe(true);
    const again = await parlance("jobs", "audio", id, "-o", target, ...named());
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists already.*--force/) });
    await parlance("jobs", "audio", id, ...named());
    expect(statSync(path.join(folder, path.basename(HELLO_MP3))).size).toBe(statSync(HELLO_MP3).size);
    const printed = await parlance("jobs", "transcript", id, "-f", "srt", "--max-line-width", "12", ...named());
    expect(printed.stdout).toMatch(/-->/);
    expect(
      Math.max(
        ...printed.stdout
          .split("\n")
          .filter((line) => !line.includes("-->"))
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(12);
  });

  test("a job that fails ends create --wait and wait with 1", async () => {
    const letter = path.join(folder, "letter.mp3");
    writeFileSync(letter, "no recording");
    const { code, stderr } = await parlance("jobs", "create", letter, "--wait", ...named());
    expect(code).toBe(1);
    expect(stderr).toMatch(/decode|audio/i);
  });

  test.skipIf(process.platform !== "linux")("open passes the console's address to the browser", async () => {
    const tools = path.join(folder, "tools");
    mkdirSync(tools);
    writeFileSync(path.join(tools, "xdg-open"), `#!/bin/sh\necho "$1" > "${folder}/opened"\n`);
    chmodSync(path.join(tools, "xdg-open"), 0o755);
    const id = (await parlance("jobs", "create", HELLO_MP3, ...named())).stdout.trim();
    const withBrowser = { ...environment, PATH: `${tools}:${process.env["PATH"]}` };
    const { code, stdout } = await runCommand(["jobs", "open", id, ...named()], { environment: withBrowser });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${service.base}/jobs/${id}\n` });
    await expect.poll(() => existsSync(path.join(folder, "opened"))).toBe(true);
    await expect.poll(() => readFileSync(path.join(folder, "opened"), "utf8")).toBe(stdout);
    await parlance("jobs", "delete", id, ...named());
  });

  test("keys, models and doctor", async () => {
    const made = await parlance("keys", "create", "--name", "laptop", ...named());
    expect(made.code).toBe(0);
    const keys = JSON.parse((await parlance("keys", "list", "--json", ...named())).stdout);
    const { id } = keys.find(({ name }: { name: string }) => name === "laptop");
    expect((await parlance("keys", "revoke", id, ...named())).stdout).toBe(`revoked ${id}\n`);
    expect((await parlance("models", "list", ...named())).stdout).toMatch(/moonshine-base-en .*installed/);
    expect((await parlance("doctor", ...named())).stdout).toMatch(/ok {2}key +is accepted/);
    const wrong = await parlance("doctor", "--server", service.base, "--key", "wrong-key");
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/NO {2}key/) });
  });
});

describe("the stored login", () => {
  const login = () => path.join(folder, ".config", "parlance", "login.json");

  test("is kept for its user alone, is used by other commands, and is not sent to another service", async () => {
    const refused = await parlance("login", "--server", service.base, "--key", "a-wrong-key");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/--key/) });
    expect(existsSync(login())).toBe(false);
    const piped = await runCommand(["login", "--server", service.base], {
      environment,
      input: Buffer.from(`${TEST_KEY}\n`),
    });
    expect(piped.code, piped.stderr).toBe(0);
    expect(statSync(login()).mode & 0o777).toBe(0o600);
    expect((await parlance("login", "--status")).stdout).toMatch(/accepts the stored key/);
    expect((await parlance("jobs", "list", "--json")).code).toBe(0);
    const before = JSON.parse((await parlance("jobs", "list", "--json")).stdout).length;
    expect((await parlance("transcribe", HELLO_MP3)).stdout).toMatch(HELLO);
    expect(JSON.parse((await parlance("jobs", "list", "--json")).stdout)).toHaveLength(before + 1);
    const other = await parlance("jobs", "list", "--server", `${service.base.replace("127.0.0.1", "localhost")}/`);
    if (!service.base.includes("localhost")) expect(other.code).toBe(1);
  });

  test("--local works on this machine, and logout removes the login", async () => {
    const before = JSON.parse((await parlance("jobs", "list", "--json")).stdout).length;
    expect((await parlance("transcribe", HELLO_MP3, "--local", "--quiet")).stdout).toMatch(HELLO);
    expect(JSON.parse((await parlance("jobs", "list", "--json")).stdout)).toHaveLength(before);
    expect((await parlance("logout")).stdout).toMatch(/is removed/);
    expect(existsSync(login())).toBe(false);
    expect((await parlance("login", "--status")).code).toBe(2);
  });
});

describe("input that live cannot use", () => {
  const live = (input: Uint8Array, ...args: string[]) =>
    runCommand(["live", ...args, ...named()], { environment, input });

  test("a compressed file is named, with the command that converts it", async () => {
    const { code, stdout, stderr } = await live(readFileSync(HELLO_MP3));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/is MP3|is MPEG/);
    expect(stderr).toMatch(/ffmpeg -i FILE .*parlance live.*parlance transcribe FILE/);
  });

  test("a WAV file with two channels is explained; with --channels 2 it is taken", async () => {
    const silence = new Float32Array(8_000);
    const { code, stderr } = await live(wav([silence, silence]));
    expect(code).toBe(2);
    expect(stderr).toMatch(/has 2 channels.*--channels 2.*ffmpeg/);
    expect((await live(wav([silence, silence]), "--channels", "2")).code).toBe(0);
  });
});
