import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelsFolder } from "./store-settings.ts";

const folders = { cache: "/cache/parlance", config: "", state: "" };
const unnamed = { modelsDirectory: "", dataDirectory: "./data" };
const started = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-store-settings-"));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(started);
  rmSync(folder, { recursive: true });
});

test("working folders without a data folder of their own share the user's cache", () => {
  expect(modelsFolder(unnamed, folders)).toBe("/cache/parlance/models");
});

test("a folder that the settings name has the models, and so has a process without a home directory", () => {
  expect(modelsFolder({ ...unnamed, modelsDirectory: "/models" }, folders)).toBe("/models");
  expect(modelsFolder({ ...unnamed, dataDirectory: "/srv/data" }, folders)).toBe("/srv/data/models");
  expect(modelsFolder(unnamed, { cache: "", config: "", state: "" })).toBe("data/models");
});

test("models that an earlier version fetched to the data folder are used; unfinished ones are not", () => {
  mkdirSync("data/models/.making-x", { recursive: true });
  expect(modelsFolder(unnamed, folders)).toBe("/cache/parlance/models");
  mkdirSync("data/models/whisper-small");
  expect(modelsFolder(unnamed, folders)).toBe("data/models");
});
