import { describe, expect, test } from "vitest";
import { made, meeting } from "../../../../test/fixtures/meeting.ts";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import type { Note } from "../../../contract/notes.ts";
import type { TranscriptChange } from "../../../contract/transcript/correction.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { splitSentences } from "../../../speech/text/sentences.ts";
import { corrected } from "../corrections.ts";
import { writeMarkdown } from "./markdown.ts";
import { writeJson, writeSubtitles, writeText, writeTsv } from "./plain.ts";

const tsvOf = (text: string, name: string) => {
  const utterance = { start: 0, end: 1, speaker: 0, text };
  const transcription = { utterances: [utterance], speaker_names: [name] };
  const [, row = ""] = writeTsv({ transcription } as never).split("\n");
  return row.split("\t").slice(2);
};

test.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\n@x", "＝1"])(
  "a cell that begins like a formula is text: %j",
  (text) => {
    const cell = `'${text.trim()}`;
    expect(tsvOf(text, "Ada")).toEqual(["Ada", cell]);
    expect(tsvOf("Hello.", text)).toEqual([cell, "Hello."]);
  },
);

test("an utterance whose text was removed has no line", () => {
  const removed = made({ utterances: [{ index: 1, text: "" }] });
  const written = writeTsv({ transcription: corrected(meeting(), [removed]) } as never);
  expect(written.trim().split("\n")).toHaveLength(3);
});

test("other cells stay as they are", () => {
  expect(tsvOf("It is 5 - 3 = 2.", "Ada-Lou")).toEqual(["Ada-Lou", "It is 5 - 3 = 2."]);
});

describe("json", () => {
  const recognised = meeting();
  const answer = { success: true, is_empty: false, exec_time: 0, error: null };
  const sentences = { ...answer, results: splitSentences(recognised.utterances) };
  const subtitles = [{ format: "srt" as const, subtitles: "1\n00:00:00,000 --> 00:00:01,500\nso we go there now\n" }];
  const written = (...changes: TranscriptChange[]) => {
    const transcription = { ...recognised, sentences: [sentences], subtitles };
    const metadata = { audio_duration: 7 };
    const result = { metadata, transcription, sentences, messages: [] } as never;
    const source = { title: "", createdAt: "", result, transcription: corrected(transcription, changes.map(made)) };
    const subtitlesConfig = { maximum_characters_per_row: 10 };
    return JSON.parse(writeJson({ ...source, subtitlesConfig, isCorrected: changes.length > 0 }));
  };
  const textsOf = ({ results }: typeof sentences) => results.map(({ sentence }) => sentence);

  test("without corrections is the result as it was recognised", () => {
    const { transcription, sentences: beside } = written();
    expect(transcription).toMatchObject({ sentences: [sentences], subtitles });
    expect(beside).toEqual(sentences);
  });
  test("has a removed text nowhere: sentences and subtitles follow corrections, with the limits of the request", () => {
    const removed = written({ utterances: [{ index: 1, text: "" }] });
    expect(JSON.stringify(removed)).not.toContain("really");
    const { transcription, sentences: beside } = written({ utterances: [{ index: 0, text: "so we run there now" }] });
    expect(textsOf(beside)).toEqual(["so we run there now", "yes we really do", "then let us leave"]);
    expect(transcription.sentences.map(textsOf)).toEqual([textsOf(beside)]);
    const [{ format, subtitles: text }] = transcription.subtitles;
    expect(format).toBe("srt");
    expect(text).toMatch(/Speaker 0: so\nwe run\n/);
  });
});

