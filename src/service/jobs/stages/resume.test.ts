// What a later attempt takes over: outputs of completed stages in place, finished entries of an interrupted one as a copy.
import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors } from "../../../platform/errors.ts";
import { hashOf } from "../../../platform/storage/content-hash.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { parseJsonLines, printJsonLine } from "../../../platform/storage/json-lines.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { resumeFromEarlier } from "./resume.ts";
import type { StageOutputs } from "./stage.ts";
import { WorkFiles } from "./work-files.ts";

const ID = "0199a0aa-0000-7000-8000-000000000000";
const SEGMENTS = "[]";
const line = (text: string) => printJsonLine({ text });

let folder: string;
let objects: FileStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-resume-"));
  objects = new FileStore(folder, new Disk(false));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FETCH = { fileId: "f", objectKey: "audio/f" };
const DECODE = { durationSeconds: 1, distinctChannels: [0], bytes: 4 };
const SEGMENT = { segmentCount: 0, hash: hashOf(SEGMENTS) };

/** Files of an attempt that has segments and half of the words. @param attempt  undefined for a version without attempts */
async function earlier(attempt: number | undefined, ...words: string[]): Promise<StageOutputs> {
  const files = WorkFiles.ofAttempt(ID, attempt);
  await objects.put("audio/f", "audio");
  await objects.put(files.channel(0), "pcm!");
  await objects.put(files.segments, SEGMENTS);
  await objects.put(files.recognized, words.map(line).join(""));
  const own = attempt === undefined ? {} : { attempt };
  return { fetch: { ...FETCH, ...own }, decode: { ...DECODE, ...own }, segment: { ...SEGMENT, ...own } };
}

async function resume(attempt: number, stored: unknown, model = "m") {
  const outputs: StageOutputs = {};
  const job = { id: ID, hold: { id: ID, worker: "a#1", attempt }, model };
  const damaged = await resumeFromEarlier(job, stored, outputs, objects);
  const files = WorkFiles.of(ID, attempt, outputs);
  const text = await readFile(await objects.localPath(files.recognized), "utf8").catch(() => "");
  return { damaged, outputs, files, words: parseJsonLines<{ text: string }>(text).map((one) => one.text) };
}

test.each([
  ["an earlier attempt", 1, "jobs/%/1"],
  ["a version without attempts", undefined, "jobs/%"],
])(
  "outputs of %s are read where they are; what it recognised is copied, and its later writes change nothing",
  async (_name, attempt, place) => {
    const stored = await earlier(attempt, "one", "two");
    const { damaged, outputs, files, words } = await resume(2, stored);
    expect(damaged).toBeUndefined();
    expect(Object.keys(outputs)).toEqual(["fetch", "decode", "segment"]);
    expect(files.channel(0)).toBe(`${place.replace("%", ID)}/channel-0.pcm`);
    expect(files.segments).toBe(`${place.replace("%", ID)}/segments.json`);
    expect(files.recognized).toBe(`jobs/${ID}/2/recognized.jsonl`);
    expect(words).toEqual(["one", "two"]);
    // The earlier attempt is still running.
    await appendFile(await objects.localPath(WorkFiles.ofAttempt(ID, attempt).recognized), line("late"));
    expect(parseJsonLines(await readFile(await objects.localPath(files.recognized), "utf8"))).toHaveLength(2);
  },
);

test("the log of the last attempt that has one is taken over; folders that no output names are removed", async () => {
  const stored = await earlier(1, "one");
  await earlier(2, "one", "two");
  await objects.put(WorkFiles.ofAttempt(ID, 3).channel(0), "half");
  expect((await resume(4, stored)).words).toEqual(["one", "two"]);
  expect((await objects.foldersIn(`jobs/${ID}`)).toSorted()).toEqual(["1", "4"]);
});

test("what was recognised is taken over with its plan, and not without it", async () => {
  const stored = await earlier(1, "one", "two");
  await objects.put(WorkFiles.ofAttempt(ID, 1).plan, line("first plan"));
  // Another plan discarded the words of the first attempt.
  await objects.put(WorkFiles.ofAttempt(ID, 2).recognized, "");
  await objects.put(WorkFiles.ofAttempt(ID, 2).plan, line("second plan"));
  const { words, files } = await resume(3, stored);
  expect(words).toEqual([]);
  expect(await readFile(await objects.localPath(files.plan), "utf8")).toBe(line("second plan"));
});

test("damaged outputs, and those of impossible attempts, are made again", async () => {
  const stored = await earlier(1, "one");
  await objects.put(WorkFiles.ofAttempt(ID, 1).channel(0), "short or long");
  expect(await resume(2, stored)).toMatchObject({ damaged: "decode", outputs: { fetch: FETCH } });
  for (const attempt of ["../../results", -1, 1.5, {}, null]) {
    const found = await resume(3, { ...stored, fetch: { ...FETCH, attempt } });
    expect(found).toMatchObject({ damaged: "fetch", outputs: {} });
  }
});

test("an error of the store or the machine is no damage: it is thrown, and no output is removed", async () => {
  const stored = await earlier(1, "one");
  for (const error of [
    errors.storageUnavailable(new Error("closed")),
    Object.assign(new Error("no space left"), { code: "ENOSPC" }),
  ]) {
    const paths = vi.spyOn(objects, "localPath").mockRejectedValueOnce(error);
    try {
      await expect(resume(2, stored)).rejects.toBe(error);
    } finally {
      paths.mockRestore();
    }
    expect(await objects.size(WorkFiles.ofAttempt(ID, 1).channel(0))).toBe(4);
  }
});

test("words in another language are recognised again with the model that the job waited for", async () => {
  const stored = await earlier(1, "one");
  const foreign = { segments: [], seconds: 1, hasWordsBesides: false, wantedModel: "many" };
  const { outputs, words } = await resume(
    2,
    { ...stored, recognize: { recognizedCount: 1, foreign, attempt: 1 } },
    "many",
  );
  expect(Object.keys(outputs)).toEqual(["fetch", "decode", "segment"]);
  expect(words).toEqual([]);
});
