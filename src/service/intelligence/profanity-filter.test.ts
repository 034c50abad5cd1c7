import { expect, test } from "vitest";
import type { Transcription, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { withProfanityMasked } from "./profanity-filter.ts";
import { runAddons } from "./run-addons.ts";

function utterance(text: string, language = "en"): Utterance {
  const words = text.split(/(?=\s)/).map((word, at) => ({ word, start: at, end: at + 0.5, confidence: 0.9 }));
  return { text, words, start: 0, end: words.length, language, confidence: 0.9, channel: 0 };
}

const masked = (text: string, kept: string[] = []) => withProfanityMasked(utterance(text), new Set(kept)).text;

test.each([
  ["That is bullshit, you fucking idiot!", "That is b*******, you f****** idiot!"],
  ["Shit's broken.", "S***'s broken."],
  ["The sex of a rape victim, her vagina and an orgasm.", "The sex of a rape victim, her vagina and an orgasm."],
  ["A spastic colon, and the scat singer; fuck.", "A spastic colon, and the scat singer; f***."],
  ["Moby Dick and Scunthorpe pass.", "Moby Dick and Scunthorpe pass."],
  ["The cock-and-bull story of a shuttlecock.", "The cock-and-bull story of a shuttlecock."],
])("%s", (text, expected) => {
  expect(masked(text)).toBe(expected);
});

test("words of the caller stay, other languages too, and words have the masked text", () => {
  expect(masked("The Shit app.", ["shit"])).toBe("The Shit app.");
  const german = utterance("Shit happens.", "de");
  expect(withProfanityMasked(german, new Set())).toBe(german);
  const { words, text } = withProfanityMasked(utterance("Oh shit, no."), new Set());
  expect(words.map(({ word }) => word)).toEqual(["Oh", " s***,", " no."]);
  expect(text).toBe("Oh s***, no.");
});

test("moderation reads the words themselves, and quotes the masked text", async () => {
  const utterances = [utterance("Um, fine."), utterance("This is, uh, bullshit.")];
  const transcription: Transcription = { full_transcript: "", languages: ["en"], utterances };
  const result = { metadata: { audio_duration: 9 }, transcription } as TranscriptionResult;
  await runAddons(result, { moderation: true, profanity_filter: true, filler_words: "drop" }, {});
  expect(result.transcription.full_transcript).toBe("Fine. This is b*******.");
  expect(result["moderation"]).toMatchObject({ results: [{ utterance_id: 1, text: "This is b*******." }] });
  expect(result["profanity_filter"]).toBeUndefined();
});

test("a transcript in another language says that nothing is masked", async () => {
  const transcription: Transcription = {
    full_transcript: "",
    languages: ["de"],
    utterances: [utterance("Mist.", "de")],
  };
  const result = { metadata: { audio_duration: 9 }, transcription } as TranscriptionResult;
  await runAddons(result, { profanity_filter: true }, {});
  expect(result["profanity_filter"]).toMatchObject({ success: false, error: { exception: "NotAvailable" } });
});

test("an English translation is masked, and the filter of other languages does not fail", async () => {
  const utterances = [{ ...utterance("Mist.", "de") }];
  const transcription: Transcription = { full_transcript: "", languages: ["de"], utterances };
  const result = { metadata: { audio_duration: 9 }, transcription } as TranscriptionResult;
  const params = { translation: true, translation_config: { target_languages: ["en"] }, profanity_filter: true };
  await runAddons(result, params, {}, { english: [utterance("Oh shit.")] });
  expect(result["profanity_filter"]).toBeUndefined();
  expect(result["translation"]).toMatchObject({ results: [{ full_transcript: "Oh s***." }] });
});
