// Calls that cannot be understood, and folders and ports that cannot be used: one sentence, and the documented exit code.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../fixtures/command.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-mistakes-"));
  writeFileSync(path.join(folder, "file"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STACK = /\n\s+at /;

test.each([
  [["transcribe", HELLO_MP3, "-m", "nomodel"], /--model nomodel is not installed.*moonshine-base-en/],
  [["transcribe", HELLO_MP3, "--server", "foo"], /--server takes an address such as .*; it is foo/],
  [["transcribe", HELLO_MP3, "--server", "http://x", "--local"], /exclude each other/],
  [["jobs", "list", "--server", "http://me:secret@localhost:1"], /without a user name and password.*--key(?!.*secret)/],
  [["jobs", "list", "--server", "http://localhost:1/?a=b"], /without \? and #/],
  [["transcribe", HELLO_MP3, "--max-line-width", "wide"], /--max-line-width must be a whole number/],
  [["transcribe", HELLO_MP3, "--vocabulary", " , "], /--vocabulary takes terms/],
  [["transcribe", HELLO_MP3, "--vocabulary", "@nowhere.txt"], /--vocabulary cannot read nowhere.txt/],
  [["jobs", "list", "--status", "foo"], /--status must be one of queued, processing, done, error; it is foo/],
  [["jobs", "list", "--kind", "foo"], /--kind must be one of/],
  [["jobs", "list", "--limit", "many"], /--limit must be a whole number/],
  [["jobs", "list", "--server", "foo"], /--server takes an address/],
  [["accounts", "list", "--server", "http://localhost"], /on the machine of the service only/],
  [["login"], /name the service/],
])("%j ends with 2", async (args, message) => {
  const { code, stdout, stderr } = await runCommand(args, { folder, environment: { HOME: folder } });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(STACK);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("what is missing is reported before a model is loaded, and similar names of models are shown", async () => {
  const home = mkdtempSync(path.join(folder, "empty-"));
  const environment = { HOME: home, PARLANCE_DATA_DIR: path.join(home, "data") };
  const missing = await runCommand(["transcribe", "nowhere.mp3", "*.wav", home], { folder: home, environment });
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/nowhere\.mp3: there is no file/),
    expect.stringMatching(/\*\.wav: there is no such file, and no file matches/),
    expect.stringMatching(/there are no recordings in it/),
  ]);
  expect(existsSync(path.join(home, "data"))).toBe(false);
  const model = await runCommand(["models", "add", "base"], { folder: home, environment });
  expect(model.stderr).toMatch(/There is no model "base"\. Similar: whisper-base,/);
  expect(model.code).not.toBe(0);
});

test("a login file that cannot be read is named, and login and logout replace and remove it", async () => {
  const home = mkdtempSync(path.join(folder, "home-"));
  const file = path.join(home, ".config", "parlance", "login.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const parlance = (...args: string[]) => runCommand(args, { folder: home, environment: { HOME: home } });
  for (const content of ["", "[]"]) {
    writeFileSync(file, content);
    const read = await parlance("jobs", "list");
    expect(read).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/login\.json cannot be read.*parlance(\.js)? logout/),
    });
    expect(await parlance("logout")).toMatchObject({ code: 0, stdout: "The login is removed\n" });
    expect(existsSync(file)).toBe(false);
  }
  writeFileSync(file, "{");
  const login = await parlance("login", "--server", "http://127.0.0.1:1", "--key", "any");
  expect(login).toMatchObject({ code: 1, stderr: expect.stringMatching(/no service answers at http:..127.0.0.1:1/) });
  expect(await parlance("logout")).toMatchObject({ stdout: "The login is removed\n" });
  expect(await parlance("logout")).toMatchObject({ code: 0, stdout: "No login was stored\n" });
});

describe("a folder without a database", () => {
  test.each([
    [["keys", "list"]],
    [["accounts", "list"]],
    [["keys", "create"]],
    [["backup", "copy"]],
    [["export", "copy"]],
    [["store", "adopt"]],
  ])("%j says so and creates nothing", async (args) => {
    const place = mkdtempSync(path.join(folder, "wrong-"));
    const { code, stdout, stderr } = await runCommand(args, { folder: place });
    expect(stderr).toMatch(new RegExp(`no database in the data folder ${place}/data.*PARLANCE_DATA_DIR`));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(existsSync(path.join(place, "data"))).toBe(false);
  });

  test("keys create prepares the folder that PARLANCE_DATA_DIR names, and says so", async () => {
    const data = path.join(folder, "prepared");
    const { code, stderr } = await runCommand(["keys", "create"], { environment: { PARLANCE_DATA_DIR: data } });
    expect(stderr).toContain(`a new database is created in ${data}`);
    expect(code).toBe(0);
  });
});

describe("what the system refuses", () => {
  test("a used port", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
    );
    const environment = { PARLANCE_PORT: String(port), PARLANCE_DATA_DIR: path.join(folder, "port") };
    const { code, stderr } = await runCommand(["serve"], { environment });
    expect(stderr).toMatch(/another program listens there.*PARLANCE_PORT/);
    expect(stderr).not.toMatch(STACK);
    expect(code).toBe(1);
    const doctor = await runCommand(["doctor"], { environment });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/NO {2}port .*PARLANCE_PORT/) });
    server.close();
  });

  test.each(["serve", "doctor"])("%s with a data folder that cannot be one", async (command) => {
    const environment = { PARLANCE_PORT: "0", PARLANCE_DATA_DIR: path.join(folder, "file", "data") };
    const { code, stdout, stderr } = await runCommand([command], { environment });
    expect(stdout + stderr).toMatch(/data folder .*cannot be used.*PARLANCE_DATA_DIR/);
    expect(stderr).not.toMatch(STACK);
    expect(code).toBe(1);
  });

  test("an output folder that is a file", async () => {
    const target = path.join(folder, "file", "below");
    const { code, stderr } = await runCommand(["transcribe", HELLO_MP3, "-o", target]);
    expect(stderr).toMatch(/file/);
    expect(stderr).not.toMatch(STACK);
    expect(code).toBe(1);
  });

  test("a data folder that was interrupted at its first start is used again, and doctor names leftovers", async () => {
    const data = path.join(folder, "interrupted");
    mkdirSync(path.join(data, "database.unfinished-1"), { recursive: true });
    const { code, stdout } = await runCommand(["doctor"], {
      environment: { PARLANCE_PORT: "0", PARLANCE_DATA_DIR: data },
    });
    expect(stdout).toMatch(/database .*the first start makes it/);
    expect(code).toBe(0);
  });
});
