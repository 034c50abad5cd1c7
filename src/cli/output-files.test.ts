import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isDone, OutputFiles, type TranscriptionTask, withDistinctOutputs } from "./output-files.ts";
import { SettledFiles } from "./watch-folders.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-outputs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const task = (source: string, file: string): TranscriptionTask => ({ source, outputs: [{ format: "txt", file }] });
const outputsOf = (tasks: TranscriptionTask[]) => tasks.map(({ outputs }) => outputs?.[0]?.file);

test("recordings of one name get their extension into the output's name", () => {
  const tasks = [
    task("a/talk.flac", "a/talk.txt"),
    task("a/Talk.mp3", "a/Talk.txt"),
    task("a/other.mp3", "a/other.txt"),
  ];
  expect(outputsOf(withDistinctOutputs(tasks))).toEqual(["a/talk.flac.txt", "a/Talk.mp3.txt", "a/other.txt"]);
});

test("recordings that still share a file are refused before any work", () => {
  const tasks = [task("a/talk.mp3", "out/talk.txt"), task("b/talk.mp3", "out/talk.txt")];
  expect(() => withDistinctOutputs(tasks)).toThrow(/a\/talk.mp3 and b\/talk.mp3 would both be written/);
});

test("a file is replaced if this call wrote it, or with --force, and otherwise stays", async () => {
  const [source, file] = [path.join(folder, "talk.mp3"), path.join(folder, "talk.txt")];
  writeFileSync(file, "notes");
  writeFileSync(source, "recording");
  utimesSync(file, new Date(0), new Date(0));
  const files = new OutputFiles(false);
  await expect(files.open(task(source, file))).rejects.toThrow(/exists already/);
  await expect(files.write(file, "text")).rejects.toThrow(/exists already/);
  expect(readFileSync(file, "utf8")).toBe("notes");
  const forced = new OutputFiles(true);
  await forced.write(file, "text");
  expect(readFileSync(file, "utf8")).toBe("text");
  const fresh = path.join(folder, "below", "fresh.txt");
  await files.write(fresh, "one");
  await files.write(fresh, "two");
  expect(readFileSync(fresh, "utf8")).toBe("two");
  writeFileSync(fresh, "changed by somebody else");
  utimesSync(fresh, new Date(5), new Date(5));
  await expect(files.write(fresh, "three")).rejects.toThrow(/exists already/);
  expect(readdirSync(folder).sort()).toEqual(["below", "talk.mp3", "talk.txt"]);
  expect(readdirSync(path.join(folder, "below"))).toEqual(["fresh.txt"]);
});

test("a transcript of standard input is never newer than it, and that of an address always is", async () => {
  const file = path.join(folder, "recording.txt");
  writeFileSync(file, "of another recording");
  const files = new OutputFiles(false);
  expect(await isDone(task("-", file))).toBe(false);
  await expect(files.open(task("-", file))).rejects.toThrow(/exists already/);
  expect(await isDone(task("https://example.com/recording.mp3", file))).toBe(true);
  expect(await files.open(task("https://example.com/recording.mp3", file))).toEqual([]);
});

test("a file is ready 5 s after its last change, and again after each further change", async () => {
  const file = path.join(folder, "slow.mp3");
  const files = new SettledFiles();
  expect(await files.isReady(file, 0)).toBe(false);
  writeFileSync(file, "first third");
  expect(await files.isReady(file, 1_000)).toBe(false);
  expect(await files.isReady(file, 5_900)).toBe(false);
  expect(await files.isReady(file, 6_000)).toBe(true);
  files.take(file);
  expect(await files.isReady(file, 20_000)).toBe(false);
  writeFileSync(file, "first third and the rest");
  expect(await files.isReady(file, 21_000)).toBe(false);
  expect(await files.isReady(file, 26_000)).toBe(true);
  expect(files.hasTaken(file)).toBe(true);
});
