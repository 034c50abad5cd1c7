import { expect, test } from "vitest";
import { readMessage } from "../../../contract/messages/read-message.ts";
import type { StageContext } from "./stage.ts";
import { vocabularyWarnings } from "./vocabulary-warning.ts";

const MODEL = "parakeet";

/** @param takesTerms  whether the model favours terms; undefined if it was removed */
function warningsOf(params: object, takesTerms: boolean | undefined): Promise<string[]> {
  const models = [{ id: MODEL, type: "recognition", engine: "sherpa", languages: ["en"], installed: true }];
  return vocabularyWarnings({
    job: { params: { model: MODEL, language_config: { languages: ["en"], code_switching: false }, ...params } },
    services: {
      models: { list: async () => models, get: async () => models[0] },
      speech: { model: MODEL, multilingualModel: "", keepsEnglish: true, fetchModels: false },
      recognition: {
        capabilitiesOf: async () => {
          if (takesTerms === undefined) throw new Error("the model was removed");
          return { vocabulary: takesTerms };
        },
      },
    },
  } as unknown as StageContext);
}

const TERMS = { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Vercel"] } };

test("terms that the model does not favour have a warning, which pages show in their language", async () => {
  const warnings = await warningsOf(TERMS, false);
  expect(warnings).toEqual([
    "custom_vocabulary has no effect: the model parakeet does not favour terms; only their pronunciations are replaced",
  ]);
  expect(readMessage(warnings[0] ?? "")?.code).toBe("warning.no_effect");
});

test("no warning without terms, with a model that favours them, or if the model is gone", async () => {
  expect(await warningsOf({}, false)).toEqual([]);
  expect(await warningsOf({ account_words: [{ value: "Vercel" }] }, false)).toEqual([]);
  expect(await warningsOf(TERMS, true)).toEqual([]);
  expect(await warningsOf(TERMS, undefined)).toEqual([]);
});
