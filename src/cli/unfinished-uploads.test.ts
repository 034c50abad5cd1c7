import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnfinishedUpload } from "./unfinished-uploads.ts";

const LONG_AGO = new Date(Date.now() - 30 * 24 * 3_600_000);
const UPLOAD_PATH = "/v2/upload/resumable/abc";
const local = (file: string) => ({ file, size: 3, modified: 1 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-state-"));
  vi.stubEnv("XDG_STATE_HOME", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("old records are removed, and no other file of the folder, which may be a link", async () => {
  const real = path.join(folder, "documents");
  mkdirSync(real);
  mkdirSync(path.join(folder, "parlance"));
  symlinkSync(real, path.join(folder, "parlance/uploads"));
  const record = "a".repeat(64);
  const part = `${record}.json.01a22491-7d88-77e7-81bb-d3e2b7c344da.part`;
  for (const name of ["thesis.odt", "notes.json", `${record}.json`, part]) {
    writeFileSync(path.join(real, name), "x");
    utimesSync(path.join(real, name), LONG_AGO, LONG_AGO);
  }
  const upload = new UnfinishedUpload("http://a.example", local("talk.wav"));
  await upload.keep(UPLOAD_PATH);
  expect(await upload.find()).toEqual({ kind: "continue", path: UPLOAD_PATH });
  expect(readdirSync(real).filter((name) => !/^[0-9a-f]{64}\.json$/.test(name))).toEqual(["notes.json", "thesis.odt"]);
  expect(readdirSync(real)).not.toContain(`${record}.json`);
});

test.each([0, -1, 1.5, 2 ** 40])("a record of process %d, which cannot run, is continued", async (id) => {
  const upload = new UnfinishedUpload("http://a.example", local("talk.wav"));
  await upload.keep(UPLOAD_PATH);
  const [name = ""] = readdirSync(path.join(folder, "parlance/uploads"));
  const file = path.join(folder, "parlance/uploads", name);
  const record = { server: "http://a.example", ...local(path.resolve("talk.wav")), path: UPLOAD_PATH, process: id };
  writeFileSync(file, JSON.stringify(record));
  expect(await upload.find()).toEqual({ kind: "continue", path: UPLOAD_PATH });
});
