import { expect, test } from "vitest";
import { ListenQuery } from "../../contract/deepgram-recorded.ts";
import { listenModel } from "../../service/deepgram/models.ts";
import type { ModelStore } from "../../service/models/store.ts";
import { listenOptions, listenParameters } from "./query.ts";

const problemsOf = (query: object): string[] => {
  try {
    listenOptions(query);
    return [];
  } catch (error) {
    return (error as { fields: string[] }).fields;
  }
};
const parametersOf = (query: object) => listenParameters(listenOptions(query), "model");

test("without parameters English is transcribed in plain words", () => {
  expect(listenOptions({})).toMatchObject({ punctuates: false, paragraphs: false, splitSeconds: 0.8, warnings: [] });
  expect(parametersOf({})).toEqual({
    model: "model",
    language_config: { languages: ["en"], code_switching: false },
    numerals: false,
  });
});

test("smart_format means punctuation, numerals and paragraphs", () => {
  expect(listenOptions({ smart_format: "true" })).toMatchObject({ punctuates: true, numerals: true, paragraphs: true });
  expect(listenOptions({ paragraphs: "true" })).toMatchObject({ punctuates: true, numerals: false });
});

test.each([
  [{ language: "pt-BR" }, ["pt"], false],
  [{ language: "multi" }, [], true],
  [{ detect_language: "true" }, [], false],
  [{ language: "multi", language_hint: ["es", "en-US"] }, ["es", "en"], true],
  [{ detect_language: "true", language_hint: "es" }, ["es"], false],
  [{ detect_language: ["en", "es"] }, ["en", "es"], false],
  [{ detect_language: "false", language: "de" }, ["de"], false],
])("%j is a choice of languages", (query, languages, code_switching) => {
  expect(parametersOf(query).language_config).toEqual({ languages, code_switching });
});

test("hints of one language are named in a warning, unknown ones are refused", () => {
  expect(listenOptions({ language: "de", language_hint: "es" }).warnings).toEqual([
    expect.objectContaining({ parameter: "language_hint", type: "no_effect" }),
  ]);
  expect(problemsOf({ language: "multi", language_hint: "klingon" })).toEqual([
    expect.stringMatching(/^language_hint must be .*"klingon" is not one/),
  ]);
});

test("terms, replacements and redaction become parameters of the job", () => {
  const query = {
    ...{ keyterm: ["Ada Lovelace", "ENIAC"], keywords: "snuffleupagus:5", diarize_model: "latest" },
    ...{ replace: ["colour:color", "color:color", "um"], redact: ["pci", "ssn"], summarize: "v2" },
  };
  expect(parametersOf(query)).toMatchObject({
    diarization: true,
    custom_vocabulary_config: { vocabulary: ["Ada Lovelace", "ENIAC", "snuffleupagus"] },
    custom_spelling_config: { spelling_dictionary: { color: ["colour", "color"], "": ["um"] } },
    pii_redaction_config: { entity_types: ["PCI", "SSN"] },
    summarization: true,
  });
});

test("raw samples have an encoding, a rate and channels", () => {
  const raw = { encoding: "mulaw", sampleRate: 8_000, channels: 2 };
  expect(listenOptions({ encoding: "mulaw", sample_rate: "8000", channels: "2" }).raw).toEqual(raw);
  expect(listenOptions({ encoding: "flac" }).raw).toBeUndefined();
});

test("what has no effect is a warning with its parameter", () => {
  const query = {
    ...{
      measurements: "true",
      dictation: "true",
      alternatives: "3",
      version: "2024-01-09.29447",
    },
    ...{ sample_rate: "8000", detect_language: "true", language: "en", keywords: ["a:2", "b:-1"] },
  };
  expect(
    listenOptions(query)
      .warnings.map(({ parameter }) => parameter)
      .sort(),
  ).toEqual([
    ...["alternatives", "dictation", "keywords", "keywords", "language", "measurements"],
    ...["sample_rate", "version"],
  ]);
  expect(listenOptions({ measurements: "false", mip_opt_out: "true" }).warnings).toEqual([]);
});

test("fillers and profanity", () => {
  expect(listenOptions({}).style).toEqual({});
  expect(listenOptions({ filler_words: "true" }).style).toEqual({ filler_words: "keep" });
  expect(listenOptions({ filler_words: "false", profanity_filter: "true" }).style).toEqual({
    filler_words: "drop",
    profanity_filter: true,
  });
  expect(listenOptions({ profanity_filter: "true", language: "de" }).warnings).toMatchObject([
    { parameter: "profanity_filter" },
  ]);
});

test("every parameter that the description calls refused is refused, unless it is false", () => {
  const refused = Object.entries(ListenQuery.properties).filter(
    ([, schema]) => "description" in schema && /refused/.test(String(schema.description)),
  );
  expect(refused.length).toBeGreaterThan(5);
  for (const [name] of refused) {
    expect(problemsOf({ [name]: "x" })).toEqual([expect.stringContaining(`${name} is not available`)]);
    expect(() => listenOptions({ [name]: "false" })).not.toThrow();
  }
});

test.each([
  [{ callback: "https://x.example" }, /^callback is not available/],
  [{ custom_topic: ["a", "b"] }, /^custom_topic is not available/],
  [{ punctuate: "perhaps" }, /^punctuate must be true or false; it is "perhaps"/],
  [{ punctuate: ["true", "false"] }, /^punctuate must be sent once/],
  [{ utt_split: "-1" }, /^utt_split must be a number from 0 to 60/],
  [{ language: "jp" }, /^language .*similar: ja \(Japanese\)/],
  [{ encoding: "g729", sample_rate: "8000" }, /^encoding must be one of .*it is "g729"/],
  [{ encoding: "linear16" }, /^sample_rate is required with encoding/],
  [{ redact: "everything" }, /^redact must be pci/],
  [{ redact: "constructor" }, /^redact must be pci/],
  [{ replace: ":x" }, /^replace must be find:replacement/],
  [{ extra: "x" }, /^extra must be key:value/],
  [{ summarize: "v3" }, /^summarize must be v2/],
])("%j is refused by its name", (query, sentence) => {
  expect(problemsOf(query)).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
});

test.each(["nova-3", "nova-2-phonecall", "nova-3-medical", "enhanced", "base-general", "whisper-large", "2-general"])(
  "%s means the default model",
  async (name) => {
    const models = { find: async () => undefined, list: async () => [] } as unknown as ModelStore;
    expect(await listenModel(name, models)).toBe("solaria-1");
  },
);

test("an installed model has its own name, and others do not exist", async () => {
  const find = async (name: string) => (name === "whisper-base" ? { id: name } : undefined);
  const models = { find, list: async () => [{ id: "whisper-base" }] } as unknown as ModelStore;
  expect(await listenModel("whisper-base", models)).toBe("whisper-base");
  await expect(listenModel("parakeet", models)).rejects.toThrow(/parakeet/);
});
