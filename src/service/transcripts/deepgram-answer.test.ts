import { expect, test } from "vitest";
import { transcription, utterance } from "../../../test/fixtures/utterances.ts";
import type { ListenAnswer } from "../../contract/deepgram-recorded.ts";
import type { TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { deepgramAnswer, type ListenAnswerRequest } from "./deepgram-answer.ts";

const REQUEST: ListenAnswerRequest = {
  ...{
    requestId: "00000000-0000-4000-8000-000000000000",
    sha256: "0",
    created: "2026-01-01T00:00:00.000Z",
    channels: 1,
  },
  model: { id: "tiny", engine: "whisper" },
  ...{ punctuates: true, paragraphs: false, utterances: false, splitSeconds: 0.8, multichannel: false },
  ...{ detectsLanguage: false, namesLanguages: false, search: [], languagesHinted: [] },
  ...{ warnings: [], extra: {}, tags: [] },
};

const resultOf = (utterances: Utterance[], metadata: object = {}): TranscriptionResult => ({
  metadata: {
    ...{ audio_duration: 60, number_of_distinct_channels: 2, billing_time: 60, transcription_time: 1 },
    ...metadata,
  },
  transcription: { full_transcript: "", languages: ["en"], utterances },
});

const answerOf = (request: Partial<ListenAnswerRequest>, result: TranscriptionResult) =>
  JSON.parse(deepgramAnswer({ ...REQUEST, ...request }, result).body) as ListenAnswer;

const { utterances } = transcription("It's 5 o'clock, Mr. Smith.", "Well, good-bye!");

test("a transcript has punctuation only on request", () => {
  const [plain] = answerOf({ punctuates: false }, resultOf(utterances)).results.channels[0]?.alternatives ?? [];
  expect(plain?.transcript).toBe("it's 5 o'clock mr smith well good-bye");
  expect(plain?.words.map(({ word }) => word).join(" ")).toBe(plain?.transcript);
  const [punctuated] = answerOf({}, resultOf(utterances)).results.channels[0]?.alternatives ?? [];
  expect(punctuated?.transcript).toBe("It's 5 o'clock, Mr. Smith. Well, good-bye!");
  expect(punctuated?.words[2]).toMatchObject({ word: "o'clock", punctuated_word: "o'clock," });
});

test("masked words keep their asterisks, with and without punctuation", () => {
  const masked = resultOf([utterance("Oh s***, no.")]);
  const [plain] = answerOf({ punctuates: false }, masked).results.channels[0]?.alternatives ?? [];
  expect(plain?.transcript).toBe("oh s*** no");
  const [punctuated] = answerOf({}, masked).results.channels[0]?.alternatives ?? [];
  expect(punctuated?.words[1]).toMatchObject({ word: "s***", punctuated_word: "s***," });
});

test("a failed filter is named in the warnings", () => {
  const failure = { success: false, error: { message: "it works in en" } };
  const failed = { ...resultOf(utterances), profanity_filter: failure, filler_words: failure };
  expect(answerOf({}, failed).metadata.warnings).toMatchObject([
    { parameter: "filler_words", type: "failed", message: "filler_words failed: it works in en" },
    { parameter: "profanity_filter", type: "failed", message: "profanity_filter failed: it works in en" },
  ]);
});

test("languages without spaces have none", () => {
  const words = ["你", "好", "。"].map((word, at) => ({ word, start: at, end: at + 1, confidence: 1 }));
  const chinese = { ...utterance("你"), language: "zh", words, text: "你好。" };
  const { results } = answerOf({}, resultOf([chinese]));
  expect(results.channels[0]?.alternatives[0]?.transcript).toBe("你好。");
});

test("utterances end at a pause of utt_split, and where the speaker changes", () => {
  const [first, second] = utterances as [Utterance, Utterance];
  const request = { utterances: true };
  expect(answerOf(request, resultOf(utterances)).results.utterances).toHaveLength(2);
  const whole = answerOf({ ...request, splitSeconds: 1.5 }, resultOf(utterances)).results.utterances;
  expect(whole).toMatchObject([{ start: first.start, end: second.end }]);
  const speakers = resultOf([
    { ...first, speaker: 0 },
    { ...second, speaker: 1 },
  ]);
  const divided = answerOf({ ...request, splitSeconds: 9 }, speakers).results.utterances;
  expect(divided?.map(({ speaker }) => speaker)).toEqual([0, 1]);
  expect(new Set(divided?.map(({ id }) => id)).size).toBe(2);
});

test("each channel has its own result; channels with one source have the same", () => {
  const channels = [utterance("left", 0, 0), utterance("right", 5, 1)];
  const texts = (request: object, metadata = {}) =>
    answerOf(request, resultOf(channels, metadata)).results.channels.map(
      ({ alternatives }) => alternatives[0]?.transcript,
    );
  expect(texts({ multichannel: true, channels: 2 })).toEqual(["left", "right"]);
  expect(texts({})).toEqual(["left right"]);
  expect(texts({ multichannel: true, channels: 2 }, { number_of_distinct_channels: 1 })).toEqual([
    "left right",
    "left right",
  ]);
});

test("paragraphs have their sentences with times", () => {
  const { results } = answerOf({ paragraphs: true }, resultOf(utterances.map((one, speaker) => ({ ...one, speaker }))));
  const paragraphs = results.channels[0]?.alternatives[0]?.paragraphs;
  expect(paragraphs?.transcript).toBe("\nSpeaker 0: It's 5 o'clock, Mr. Smith.\n\nSpeaker 1: Well, good-bye!");
  expect(paragraphs?.paragraphs).toMatchObject([
    { num_words: 5, speaker: 0, sentences: [{ text: "It's 5 o'clock, Mr. Smith.", start: 0 }] },
    { num_words: 2, speaker: 1 },
  ]);
});

test("a search ignores punctuation and capitals", () => {
  const { results } = answerOf({ search: ["mr smith well", "Smithy"] }, resultOf(utterances));
  expect(results.channels[0]?.search).toMatchObject([
    { query: "mr smith well", hits: [{ snippet: "mr smith well", confidence: 0.9 }] },
    { query: "Smithy", hits: [] },
  ]);
});

test("a detected language has its probability", () => {
  const { results } = answerOf({ detectsLanguage: true }, resultOf(utterances, { language_confidence: 0.97 }));
  expect(results.channels[0]).toMatchObject({ detected_language: "en", language_confidence: 0.97 });
});

test("markers of redaction keep their form", () => {
  const redacted = resultOf([utterance("My number is [SSN_1].")]);
  const { results } = answerOf({ punctuates: false }, redacted);
  expect(results.channels[0]?.alternatives[0]?.transcript).toBe("my number is [SSN_1]");
});

test("an add-on that failed is a warning of its parameter", () => {
  const failed = { success: false, error: { message: "no model" } };
  const { metadata } = answerOf({}, { ...resultOf(utterances), diarization: failed });
  expect(metadata.warnings).toEqual([{ parameter: "diarize", type: "failed", message: "diarize failed: no model" }]);
});

test("warnings are part of the metadata and of the header", () => {
  const warnings = [{ parameter: "dictation", type: "no_effect", message: "dictation has no effect" }];
  const answer = deepgramAnswer({ ...REQUEST, warnings }, resultOf(utterances, { warnings: ["1 s were skipped"] }));
  expect(answer.warnings).toEqual(["dictation has no effect", "1 s were skipped"]);
  expect((JSON.parse(answer.body) as ListenAnswer).metadata.warnings).toHaveLength(2);
});

test("more hits of a search than are listed have a warning", () => {
  const long = (count: number) => {
    const words = Array.from({ length: count }, (_, at) => ({ word: " yes", start: at, end: at + 0.5, confidence: 1 }));
    return { ...(utterances[0] as Utterance), start: 0, end: count, text: "yes ".repeat(count), words };
  };
  const { metadata, results } = answerOf({ search: ["no", "yes"] }, resultOf([long(1_001)]));
  expect(results.channels[0]?.search?.map(({ hits }) => hits.length)).toEqual([0, 1_000]);
  expect(metadata.warnings).toEqual([
    {
      parameter: "search",
      type: "truncated",
      message: '"yes" occurs more than 1000 times; the first 1000 are listed',
    },
  ]);
  expect(answerOf({ search: ["yes"] }, resultOf([long(1_000)])).metadata.warnings).toBeUndefined();
});

test("with multichannel, each channel has the words of its source", () => {
  const [first, second] = utterances as [Utterance, Utterance];
  const spoken = [first, { ...second, channel: 2 }];
  const textsOf = (metadata: object, channels: number) =>
    answerOf({ multichannel: true, channels }, resultOf(spoken, metadata)).results.channels.map(
      ({ alternatives }) => alternatives[0]?.transcript,
    );
  expect(textsOf({ channel_sources: [0, 0, 2, 2] }, 4)).toEqual([first.text, first.text, second.text, second.text]);
  expect(textsOf({}, 3)).toEqual([first.text, "", second.text]);
});

test("with language=multi, words and utterances have their languages, and alternatives the hints", () => {
  const spoken = [utterance("one two three", 0), { ...utterance("uno dos", 5), language: "es" }];
  const request = { namesLanguages: true, languagesHinted: ["es", "en"], utterances: true };
  const { channels, utterances: parts } = answerOf(request, resultOf(spoken)).results;
  const [alternative] = channels[0]?.alternatives ?? [];
  expect(alternative?.words.map(({ language }) => language)).toEqual(["en", "en", "en", "es", "es"]);
  expect(alternative?.languages_hinted).toEqual(["es", "en"]);
  expect(parts?.map(({ languages }) => languages)).toEqual([["en"], ["es"]]);
  const [plain] = answerOf({ utterances: true }, resultOf(spoken)).results.channels[0]?.alternatives ?? [];
  expect(plain).not.toHaveProperty("languages_hinted");
  expect(plain?.words[0]).not.toHaveProperty("language");
});

test("each channel has the language of most of its own words", () => {
  const [english, spanish] = [utterance("one two three", 0, 0), { ...utterance("uno dos", 5, 1), language: "es" }];
  const spoken = [english, spanish, { ...utterance("sí", 8, 1), language: "es" }, utterance("well okay", 9, 1)];
  const languagesOf = (request: object) =>
    answerOf({ detectsLanguage: true, ...request }, resultOf(spoken)).results.channels.map(
      ({ detected_language }) => detected_language,
    );
  expect(languagesOf({ multichannel: true, channels: 3 })).toEqual(["en", "es", undefined]);
  expect(languagesOf({})).toEqual(["en"]);
});
