// A watched folder, and a service that transcribes when the test lets it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addTranscribe } from "./transcribe.ts";

const RESULT = { metadata: {}, transcription: { full_transcript: "hello", languages: ["en"], utterances: [] } };
const RECORDINGS = ["1", "2", "3", "4", "5", "6"];
const AT_ONCE = 4;
/** A file settles for 5 s. */
const TIMEOUT = { timeout: 30_000 };

let folder: string;
let server: Server;
let isDone: boolean;
let created: number;
let deleted: string[];
let printed: string;
const below = (...names: string[]) => path.join(folder, ...names);

beforeEach(async () => {
  [isDone, created, deleted, printed] = [false, 0, [], ""];
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-watch-"));
  for (const name of ["one", "other", "temporary"]) mkdirSync(below(name));
  for (const name of RECORDINGS) writeFileSync(below("one", `${name}.wav`), "recording");
  vi.stubEnv("TMPDIR", below("temporary"));
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
  server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    request.resume().on("end", () => {
      if (method === "DELETE") {
        deleted.push(url);
        return answer(202, {});
      }
      if (url === "/v2/upload") return answer(200, { audio_url: "http://a.example/file" });
      if (method === "POST") return answer(201, { id: String(++created), result_url: "" });
      answer(200, isDone ? { status: "done", result: RESULT } : { status: "processing" });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

function transcribe(...words: string[]): Promise<unknown> {
  const program = new Command();
  addTranscribe(program);
  const service = [
    "--server",
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    "--key",
    "a-key-for-tests",
  ];
  return program.parseAsync(["transcribe", ...words, ...service], { from: "user" });
}

const results = () =>
  readdirSync(below("temporary"), { recursive: true }).filter((name) => `${name}`.endsWith(".json"));
const outputs = () => readdirSync(below("out")).sort();

test("recordings that share an output are reported, and the others are transcribed", async () => {
  isDone = true;
  for (const name of ["one", "other"]) writeFileSync(below(name, "talk.wav"), "recording");
  await transcribe(below("one"), below("other"), "--output-dir", below("out"), "--format", "txt,text");
  expect(outputs()).toEqual(RECORDINGS.map((name) => `${name}.txt`));
  expect(process.exitCode).toBe(1);
  expect(printed).toContain(
    `parlance: ${below("one", "talk.wav")}: ${below("other", "talk.wav")} would also be written`,
  );
});

test(
  "a watch reports them once, keeps no results, and the first Ctrl-C lets it complete what it has begun",
  TIMEOUT,
  async () => {
    for (const name of ["one", "other"]) writeFileSync(below(name, "talk.wav"), "recording");
    const watching = transcribe(below("one"), below("other"), "--output-dir", below("out"), "--watch");
    await expect.poll(() => created, TIMEOUT).toBe(AT_ONCE);
    isDone = true;
    await expect.poll(() => created, TIMEOUT).toBe(RECORDINGS.length);
    await expect.poll(() => existsSync(below("out")) && outputs().length, TIMEOUT).toBe(RECORDINGS.length);
    expect(results()).toEqual([]);
    isDone = false;
    for (const name of RECORDINGS) writeFileSync(below("other", `${name}b.wav`), "recording");
    await expect.poll(() => created, TIMEOUT).toBe(RECORDINGS.length + AT_ONCE);
    process.emit("SIGINT");
    isDone = true;
    await watching;
    expect(created).toBe(RECORDINGS.length + AT_ONCE);
    expect(outputs()).toHaveLength(RECORDINGS.length + AT_ONCE);
    expect(deleted).toEqual([]);
    expect(printed.split("would also be written")).toHaveLength(3);
  },
);

test("the second Ctrl-C of a watch deletes the unfinished jobs", TIMEOUT, async () => {
  const exits: unknown[] = [];
  vi.spyOn(process, "exit").mockImplementation((code) => exits.push(code) as never);
  const watching = transcribe(below("one"), "--watch");
  await expect.poll(() => created, TIMEOUT).toBe(AT_ONCE);
  process.emit("SIGINT");
  process.emit("SIGINT");
  await watching;
  await expect.poll(() => exits).toEqual([130]);
  expect(created).toBe(AT_ONCE);
  expect(new Set(deleted).size).toBe(AT_ONCE);
});
