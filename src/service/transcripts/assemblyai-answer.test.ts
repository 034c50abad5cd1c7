import { expect, test } from "vitest";
import { transcription, utterance } from "../../../test/fixtures/utterances.ts";
import type { TranscriptJob } from "../../contract/assemblyai-request.ts";
import type { TranscriptBody } from "../../contract/assemblyai-transcript.ts";
import type { Correction } from "../../contract/transcript/correction.ts";
import type { TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { type TranscriptPart, transcriptAnswer } from "./assemblyai-answer.ts";

const ID = "00000000-0000-7000-8000-000000000000";
const FORM = { punctuates: true, formats: true, multichannel: false };
const RECORD: TranscriptBody = {
  ...{ id: ID, status: "completed", audio_url: "https://example.com/a.mp3" },
  ...{ text: null, words: null, utterances: null, confidence: null, audio_duration: null },
};
const WHOLE: TranscriptPart = { kind: "transcript", record: RECORD, channels: 1, reportsLanguage: true };

const resultOf = (utterances: Utterance[], more: object = {}): TranscriptionResult => ({
  metadata: { audio_duration: 60.4, number_of_distinct_channels: 1, billing_time: 60, transcription_time: 1 },
  transcription: { full_transcript: "", languages: ["en"], utterances },
  ...more,
});

const answer = (result: TranscriptionResult, part: TranscriptPart = WHOLE, form: Partial<TranscriptJob["form"]> = {}) =>
  transcriptAnswer({ id: ID, form: { ...FORM, ...form }, part }, result, []);
// biome-ignore lint/suspicious/noExplicitAny: tests look into every part
const json = (...args: Parameters<typeof answer>): any => JSON.parse(answer(...args).body);

const { utterances } = transcription("It's 5 o'clock, Mr. Smith.", "Well, good-bye!");
const [first, second] = utterances as [Utterance, Utterance];

test("a transcript has its words in milliseconds, and no utterances without speakers or channels", () => {
  const body = json(resultOf(utterances));
  expect(body).toMatchObject({
    id: ID,
    status: "completed",
    audio_duration: 60,
    language_code: "en",
    utterances: null,
  });
  expect(body.text).toBe("It's 5 o'clock, Mr. Smith. Well, good-bye!");
  expect(body.words[0]).toEqual({
    ...{
      text: "It's",
      start: first.start * 1000,
      end: expect.any(Number),
      confidence: expect.any(Number),
      speaker: null,
    },
  });
  expect(Number.isInteger(body.words[0].end)).toBe(true);
});

test("punctuate and format_text are separate", () => {
  const text = (form: object) => json(resultOf(utterances), WHOLE, form).text;
  expect(text({ punctuates: false })).toBe("It's 5 o'clock Mr Smith Well good-bye");
  expect(text({ formats: false })).toBe("it's 5 o'clock, mr. smith. well, good-bye!");
  expect(text({ punctuates: false, formats: false })).toBe("it's 5 o'clock mr smith well good-bye");
});

test("masked words keep their asterisks without punctuation", () => {
  const body = json(resultOf([utterance("Oh s***, no.")]), WHOLE, { punctuates: false });
  expect(body.text).toBe("Oh s*** no");
  expect(body.words[1].text).toBe("s***");
});

test("utterances are the turns of speakers, with labels", () => {
  const spoken = [first, { ...first, speaker: 0 }, { ...second, speaker: 0 }, { ...second, speaker: 26 }];
  const { utterances: turns } = json(resultOf(spoken));
  expect(turns.map(({ speaker }: { speaker: string }) => speaker)).toEqual([null, "A", "A1"]);
  expect(turns[1].text).toBe("It's 5 o'clock, Mr. Smith. Well, good-bye!");
  expect(turns[1].words).toHaveLength(7);
});

test("with multichannel, words and utterances name their channel, counted from 1", () => {
  const channels = [utterance("left", 0, 0), { ...utterance("right", 5, 1), speaker: 1 }];
  const { utterances: turns, words } = json(resultOf(channels), WHOLE, { multichannel: true });
  expect(turns).toMatchObject([
    { channel: "1", speaker: "1", text: "left" },
    { channel: "2", speaker: "2B", text: "right" },
  ]);
  expect(words[1]).toMatchObject({ channel: "2", speaker: "2B" });
});

test("corrections are applied, also those that leave no words", () => {
  const correction = {
    ...{ id: ID, created_at: "", made_by: "", undone_at: null, undone_by: null },
    utterances: [{ index: 1, text: "Goodbye then." }],
  } satisfies Correction;
  const { body } = transcriptAnswer({ id: ID, form: FORM, part: WHOLE }, resultOf(utterances), [correction]);
  expect(JSON.parse(body).text).toBe("It's 5 o'clock, Mr. Smith. Goodbye then.");
  const wordless = { ...second, words: [] };
  expect(json(resultOf([first, wordless])).text).toBe("It's 5 o'clock, Mr. Smith. Well, good-bye!");
});

test("paragraphs that a person began stay apart", () => {
  const correction = {
    ...{ id: ID, created_at: "", made_by: "", undone_at: null, undone_by: null, speakers: [] },
    breaks: [{ index: 0, start: first.words[2]?.start ?? 0 }],
  } as unknown as Correction;
  const part: TranscriptPart = { kind: "paragraphs" };
  const { body } = transcriptAnswer({ id: ID, form: FORM, part }, resultOf(utterances), [correction]);
  expect(JSON.parse(body).paragraphs).toHaveLength(2);
  expect(json(resultOf(utterances), part).paragraphs).toHaveLength(1);
});

test("sentences and paragraphs have their words, a search has places", () => {
  const sentences = json(resultOf(utterances), { kind: "sentences" });
  expect(sentences.sentences.map(({ text }: { text: string }) => text)).toEqual([
    "It's 5 o'clock, Mr. Smith.",
    "Well, good-bye!",
  ]);
  expect(sentences).toMatchObject({ id: ID, audio_duration: 60.4 });
  expect(json(resultOf(utterances), { kind: "paragraphs" }).paragraphs[0].words.length).toBeGreaterThan(4);
  const found = json(resultOf(utterances), { kind: "search", words: "mr smith, good-bye,smith ,nothing" });
  expect(found).toMatchObject({
    total_count: 3,
    matches: [
      { text: "mr smith", count: 1, indexes: [3] },
      { text: "good-bye", count: 1 },
      { text: "smith", count: 1, indexes: [4] },
      { text: "nothing", count: 0, timestamps: [], indexes: [] },
    ],
  });
  const many = json(resultOf(Array.from({ length: 1_200 }, () => utterance("yes"))), { kind: "search", words: "yes" });
  expect(many.matches[0].count).toBe(1_000);
  expect(many.warnings).toEqual(['"yes" occurs more than 1000 times; the first 1000 are listed']);
});

test("captions have rows of the wanted length", () => {
  const long = utterance("one two three four five six seven eight nine ten eleven twelve");
  const rows = answer(resultOf([long]), { kind: "captions", format: "srt", columns: 20 }).body.split("\n");
  const texts = rows.filter((row) => /^[a-z]/.test(row));
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.every((row) => row.length <= 20)).toBe(true);
  expect(answer(resultOf([long]), { kind: "captions", format: "vtt" }).body).toMatch(/^WEBVTT/);
});

