import { expect, test } from "vitest";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { detectedLanguageAnswer, whisperAsrAnswer } from "./whisper-asr-answer.ts";

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.4, confidence: 0.9 });

function result(metadata: object = {}, languages = ["de"]): TranscriptionResult {
  const utterance = (speaker: number, start: number, words: string[]) => ({
    ...{
      text: words.join(""),
      language: "de",
      start,
      end: start + words.length / 2,
      confidence: 0.9,
      channel: 0,
      speaker,
    },
    words: words.map((text, at) => word(text, start + at / 2)),
  });
  const utterances = [utterance(0, 1, ["Guten", " Tag."]), utterance(1, 3, ["Ja,", " bitte?"])];
  return {
    metadata: {
      ...{ audio_duration: 5, number_of_distinct_channels: 1, billing_time: 5, transcription_time: 1 },
      ...metadata,
    },
    transcription: {
      full_transcript: languages.length > 0 ? "Guten Tag. Ja, bitte?" : "",
      languages,
      utterances: languages.length > 0 ? utterances : [],
    },
  };
}

const answer = (output: "txt" | "srt" | "vtt" | "tsv" | "json", withWords = false) =>
  whisperAsrAnswer({ task: "transcribe", output, withWords, language: undefined }, result()).body;

test("text has a line for each utterance, with its speaker", () => {
  expect(answer("txt")).toBe("[SPEAKER_00]: Guten Tag.\n[SPEAKER_01]: Ja, bitte?\n");
});

test("a table has milliseconds", () => {
  expect(answer("tsv")).toBe("start\tend\ttext\n1000\t2000\tGuten Tag.\n3000\t4000\tJa, bitte?\n");
});

test("captions have the speakers' names", () => {
  expect(answer("srt")).toContain("SPEAKER_01: Ja, bitte?");
  expect(answer("vtt")).toContain("<v SPEAKER_01>");
});

test("JSON has words on request", () => {
  expect(JSON.parse(answer("json")).segments[0].words).toBeUndefined();
  const { language, segments } = JSON.parse(answer("json", true));
  expect(language).toBe("de");
  expect(segments[1]).toMatchObject({ id: 1, start: 3, speaker: "SPEAKER_01" });
  expect(segments[1].words[1]).toEqual({
    word: " bitte?",
    start: 3.5,
    end: 3.9,
    probability: 0.9,
    speaker: "SPEAKER_01",
  });
});

test("a recording without speech has the named language, or none", () => {
  const empty = result({}, []);
  const request = { task: "transcribe", output: "json", withWords: false } as const;
  expect(JSON.parse(whisperAsrAnswer({ ...request, language: "fr" }, empty).body).language).toBe("fr");
  expect(JSON.parse(whisperAsrAnswer({ ...request, language: undefined }, empty).body)).toEqual({
    ...{ text: "", segments: [], language: "und" },
  });
});

test("a translation that failed is an error", () => {
  const request = { task: "translate", output: "txt", withWords: false, language: undefined } as const;
  const failed = { success: false, error: { message: "no model translates it" }, results: null };
  expect(() => whisperAsrAnswer(request, { ...result(), translation: failed })).toThrow("no model translates it");
});

test("speech that was not translated is named in a warning", () => {
  const request = { task: "translate", output: "txt", withWords: false, language: undefined } as const;
  const { transcription } = result();
  const warnings = ["Speech in Welsh was not translated: no model translates it"];
  const translation = { success: true, error: null, results: [{ ...transcription, error: null, warnings }] };
  expect(whisperAsrAnswer(request, { ...result(), translation }).warnings).toEqual(warnings);
});

test("a detected language has its probability; without one, the confidence of the words", () => {
  expect(JSON.parse(detectedLanguageAnswer(result({ language_confidence: 0.7 })).body)).toEqual({
    ...{ detected_language: "german", language_code: "de", confidence: 0.7 },
  });
  expect(JSON.parse(detectedLanguageAnswer(result()).body).confidence).toBe(0.9);
  expect(() => detectedLanguageAnswer(result({}, []))).toThrow(/no speech/);
});
