import { expect, test } from "vitest";
import { made, meeting } from "../../../../test/fixtures/meeting.ts";
import type { TranscriptChange } from "../../../contract/transcript/correction.ts";
import { corrected } from "../corrections.ts";
import { writeShared } from "./shared.ts";

const answer = (results: unknown) => ({ success: true, is_empty: false, exec_time: 0, error: null, results });
const recognised = meeting();
const result = {
  metadata: { audio_duration: 7, warnings: ["https://account.example/private"] },
  transcription: recognised,
  messages: ["private"],
  audio_to_llm: answer([{ prompt: "private", response: "private" }]),
  structured_data_extraction: answer("private"),
};

const shared = (parts: object, ...changes: TranscriptChange[]) =>
  writeShared({
    ...{ title: "private", createdAt: "", result: { ...result, ...parts } as never },
    transcription: corrected(recognised, changes.map(made)),
  });

test("a reader receives the corrected paragraphs with speakers, the summary, chapters and translations", () => {
  const chapter = { start: 0, end: 7, headline: "Going", summary: "They go.", gist: "", keywords: ["private"] };
  const parts = {
    summarization: answer("All go there."),
    chapterization: answer([chapter]),
    translation: answer([{ ...recognised, languages: ["fr"], full_transcript: "" }]),
  };
  const change = { utterances: [{ index: 0, text: "We stay." }], speakers: [{ speaker: 0, name: "Anna" }] };
  const written = JSON.parse(shared(parts, change));
  expect(written.paragraphs[0]).toMatchObject({ text: "We stay.", speaker: 0 });
  expect(written.speakers[0]).toEqual({ speaker: 0, name: "Anna" });
  expect(written.summary).toBe("All go there.");
  expect(written.chapters).toEqual([{ start: 0, end: 7, headline: "Going", summary: "They go." }]);
  expect(written.translations).toHaveLength(1);
  expect(written.translations[0].language).toBe("fr");
  expect(written.translations[0].utterances[0]).toEqual({
    start: expect.any(Number),
    end: expect.any(Number),
    speaker: 0,
    language: "fr",
    text: recognised.utterances[0]?.text.trim(),
  });
});

test("parts that failed or were not requested are empty, and no other part of the result is there", () => {
  const failed = { success: false, is_empty: true, exec_time: 0, error: { message: "private" }, results: null };
  const text = shared({ summarization: failed, chapterization: answer(null) });
  expect(JSON.parse(text)).toMatchObject({ summary: null, chapters: [], translations: [] });
  expect(text).not.toContain("private");
});
