import { describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../speech/engines/registry.ts";
import { englishTranslatorOf, type LanguageRequest, planSpeech } from "./speech-plan.ts";
import type { InstalledModel } from "./store.ts";

const capabilities = {
  wordTimes: true,
  confidence: true,
  continuation: true,
  vocabulary: true,
  languageDetection: true,
  bearsPauses: true,
  translation: true,
};
const installed = (id: string, languages: string[], changed = {}): InstalledModel => ({
  id,
  engine: "whisper",
  folder: id,
  languages,
  licence: "MIT",
  capabilities: { ...capabilities, ...changed },
});
const WHISPER = installed("whisper-small", ["en", "es", "de", "zh"]);
const PARAKEET = installed("parakeet", ["en", "es", "de"], { languageDetection: false, translation: false });
const settings = {
  model: "moonshine-base-en",
  multilingualModel: "whisper-small",
  keepsEnglish: true,
  fetchModels: true,
};
const plan = (request: Partial<LanguageRequest>, models: InstalledModel[] = [], changed = {}) =>
  planSpeech({ languages: [], codeSwitching: false, ...request }, [...BUILT_IN_MODELS, ...models], {
    ...settings,
    ...changed,
  });
const ENGLISH = { model: "moonshine-base-en", languages: ["en"], isSwitching: false };

describe("a request that names no model", () => {
  test("for English alone goes to the English model, whatever is installed", () => {
    for (const codeSwitching of [true, false]) {
      expect(plan({ languages: ["en"], codeSwitching }, [WHISPER])).toEqual(ENGLISH);
    }
    expect(plan({ languages: ["en"], model: "solaria-1" })).toEqual(ENGLISH);
  });
  test("any language uses the multilingual model, and English the English one", () => {
    const any = { model: "whisper-small", englishModel: "moonshine-base-en", languages: [], isSwitching: false };
    expect(plan({}, [WHISPER])).toEqual(any);
    expect(plan({ codeSwitching: true }, [WHISPER])).toEqual({ ...any, isSwitching: true });
    expect(plan({}, [WHISPER], { keepsEnglish: false })).toEqual({
      model: "whisper-small",
      languages: [],
      isSwitching: false,
    });
    // No installed model detects languages: English, as without any other model.
    expect(plan({ codeSwitching: true })).toEqual(ENGLISH);
  });
  test("a given language is used without detection; the preferred model that supports it is chosen", () => {
    expect(plan({ languages: ["es"], codeSwitching: true }, [PARAKEET, WHISPER])).toEqual({
      model: "whisper-small",
      languages: ["es"],
      isSwitching: false,
    });
    expect(plan({ languages: ["es"] }, [PARAKEET]).model).toBe("parakeet");
  });
  test("several languages require a model that distinguishes them", () => {
    expect(plan({ languages: ["es", "de"] }, [PARAKEET, WHISPER])).toMatchObject({ model: "whisper-small" });
    expect(plan({ languages: ["es", "de"] }, [WHISPER])).not.toHaveProperty("englishModel");
    expect(plan({ languages: ["es", "en"] }, [WHISPER])).toHaveProperty("englishModel");
  });
  test("a language that no installed model supports fetches a model, or the error names the command", () => {
    expect(plan({ languages: ["fi"] }).model).toBe("whisper-small");
    const refused = () => plan({ languages: ["fi"] }, [], { fetchModels: false });
    expect(refused).toThrow(/No installed model recognises fi.*npx --no-install parlance models add whisper-small/);
    // The multilingual model itself would not know it.
    expect(() => plan({ languages: ["fi"] }, [], { multilingualModel: "whisper-small.en" })).toThrow(/recognises fi/);
    expect(plan({ languages: ["en", "fi"] }, [], { fetchModels: false })).toEqual(ENGLISH);
  });
});

describe("a request that names a model", () => {
  test("a named model is the only one used", () => {
    expect(plan({ model: "whisper-small" }, [WHISPER])).toEqual({
      model: "whisper-small",
      languages: [],
      isSwitching: false,
    });
    expect(plan({ model: "whisper-small", languages: ["en"] }, [WHISPER]).languages).toEqual(["en"]);
  });
  test("is refused with a remedy", () => {
    expect(() => plan({ model: "whisper-tiny" })).toThrow(/npx --no-install parlance models add whisper-tiny/);
    expect(() => plan({ model: "moonshine-base-en", languages: ["es"] })).toThrow(/does not know es, only en/);
    expect(() => plan({ model: "gpt-9" })).toThrow(expect.objectContaining({ code: "request.invalid" }));
  });
});

test("the model that recognised English transcribes it, or another that supports it", () => {
  const spanish = { model: "parakeet", languages: ["es"], isSwitching: false };
  expect(englishTranslatorOf(spanish, [PARAKEET, WHISPER])).toBe("whisper-small");
  expect(englishTranslatorOf({ ...spanish, model: "whisper-small" }, [WHISPER])).toBe("whisper-small");
  expect(englishTranslatorOf(spanish, [PARAKEET])).toBeUndefined();
});
