import { expect, test } from "vitest";
import { judgeFields } from "./fields.ts";

function judged(fields: Record<string, string>) {
  const problems: string[] = [];
  const form = new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
  return { ...judgeFields(form, problems), problems };
}

test.each([
  ["whisper-1", "srt", false, true],
  ["whisper-1", "verbose_json", false, true],
  ["whisper-1", "json", true, false],
  ["gpt-4o-transcribe", "json", true, false],
])("stream with the model %s and the format %s", (model, format, isStreamed, hasWarning) => {
  const form = judged({ model, response_format: format, stream: "true" });
  expect(form).toMatchObject({ isStreamed, problems: [] });
  expect(form.warnings.some((warning) => warning.startsWith("stream has no effect"))).toBe(hasWarning);
});

test("a stream of subtitles is refused where the interface streams", () => {
  const { problems } = judged({ model: "gpt-4o-transcribe", response_format: "srt", stream: "true" });
  expect(problems).toEqual(["stream needs response_format json, text or diarized_json"]);
});

test("of 4,000 unknown languages five are explained, and lists are bounded", () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `unknown name ${at}`).join(",");
  const form = { model: "whisper-1", languages: names(4_000), language: names(150) };
  const { problems, languages } = judged(form);
  expect(languages).toEqual([]);
  expect(problems).toEqual([
    expect.stringMatching(/^language must be .*"unknown name 0" is not one.*; 145 further names are unknown, too$/),
    "languages must not have more than 200 languages; it has 4000",
  ]);
});

test.each([
  [{ timestamp_granularities: '["word","segment"]' }, ["word", "segment"]],
  [{ timestamp_granularities: "word, segment" }, ["word", "segment"]],
  [{ timestamp_granularities: "word" }, ["word"]],
])("lists in one field: %j", (fields, granularities) => {
  expect(judged({ model: "whisper-1", response_format: "verbose_json", ...fields })).toMatchObject({
    ...{ granularities, problems: [] },
  });
});

test("keywords and languages as JSON, and hotwords with commas", () => {
  const form = judged({
    model: "whisper-1",
    keywords: '["Ada, Lovelace"]',
    hotwords: "ENIAC, n8n",
    languages: '["de","en"]',
  });
  expect(form).toMatchObject({ keywords: ["Ada, Lovelace", "ENIAC", "n8n"], languages: ["de", "en"], problems: [] });
});

test("a prompt that is a list in brackets stays one prompt", () => {
  const prompt = '["Ada Lovelace", "Grace Hopper"]';
  expect(judged({ model: "whisper-1", prompt, language: '["en","de"]' })).toMatchObject({
    ...{ prompt, languages: ["en", "de"], problems: [] },
  });
});

test("a field is named by which a term is too long", () => {
  const { problems } = judged({ model: "whisper-1", hotwords: `Ada,${"x".repeat(201)}` });
  expect(problems).toEqual([expect.stringMatching(/^hotwords must not be longer than 200 characters each/)]);
});

test.each(["", undefined])("without a model (%j), the default one is used with a warning", (model) => {
  const form = judged(model === undefined ? {} : { model });
  expect(form).toMatchObject({
    model: "whisper-1",
    problems: [],
    warnings: ["model is missing: the default model is used"],
  });
});

test("parameters of server_vad have no effect and a warning each; another strategy is refused", () => {
  const strategy = JSON.stringify({ type: "server_vad", silence_duration_ms: 200, threshold: null });
  const form = judged({
    model: "whisper-1",
    chunking_strategy: strategy,
    "chunking_strategy[prefix_padding_ms]": "300",
  });
  expect(form.problems).toEqual([]);
  expect(form.warnings.map((warning) => warning.split(" ")[0])).toEqual([
    "chunking_strategy.prefix_padding_ms",
    "chunking_strategy.silence_duration_ms",
  ]);
  expect(judged({ model: "whisper-1", chunking_strategy: "fixed" }).problems).toHaveLength(1);
});

test("a list with too many entries is refused by its number, and one with unknown values names the first of them", () => {
  const problems = (name: string, text: string) => judged({ model: "whisper-1", [name]: text }).problems;
  for (const name of ["hotwords", "include", "language", "timestamp_granularities"]) {
    expect(problems(name, "a,".repeat(5_000))).toContain(`${name} must not have more than 5000 entries`);
  }
  const unknown = problems("timestamp_granularities", Array.from({ length: 100 }, (_, at) => `unknown${at}`).join());
  expect(unknown).toHaveLength(21);
  expect(unknown.at(-1)).toBe("timestamp_granularities has 80 more values that are not allowed");
});

test("an empty numerals is its default, as if it were not sent", () => {
  expect(judged({ model: "whisper-1", numerals: " " })).toMatchObject({ numerals: true, problems: [] });
  expect(judged({ model: "whisper-1", numerals: "false" })).toMatchObject({ numerals: false });
});
