import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeTinyLanguageModel } from "../../../test/fixtures/tiny-language-model.ts";
import { configuredModelProblems, type ModelSettings } from "./configured-models.ts";
import { installModel } from "./installer.ts";
import { chosenLanguageModel } from "./language-model-choice.ts";
import { ModelStore } from "./store.ts";

const DEFAULTS = {
  multilingualModel: "whisper-small",
  speakerModel: "pyannote-campplus",
  turnModel: "smart-turn-v3.2",
};
const SETTINGS: ModelSettings = { ...DEFAULTS, languageModel: "", languageModelUrl: "", fetchModels: true };
let folder: string;
let store: ModelStore;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-configured-"));
  store = new ModelStore(path.join(folder, "models"));
  const file = writeTinyLanguageModel(path.join(folder, "tiny.gguf"));
  await installModel(file, store, { hub: { base: "http://127.0.0.1:9" }, progress: () => undefined });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const problems = (settings: Partial<ModelSettings>) =>
  configuredModelProblems(store, { ...SETTINGS, ...settings }, DEFAULTS);

test("defaults are no problem, with and without fetching", async () => {
  expect(await problems({})).toEqual([]);
  expect(await problems({ fetchModels: false })).toEqual([]);
});

test("a language model that the setting names is never replaced by another one", async () => {
  expect((await chosenLanguageModel(store, ""))?.id).toBe("tiny");
  expect((await chosenLanguageModel(store, "tiny"))?.id).toBe("tiny");
  expect(await chosenLanguageModel(store, "granite-3.3-2b-instruct")).toBeUndefined();
  expect(await chosenLanguageModel(store, "off")).toBeUndefined();
});

test("a name of no model is reported for each kind, with what to do", async () => {
  const found = await problems({
    multilingualModel: "whispr",
    speakerModel: "piannote",
    turnModel: "turn",
    languageModel: "qwen",
  });
  expect(found).toHaveLength(4);
  for (const name of ["whispr", "piannote", "turn", "qwen"])
    expect(found.join("\n")).toMatch(new RegExp(`is "${name}".*models list`));
});

test("a model of another kind is reported, too", async () => {
  expect(await problems({ multilingualModel: "pyannote-campplus" })).toHaveLength(1);
  expect(await problems({ speakerModel: "whisper-small" })).toHaveLength(1);
  expect(await problems({ turnModel: "pyannote-campplus" })).toHaveLength(1);
});

test("without fetching, a model that is not installed is reported with the command that adds it", async () => {
  const own = { languageModel: "granite-3.3-2b-instruct" };
  expect(await problems(own)).toEqual([]);
  expect(await problems({ ...own, fetchModels: false })).toEqual([
    expect.stringMatching(/PARLANCE_LANGUAGE_MODEL is "granite-3\.3-2b-instruct".*models add granite/),
  ]);
  expect(await problems({ ...own, fetchModels: false, languageModelUrl: "http://127.0.0.1:1/v1" })).toEqual([]);
});