test("add-ons are answered under AssemblyAI's names, failed ones as warnings", () => {
  const done = (results: unknown) => ({ success: true, is_empty: false, exec_time: 1, error: null, results });
  const place = { start: 0, end: 2, channel: 0 };
  const body = json(
    resultOf(utterances, {
      summarization: done("- a clock"),
      named_entity_recognition: done([
        { entity_type: "NAME_FAMILY", text: "Smith", start: 1, end: 2 },
        { entity_type: "PRODUCT", text: "clock", start: 1, end: 2 },
      ]),
      sentiment_analysis: done([
        { sentiment: "positive", emotion: "joy", text: "Well", ...place },
        { sentiment: "mixed", emotion: "neutral", text: "Well", ...place },
      ]),
      translation: done([
        { languages: ["es"], full_transcript: "Son las cinco", utterances: [], error: null },
        { languages: ["de"], full_transcript: "", utterances: [], error: { message: "no model" } },
      ]),
      chapterization: { success: false, error: { message: "the language model is missing" } },
    }),
  );
  expect(body).toMatchObject({
    summary: "- a clock",
    entities: [{ entity_type: "person_name", text: "Smith", start: 1000, end: 2000 }],
    sentiment_analysis_results: [{ sentiment: "POSITIVE" }, { sentiment: "NEUTRAL" }],
    translated_texts: { es: "Son las cinco" },
  });
  expect(body).not.toHaveProperty("chapters");
  expect(body.metadata.warnings.map(({ message }: { message: string }) => message)).toEqual([
    "the translation into de failed",
    "entities leaves out these types, which older versions of AssemblyAI's own clients cannot read: product",
    "auto_chapters failed: the language model is missing",
  ]);
});

test("with match_original_utterance, each utterance has what is said in it, by language", () => {
  const said = (text: string, start: number, end: number, speaker: number, language: string): Utterance => ({
    ...{ text, start, end, speaker, language, channel: 0, confidence: 1 },
    words: text.split(" ").map((word) => ({ word: ` ${word}`, start, end, confidence: 1 })),
  });
  const spoken = [said("Good day.", 0, 1, 0, "en"), said("All well?", 2, 4, 0, "en"), said("Yes.", 4, 5, 1, "en")];
  const spanish = [said("Buenos días.", 0, 1, 0, "es"), said("¿Todo bien?", 2, 3, 0, "es"), said("Sí.", 4, 5, 1, "es")];
  const results = [{ languages: ["es"], full_transcript: "", utterances: spanish, error: null }];
  const translation = { success: true, is_empty: false, exec_time: 1, error: null, results };
  const texts = (translates: boolean) =>
    json(resultOf(spoken, { translation }), WHOLE, { translates }).utterances.map(
      ({ translated_texts }: { translated_texts?: object }) => translated_texts,
    );
  expect(texts(true)).toEqual([{ es: "Buenos días. ¿Todo bien?" }, { es: "Sí." }]);
  expect(texts(false)).toEqual([undefined, undefined]);
});
