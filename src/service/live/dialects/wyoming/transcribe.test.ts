import { expect, test } from "vitest";
import { liveBodyOf, readTranscribe } from "./transcribe.ts";

const FORMAT = { rate: 16_000, width: 2, channels: 1 };
const fieldsOf = (data: Record<string, unknown>, isStrict = false) => {
  try {
    readTranscribe(data, isStrict);
    return [];
  } catch (error) {
    return (error as { fields: string[] }).fields;
  }
};

test("language, model, names and terms configure the session; names weigh more than terms", () => {
  const options = readTranscribe(
    {
      name: "whisper-1",
      language: "pt-BR",
      transcript_names: ["Kitchen light", " Kitchen light ", ""],
      transcript_terms: ["dim", "Kitchen light"],
      context: null,
      vad_sensitivity: null,
    },
    true,
  );
  expect(options.warnings).toEqual([]);
  expect(options.model).toBe("whisper-1");
  const body = liveBodyOf(options, FORMAT, "a-model");
  expect(body.language_config?.languages).toEqual(["pt"]);
  expect(body.realtime_processing?.custom_vocabulary_config?.vocabulary).toEqual([
    { value: "Kitchen light", intensity: 0.6 },
    { value: "dim", intensity: 0.4 },
  ]);
  expect(body).toMatchObject({ model: "a-model", sample_rate: 16_000, bit_depth: 16, channels: 1 });
});

test("without fields, and with auto, the language is detected", () => {
  expect(readTranscribe({}, false).languages).toEqual([]);
  expect(readTranscribe({ language: "auto" }, false).languages).toEqual([]);
});

test("fields without effect are named, and refused where requests are strict", () => {
  const data = { context: { a: 1 }, vad_sensitivity: "relaxed", beam_size: 5 };
  expect(readTranscribe(data, false).warnings).toEqual([
    expect.stringMatching(/^context has no effect/),
    expect.stringMatching(/^vad_sensitivity has no effect/),
    expect.stringMatching(/^"beam_size" has no effect/),
  ]);
  expect(fieldsOf(data, true)).toEqual([expect.stringMatching(/^"beam_size" has no effect/)]);
});

test("every value that cannot be used is named", () => {
  expect(fieldsOf({ language: "jp", name: 5, transcript_names: "Kitchen", transcript_terms: [["deep"], "x"] })).toEqual(
    [
      expect.stringMatching(/^language must be ISO 639 .*"jp" is not one; similar: ja/),
      expect.stringMatching(/^transcript_names must be a list/),
      expect.stringMatching(/^transcript_terms must contain texts .*; one is a list/),
      expect.stringMatching(/^name must be a text .*; it is 5/),
    ],
  );
  expect(fieldsOf({ transcript_terms: ["a\u0000b"], name: "\ud800" })).toHaveLength(2);
  expect(
    fieldsOf({ transcript_names: Array(3_000).fill(0).map(String), transcript_terms: Array(6_000).fill("x") }),
  ).toEqual([expect.stringMatching(/^transcript_terms must be a list of at most 5000/)]);
});
