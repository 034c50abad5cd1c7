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

test("of 10,000 unknown languages five are explained, and lists are bounded", () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `unknown name ${at}`).join(",");
  const form = { model: "whisper-1", languages: names(10_000), language: names(150) };
  const { problems, languages } = judged(form);
  expect(languages).toEqual([]);
  expect(problems).toEqual([
    expect.stringMatching(/^language must be .*"unknown name 0" is not one.*; 145 further names are unknown, too$/),
    "languages must not have more than 200 languages; it has 10000",
  ]);
});
