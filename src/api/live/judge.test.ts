import { expect, test } from "vitest";
import { judgeLiveBody } from "./judge.ts";

const RULES = { allowPrivateAddresses: false, strictRequests: false };
const judge = (given: Record<string, unknown>, rules: Partial<typeof RULES> = {}) =>
  judgeLiveBody(given, { ...RULES, ...rules });
const problem = (given: Record<string, unknown>, rules: Partial<typeof RULES> = {}): string => {
  try {
    judge(given, rules);
  } catch (error) {
    return (error as { fields?: string[] }).fields?.join("; ") ?? String(error);
  }
  return "";
};

test("a request has the defaults of POST /v2/live, tags of languages, and switches that are texts", () => {
  const { body, warnings } = judge({ language_config: { languages: ["en-US"] }, diarization: "true" });
  expect(body).toMatchObject({
    ...{ encoding: "wav/pcm", sample_rate: 16_000, endpointing: 0.05, diarization: true },
    language_config: { languages: ["en"], code_switching: false },
  });
  expect(warnings).toEqual([]);
});

test("masking of English words is named where English is neither spoken nor written", () => {
  const masking = (languages: string[], target?: string) =>
    judge({
      language_config: { languages },
      realtime_processing: {
        profanity_filter: true,
        ...(target === undefined ? {} : { translation: true, translation_config: { target_languages: [target] } }),
      },
    }).warnings;
  const warning = "realtime_processing.profanity_filter has no effect: it masks English words only";
  expect(masking(["de"])).toEqual([warning]);
  expect(masking(["de"], "fr")).toEqual([warning]);
  expect(masking(["de"], "en")).toEqual([]);
  expect(masking(["de", "en"])).toEqual([]);
  expect(masking([])).toEqual([]);
});

test("what has no effect is named; strict services refuse fields that do not exist", () => {
  const given = { clever: true, callback_config: { url: "https://example.com/" } };
  expect(judge(given).warnings).toEqual([
    expect.stringMatching(/^clever is not a field/),
    "callback_config has no effect without callback: true",
  ]);
  expect(problem(given, { strictRequests: true })).toMatch(/^clever must not be sent/);
});

test.each([
  [{ endpointing: "soon" }, /endpointing must be/],
  [{ channels: 9 }, /channels must not be greater than 8/],
  [{ callback: true }, /callback_config.url is required/],
  [{ callback: true, callback_config: { url: "http://127.0.0.1/" } }, /callback_config.url/],
  [{ custom_metadata: { text: "x".repeat(3_000) } }, /custom_metadata must not be longer than 2000/],
  [{ custom_metadata: { text: "a\0b" } }, /custom_metadata.text/],
  [{ turn_detection: { minimum_silence: 3, maximum_silence: 1 } }, /must not be greater than/],
])("%j is refused", (given, reason) => {
  expect(problem(given)).toMatch(reason);
});
