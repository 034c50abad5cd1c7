// The downloads that options lead to are named before a recording is sent.
import { expect, test } from "vitest";
import { neededModels } from "../src/needed-models.ts";
import type { SpeechModel } from "../src/shapes.ts";

const model = (id: string, purpose: SpeechModel["purpose"], more: Partial<SpeechModel> = {}): SpeechModel => ({
  ...{ id, purpose, installed: false, built_in: false, languages: 1, codes: [], licence: "MIT", note: "" },
  ...{ bytes: 250e6, on_demand: true, fetching: null, failure: null },
  ...more,
});
const ENGLISH = model("english", "recognition", { installed: true, on_demand: false, codes: ["en"] });
const ALL = [
  ENGLISH,
  model("other", "recognition", { on_demand: false, languages: 99 }),
  model("many", "recognition", { languages: 99 }),
  model("voices", "speakers"),
  model("writer", "language-model"),
  model("de-en", "translation", { codes: ["de", "en"] }),
  model("en-fr", "translation", { codes: ["en", "fr"] }),
  model("en-es", "translation", { codes: ["en", "es"], installed: true, on_demand: false }),
];
const needed = (options: Record<string, unknown>, all = ALL) => neededModels(options, all).map(({ id }) => id);
const into = (...target_languages: string[]) => ({ translation: true, translation_config: { target_languages } });

test.each([
  ["nothing is chosen", {}, []],
  ["English", { language_config: { languages: ["en"] } }, []],
  ["another language", { language_config: { languages: ["en", "de"] } }, ["many"]],
  ["another language and a model for it", { model: "own", language_config: { languages: ["de"] } }, []],
  ["speakers", { diarization: true }, ["voices"]],
  ["two options of a language model", { action_items: true, questions: true }, ["writer"]],
  ["an option that is off", { diarization: false, audio_to_llm: false }, []],
  ["a translation from English", into("fr", "es"), ["en-fr"]],
  [
    "a translation by way of English",
    { language_config: { languages: ["de"] }, ...into("fr", "de") },
    ["many", "de-en", "en-fr"],
  ],
])("%s", (_, options, ids) => {
  expect(needed(options)).toEqual(ids);
});

test("a machine that fetches no models, or that has them, downloads nothing", () => {
  const all = { diarization: true, action_items: true, language_config: { languages: ["de"] } };
  expect(
    needed(
      all,
      ALL.map((one) => ({ ...one, on_demand: false })),
    ),
  ).toEqual([]);
  expect(
    needed(
      all,
      ALL.map((one) => ({ ...one, installed: true })),
    ),
  ).toEqual([]);
});
