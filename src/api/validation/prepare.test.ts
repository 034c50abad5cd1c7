import { expect, test } from "vitest";
import { LiveBody } from "../../contract/live.ts";
import { PreRecordedBody } from "../../contract/pre-recorded.ts";
import { prepare } from "./prepare.ts";
import { UnknownFields } from "./unknown-fields.ts";

function prepared(body: object, schema: typeof PreRecordedBody | typeof LiveBody = PreRecordedBody) {
  const unknown = new UnknownFields();
  return { body: prepare(schema, body, unknown), warnings: unknown.warnings() };
}

test("unknown fields are left out at every depth, and each is named with the one that resembles it", () => {
  const { body, warnings } = prepared({
    audio_url: "https://example.com/a.wav",
    diarisation: true,
    diarization_config: { min_speaker: 2, max_speakers: 3 },
    custom_vocabulary_config: { vocabulary: ["a", { value: "b", weight: 2 }] },
    words_accurate_timestamps: false,
    enhanced: false,
    nothing: null,
  });
  expect(body).toEqual({
    audio_url: "https://example.com/a.wav",
    diarization_config: { max_speakers: 3 },
    custom_vocabulary_config: { vocabulary: ["a", { value: "b" }] },
  });
  expect(warnings).toEqual(
    expect.arrayContaining([
      "diarisation is not a field of this request and was ignored; did you mean diarization?",
      "diarization_config.min_speaker is not a field of this request and was ignored; did you mean min_speakers?",
      expect.stringMatching(/^custom_vocabulary_config\.vocabulary\.1\.weight is not a field/),
    ]),
  );
  expect(warnings).toHaveLength(3);
});

test("a former switch is named where it is on", () => {
  const { warnings } = prepared(
    { pii_redaction: true, realtime_processing: { words_accurate_timestamps: false } },
    LiveBody,
  );
  expect(warnings).toEqual([expect.stringMatching(/^pii_redaction is not a field/)]);
  expect(prepared({ pii_redaction: false }, LiveBody).warnings).toEqual([]);
});

test("many unknown fields make a bounded list", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
  const { warnings } = prepared({ audio_url: "https://example.com/", ...many });
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toMatch(/^480 more unknown fields/);
});

test("languages become codes of the table, each once; auto becomes no choice", () => {
  const languages = (given: unknown) =>
    (prepared({ language_config: { languages: given } }).body as { language_config: { languages: unknown } })
      .language_config.languages;
  expect(languages(["en-US", "EN", "English", "pt_BR"])).toEqual(["en", "pt"]);
  expect(languages(["auto"])).toEqual([]);
  expect(languages(["auto", "en"])).toEqual(["auto", "en"]);
  expect(languages(["xx"])).toEqual(["xx"]);
  expect(prepared({ language: "auto" }).body).toEqual({});
  expect(prepared({ language: "zh-Hant" }).body).toEqual({ language: "zh" });
  expect(prepared({ translation_config: { target_languages: ["Wolof", "iw"] } }).body).toEqual({
    translation_config: { target_languages: ["wo", "he"] },
  });
});
