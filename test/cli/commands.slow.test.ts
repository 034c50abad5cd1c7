// The command line as people call it: every command, what it prints, and how it ends.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, runCommand } from "../fixtures/command.ts";
import { writeMedia } from "../fixtures/media.ts";
import { givePreparedGraphs } from "../fixtures/prepared-graphs.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-cli-"));
  givePreparedGraphs(path.join(folder, "data"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parlance = (args: string[], { environment, ...options }: CallOptions = {}) =>
  runCommand(args, {
    ...options,
    environment: { PARLANCE_DATA_DIR: path.join(folder, "data"), PARLANCE_WORKERS: "1", ...environment },
  });

const HELLO = /hello from the ver/i;

describe("help and mistakes", () => {
  const COMMANDS = ["serve", "transcribe", "live", "jobs", "keys", "accounts", "models", "doctor"];

  test("the help lists every command, and each command has its own help", async () => {
    const { code, stdout } = await parlance(["--help"]);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(command);
    for (const command of [
      ...COMMANDS.map((name) => [name]),
      ["keys", "create"],
      ["jobs", "list"],
      ["models", "add"],
    ]) {
      const help = await parlance([...command, "--help"]);
      expect(help.code, command.join(" ")).toBe(0);
      expect(help.stdout).toMatch(/^Usage: parlance/);
    }
  });

  test.each([
    [["nonsense"], /unknown command/],
    [["transcribe"], /missing required argument/],
    [["transcribe", "x.mp3", "--format", "exe"], /--format must be one of txt, srt.*it is exe/],
    [["transcribe", "x.mp3", "--language", "klingon"], /ISO 639 codes/],
    [["transcribe", "x.mp3", "--nonsense"], /unknown option/],
    [["accounts", "limit", "default"], /name a limit/],
    [["live", "--rate", "7"], /--rate must be one of/],
  ])("%j is answered with a remedy, and ends with 2", async (args, told) => {
    const { code, stderr } = await parlance(args, { input: new Uint8Array() });
    expect(stderr).toMatch(told);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  test("a reader that goes away is no error", async () => {
    expect(await parlance(["--help"], { isUnread: true })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("a command that does more than print ends with 141 where its reader has left", async () => {
    const environment = { PARLANCE_DATA_DIR: path.join(folder, "unread") };
    const options = { environment, isUnread: true };
    expect(await parlance(["accounts", "create", "unread"], options)).toMatchObject({ code: 141, stdout: "" });
  });

  test.each(["bash", "zsh", "fish"])("completion for %s", async (shell) => {
    const { code, stdout } = await parlance(["complete", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("parlance");
    const offered = await parlance(["complete", "--", "tr"]);
    expect(offered.stdout).toMatch(/^transcribe/m);
  });
});

describe("transcribe", () => {
  test("prints one recording in the requested format, and nothing else on standard output", async () => {
    const { code, stdout, stderr } = await parlance(["transcribe", "--format", "srt", HELLO_MP3]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^1\n00:00:00,\d{3} --> .*\nhello from the ver/i);
  });

  test("uses the audio track with sound or the one that --track names, and prints its number", async () => {
    const film = path.join(folder, "film.mkv");
    const speech = await decodeSpeech();
    const track = { channels: [speech], sampleRate: 16_000, encoder: "aac" };
    await writeMedia(film, { tracks: [{ ...track, channels: [new Float32Array(speech.length)] }, track] });
    const chosen = await parlance(["transcribe", film]);
    expect(chosen.stdout).toMatch(HELLO);
    expect(chosen.stderr).toMatch(/audio track 1 of 2 was used, counted from 0; --track chooses another one/);
    expect(await parlance(["transcribe", film, "--track", "0"])).toMatchObject({ code: 0, stderr: "" });
    const missing = await parlance(["transcribe", film, "--track", "2"]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(
      /audio_track is 2, but the file has 2 audio tracks: 0 \(1 channel\); 1 \(1 channel\)/,
    );
    expect(await parlance(["transcribe", film, "--track", "one"])).toMatchObject({ code: 2 });
  });

  test("reads standard input", async () => {
    const { code, stdout } = await parlance(["transcribe", "-"], { input: readFileSync(HELLO_MP3) });
    expect(code).toBe(0);
    expect(stdout).toMatch(HELLO);
  });

  test("writes transcripts of a folder next to the recordings; skips finished ones; continues after an unreadable one", async () => {
    const inbox = path.join(folder, "inbox");
    mkdirSync(path.join(inbox, "deep"), { recursive: true });
    copyFileSync(HELLO_MP3, path.join(inbox, "one.mp3"));
    copyFileSync(HELLO_MP3, path.join(inbox, "deep", "two.mp3"));
    writeFileSync(path.join(inbox, "letter.mp3"), "Dear all");
    writeFileSync(path.join(inbox, "notes.txt"), "not a recording");
    const first = await parlance(["transcribe", inbox, "--format", "txt,srt", "--json"]);
    expect(first.code).toBe(1);
    const told = first.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told).toHaveLength(3);
    expect(told.find(({ source }) => source.endsWith("letter.mp3")).error).toMatch(/audio|decode|media|read/i);
    expect(readFileSync(path.join(inbox, "one.txt"), "utf8")).toMatch(HELLO);
    expect(readFileSync(path.join(inbox, "deep", "two.srt"), "utf8")).toMatch(/^1\n/);
    rmSync(path.join(inbox, "letter.mp3"));
    const again = await parlance(["transcribe", inbox, "--format", "txt,srt"]);
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/--force/);
    const elsewhere = path.join(folder, "elsewhere");
    const docx = await parlance(["transcribe", inbox, "--format", "docx", "--output-dir", elsewhere]);
    expect(docx.code).toBe(0);
    expect(statSync(path.join(elsewhere, "deep", "two.docx")).size).toBeGreaterThan(1_000);
  });

  test("keeps files that it did not write, gives each recording a file of its own, and leaves hidden files alone", async () => {
    const inbox = path.join(folder, "talks");
    mkdirSync(inbox);
    for (const name of ["talk.mp3", "talk.m4a", "ep1.mp3", "._talk.mp3"])
      copyFileSync(HELLO_MP3, path.join(inbox, name));
    const notes = path.join(inbox, "ep1.txt");
    writeFileSync(notes, "my own notes");
    const past = new Date(Date.now() - 60_000);
    utimesSync(notes, past, past);
    const { code, stderr } = await parlance(["transcribe", inbox]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ep1\.txt exists already.*--force/);
    expect(readFileSync(notes, "utf8")).toBe("my own notes");
    const written = ["ep1.txt", "talk.m4a.txt", "talk.mp3.txt"];
    expect(readdirSync(inbox).filter((name) => name.endsWith(".txt"))).toEqual(written);
    expect(readdirSync(inbox)).toHaveLength(4 + written.length);
  });

  test("writes the transcript of standard input into a folder that it creates", async () => {
    const target = path.join(folder, "new", "folder");
    const { code, stdout } = await parlance(["transcribe", "-", "-o", target, "-f", "srt"], {
      input: readFileSync(HELLO_MP3),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path.join(target, "recording.srt")}\n` });
    expect(readdirSync(target)).toEqual(["recording.srt"]);
  });

  test("watches a folder for new files", async () => {
    const watched = path.join(folder, "watched");
    mkdirSync(watched);
    setTimeout(() => copyFileSync(HELLO_MP3, path.join(watched, "late.mp3")), 3_000);
    const { code, stdout } = await parlance(["transcribe", watched, "--watch"], {
      until: (printed) => printed.includes("late.txt"),
    });
    expect(stdout).toContain(path.join(watched, "late.txt"));
    expect(existsSync(path.join(watched, "late.txt"))).toBe(true);
    expect(code).toBe(0);
  });

  test.each([
    [["transcribe", "x.mp3", "-l", "jp"], /--language must be .*"jp" is not one; similar: ja \(Japanese\)/],
    [["models", "add", "x", "--languages", "jp"], /--languages must be .*similar: ja \(Japanese\)/],
    [["live", "--language", "Klingon"], /"Klingon" is not one/],
    [["live", "--device", "hw:0"], /--device is for the microphone/],
    [["live", "--channels", "two"], /--channels must be a number from 1 to 8; it is two/],
    [["live", "--endpointing", ""], /--endpointing must be a number from 0.01 to 10/],
  ])("%j is refused with the reason", async (args, message) => {
    const { code, stdout, stderr } = await parlance(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("a file that is not there is named, and ends with 1", async () => {
    const { code, stderr } = await parlance(["transcribe", path.join(folder, "nowhere.mp3")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no file .*nowhere\.mp3/);
  });
});

describe("live", () => {
  test("without a service, prints messages with the words of standard input", async () => {
    const speech = encodePcm([repeated(await decodeSpeech(), 2, 1)]);
    const { code, stdout } = await parlance(["live", "--json", "--rate", "16000"], { input: speech });
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const finals = messages.filter(({ type, data }) => type === "transcript" && data.is_final);
    expect(finals).toHaveLength(2);
    expect(finals[0].data.utterance.text).toMatch(HELLO);
  });
});

describe("with a service", () => {
  let service: RunningService;
  let id: string;
  beforeAll(async () => {
    service = await startService();
    await ready(service);
    id = await submit(service, readFileSync(HELLO_MP3));
    await finished(service, id);
  });
  afterAll(() => service.remove());
  const there = () => ["--server", service.base, "--key", TEST_KEY];

  test("jobs are listed, shown, exported and deleted", async () => {
    const listed = JSON.parse((await parlance(["jobs", "list", "--json", ...there()])).stdout);
    expect(listed).toEqual([expect.objectContaining({ id, status: "done" })]);
    expect((await parlance(["jobs", "list", ...there()])).stdout).toContain(id);
    expect((await parlance(["jobs", "show", id, ...there()])).stdout).toMatch(/state +done/);
    expect((await parlance(["jobs", "transcript", id, ...there()])).stdout).toMatch(HELLO);
    const file = path.join(folder, "taken.docx");
    expect((await parlance(["jobs", "transcript", id, "--format", "docx", "-o", file, ...there()])).code).toBe(0);
    expect(readFileSync(file).subarray(0, 2).toString()).toBe("PK");
    const other = await submit(service, wav([new Float32Array(8_000)]));
    await finished(service, other);
    const unknown = "00000000-0000-7000-8000-000000000000";
    const third = await submit(service, wav([new Float32Array(8_000)]));
    await finished(service, third);
    const deleted = await parlance(["jobs", "delete", other, unknown, third, ...there()]);
    expect(deleted).toEqual({
      code: 1,
      stdout: `deleted ${other}\ndeleted ${third}\n`,
      stderr: `parlance: ${unknown}: Job not found\n`,
    });
    const missing = await parlance(["jobs", "show", other, ...there()]);
    expect(missing).toMatchObject({ code: 1, stderr: "parlance: Job not found\n" });
  });

  test("live by that service", async () => {
    const speech = encodePcm([await decodeSpeech()]);
    const { code, stdout } = await parlance(["live", ...there()], { input: speech });
    expect(code).toBe(0);
    expect(stdout).toMatch(HELLO);
  });

  test("a wrong key and an unreachable service are reported with a remedy", async () => {
    const wrong = await parlance(["jobs", "list", "--server", service.base, "--key", "wrong"]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/unknown or revoked.*--key/);
    const nobody = await parlance(["jobs", "list", "--server", "http://127.0.0.1:9"]);
    expect(nobody.stderr).toMatch(/no service answers at .*--server/);
  });
});

describe("doctor", () => {
  test("reports a complete installation as complete, and names problems", async () => {
    const environment = { PARLANCE_PORT: "0" };
    const { code, stdout } = await parlance(["doctor"], { environment });
    expect(stdout).toMatch(/^ok {2}recognition +moonshine-base-en loads$/m);
    expect(code).toBe(0);
    const broken = await parlance(["doctor", "--json"], {
      environment: { ...environment, DATABASE_URL: "postgres://127.0.0.1:9/none" },
    });
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout).findings).toContainEqual(
      expect.objectContaining({ what: "database", level: "bad", detail: expect.stringMatching(/DATABASE_URL/) }),
    );
    const models = path.join(folder, "models");
    mkdirSync(path.join(models, "old"), { recursive: true });
    writeFileSync(
      path.join(models, "old", "model.json"),
      '{"format":1,"id":"old","source":"hf:someone/old","files":[]}',
    );
    for (const command of [["doctor"], ["models", "list"]]) {
      const told = await parlance(command, { environment: { ...environment, PARLANCE_MODELS_DIR: models } });
      expect(told.stdout).toMatch(/another version.*parlance(?:\.js)? models add hf:someone\/old/);
    }
    const mistyped = await parlance(["doctor"], { environment: { PARLANCE_PROT: "1" } });
    expect(mistyped.stdout).toMatch(/PARLANCE_PROT is not a setting/);
  });
});