describe("notes of text", () => {
  const noteOn = (channel: number, start: number, end: number, text: string) =>
    ({ channel, start, end, quote: text, text: "" }) as Note;
  const written = (utterances: Utterance[], ...notes: Note[]) => {
    const transcription = corrected({ full_transcript: "", languages: ["en"], utterances }, []);
    return writeText({ title: "", createdAt: "", result: {} as never, transcription, notes })
      .trim()
      .split("\n\n");
  };
  const long = "one two three four five six seven eight nine ten";

  test("stand below the words of their channel, not below what another one says meanwhile", () => {
    const utterances = [utterance(long), utterance("Yeah.", 1, 1), utterance("Later.", 9)];
    const lines = written(utterances, noteOn(0, 2.1, 2.7, "eight nine"), noteOn(1, 1.1, 1.2, "Yeah."));
    expect(lines).toEqual([long, "[00:02 “eight nine”]", "Yeah.", "[00:01 “Yeah.”]", "Later."]);
  });
  test("stand below the words of their speaker where two talk at once in a channel", () => {
    const utterances = [
      { ...utterance(long), speaker: 0 },
      { ...utterance("Yeah.", 1), speaker: 1 },
    ];
    expect(written(utterances, noteOn(0, 2.1, 2.7, "eight nine"))[1]).toBe("[00:02 “eight nine”]");
  });
  test("whose words were removed stand below the paragraph before their time", () => {
    const utterances = [utterance(long), utterance("Yeah.", 5, 1), utterance("Later.", 9)];
    expect(written(utterances, noteOn(0, 7, 8, "gone"))[2]).toBe("[00:07 “gone”]");
  });
  test("stand alone where all words were removed, in Markdown too", () => {
    const removed = made({ utterances: [{ index: 0, text: "" }] });
    const said = { full_transcript: long, languages: ["en"], utterances: [utterance(long)] };
    const source = { title: "", createdAt: "", result: {} as never, transcription: corrected(said, [removed]) };
    const notes = [noteOn(0, 2.1, 2.7, "eight nine")];
    expect(writeText({ ...source, notes })).toBe("[00:02 “eight nine”]\n");
    expect(writeMarkdown({ ...source, notes })).toMatch(/> \*\*00:02\*\* “eight nine”\n$/);
  });
});

describe("the shape of an export", () => {
  const said = [
    { ...utterance("So we met in March.", 1), speaker: 0 },
    { ...utterance("It was cold.", 3), speaker: 0 },
    { ...utterance("Was that before the fire?", 65), speaker: 1 },
  ];
  const transcription = corrected({ full_transcript: "", languages: ["en"], utterances: said }, []);
  const source = { title: "Interview", createdAt: "2026-01-02", transcription };
  const full = { ...source, result: { metadata: { audio_duration: 70 }, transcription } as never };

  test("txt has times and speakers, or neither, and one paragraph for each utterance", () => {
    expect(writeText(full)).toBe(
      "Speaker 0: So we met in March. It was cold.\n\nSpeaker 1: Was that before the fire?\n",
    );
    expect(writeText({ ...full, times: true, speakers: false })).toBe(
      "[00:01] So we met in March. It was cold.\n\n[01:05] Was that before the fire?\n",
    );
    expect(writeText({ ...full, paragraphs: false, speakers: false })).toBe(
      "So we met in March.\n\nIt was cold.\n\nWas that before the fire?\n",
    );
  });
  test("md has times and speakers unless they are switched off", () => {
    const bodyOf = (markdown: string) => markdown.trim().split("\n\n").at(-1);
    expect(bodyOf(writeMarkdown(full))).toBe("**Speaker 1** (01:05): Was that before the fire?");
    expect(bodyOf(writeMarkdown({ ...full, times: false }))).toBe("**Speaker 1**: Was that before the fire?");
    expect(bodyOf(writeMarkdown({ ...full, speakers: false }))).toBe("**01:05** Was that before the fire?");
    expect(bodyOf(writeMarkdown({ ...full, times: false, speakers: false }))).toBe("Was that before the fire?");
  });
  test("subtitles and tables have no names without speakers, and subtitles have rows as wide and as many as wanted", () => {
    for (const format of ["srt", "vtt"] as const) {
      expect(writeSubtitles(full, format)).toContain("Speaker 1");
      const unnamed = writeSubtitles({ ...full, speakers: false }, format);
      expect(unnamed).not.toContain("peaker");
      expect(unnamed).toContain("Was that before the fire?");
    }
    expect(writeTsv({ ...full, speakers: false }).split("\n")[0]).toBe("start\tend\ttext");
    const rowsOf = (maximumRowsPerCaption: number) =>
      writeSubtitles({ ...full, speakers: false, maximumCharactersPerRow: 12, maximumRowsPerCaption }, "srt")
        .trim()
        .split("\n\n")
        .map((cue) => cue.split("\n").length - 2);
    expect(Math.max(...rowsOf(1))).toBe(1);
    expect(Math.max(...rowsOf(3))).toBe(3);
  });
});
