import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkedTasks, isDone, OutputFiles, type TranscriptionTask } from "./output-files.ts";
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
  expect(outputsOf(checkedTasks(tasks).tasks)).toEqual(["a/talk.flac.txt", "a/Talk.mp3.txt", "a/other.txt"]);
});

test("recordings that still share a file are refused before any work, and the others are not", () => {
  const other = task("a/other.mp3", "out/other.txt");
  const { tasks, refused } = checkedTasks([
    task("a/talk.mp3", "out/talk.txt"),
    other,
    task("b/talk.mp3", "out/talk.txt"),
  ]);
  expect(tasks).toEqual([other]);
  const of = (file: string, rest: string) => ({ file, isFailure: true, reason: expect.stringContaining(rest) });
  const place = path.join("out", "talk.mp3.txt");
  expect(refused).toEqual([
    of("a/talk.mp3", `b/talk.mp3 would also be written to ${place}`),
    of("b/talk.mp3", `a/talk.mp3 would also be written to ${place}`),
  ]);
});

test("a recording that was transcribed before another one appeared is not refused", () => {
  const both = [task("a/talk.mp3", "out/talk.txt"), task("b/talk.mp3", "out/talk.txt")];
  const { tasks, refused } = checkedTasks(both, (source) => source === "a/talk.mp3");
  expect(tasks.map(({ source }) => source)).toEqual(["a/talk.mp3"]);
  expect(refused.map(({ file }) => file)).toEqual(["b/talk.mp3"]);
});

test("an output has the name of an address without its query", () => {
  const [one, other] = ["a", "b"].map((host) => `https://${host}.example/talk.mp3?token=secret`);
  const { tasks, refused } = checkedTasks([
    task(one ?? "", "out/talk.txt"),
    task("talk.flac", "out/talk.txt"),
    task(other ?? "", "other/talk.txt"),
  ]);
  expect(refused).toEqual([]);
  expect(outputsOf(tasks)).toEqual([
    path.join("out", "talk.mp3.txt"),
    path.join("out", "talk.flac.txt"),
    "other/talk.txt",
  ]);
});

test("a name of the greatest length can be written, and a longer one is refused before any work", async () => {
  const name = "ä".repeat(125);
  const file = path.join(folder, `${name}.opus`);
  const longest = path.join(folder, `${name}a.txt`);
  expect(checkedTasks([task(file, longest)]).refused).toEqual([]);
  await new OutputFiles(false).write(longest, "text");
  expect(readFileSync(longest, "utf8")).toBe("text");
  const { tasks, refused } = checkedTasks([task(file, path.join(folder, `${name}ab.txt`))]);
  expect(tasks).toEqual([]);
  expect(refused[0]?.reason).toMatch(/256 bytes, and at most 255/);
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
