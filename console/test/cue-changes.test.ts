// Changes of cues: what the console sends, applied by the code of the service.
import { expect, test } from "vitest";
import type { Utterance } from "../../src/contract/job.ts";
import type { TranscriptChange } from "../../src/contract/transcript/correction.ts";
import type { Transcription } from "../../src/contract/transcript/transcript.ts";
import { corrected } from "../../src/service/transcripts/corrections.ts";
import { subtitleFile } from "../../src/speech/subtitles/subtitles.ts";
import { showLanguage } from "../src/language/language.ts";
import { exactClock, parseClock } from "../src/time.ts";
import {
  distributed,
  isMergeable,
  merged,
  released,
  retimed,
  retyped,
  split,
  splitPlaces,
  typedUtterances,
} from "../src/transcript/subtitles/cue-changes.ts";
import { moved, roomOf } from "../src/transcript/subtitles/drag.ts";
import { cueAt, type ShownCue, shownCues, warningTexts } from "../src/transcript/subtitles/shown-cues.ts";

await showLanguage("en");

const SECONDS = 120;

function utterance(text: string, start: number, speaker = 0, channel = 0, language = "en"): Utterance {
  const parts = language === "zh" ? [...text] : text.split(/(?=\s)/);
  const words = parts.map((word, at) => ({
    word,
    start: start + at * 0.4,
    end: start + at * 0.4 + 0.3,
    confidence: 0.9,
  }));
  return { text, words, start, end: words.at(-1)?.end ?? start, language, confidence: 0.9, channel, speaker };
}

const recording = (...utterances: Utterance[]): Transcription => ({
  full_transcript: utterances.map(({ text }) => text).join(" "),
  languages: ["en"],
  utterances,
});

/** A transcript with its corrections, as a page shows it. */
function page(transcription: Transcription) {
  const corrections: (TranscriptChange & { undone_at: null })[] = [];
  let cues: readonly ShownCue[] = [];
  const reading = (more: TranscriptChange[] = []) =>
    corrected(transcription, [...corrections, ...more.map((change) => ({ ...change, undone_at: null }))]);
  return {
    reading,
    shown() {
      cues = shownCues(reading(), SECONDS, cues).cues;
      return cues;
    },
    apply: (change: TranscriptChange) => corrections.push({ ...change, undone_at: null }),
    /** Types another text for a cue. */
    type(cue: ShownCue, lines: string[], keepsRows = false) {
      const now = reading();
      const typed = typedUtterances(now, cue, lines) ?? [];
      const utterances = typed.map(({ at, text }) => ({ index: now.source_utterances[at] ?? at, text }));
      const after = reading([{ utterances }]);
      corrections.push({ utterances, cues: retyped(after, cue, typed, { lines, keepsRows }), undone_at: null });
    },
  };
}
const LONG = recording(
  utterance("So the first time we met Mr. Duguid was in March and we had sold a hundred and fifty of them by then.", 0),
  utterance("Was that before the fire?", 10, 1),
  utterance("It was a year before the fire and two years after the flood that nobody expected.", 13),
);
const textsOf = (cues: readonly ShownCue[]) => cues.map(({ rows }) => rows.join(" "));

test("a cue keeps the times that it is given, whatever is beside it, and its neighbours stay as they were", () => {
  const one = page(LONG);
  const before = one.shown();
  const at = 1;
  const cue = before[at] as ShownCue;
  one.apply({ cues: [retimed(cue, { start: cue.start + 0.2, end: cue.end - 0.3 })] });
  const after = one.shown();
  expect(textsOf(after)).toEqual(textsOf(before));
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after[at]).toMatchObject({ start: cue.start + 0.2, end: expect.closeTo(cue.end - 0.3, 3), edited: true });
  expect(after.filter(({ edited }) => edited)).toHaveLength(1);
  one.apply({ cues: [released(after[at] as ShownCue)] });
  expect(one.shown().map(({ start, end, rows, edited }) => ({ start, end, rows, edited }))).toEqual(
    before.map(({ start, end, rows, edited }) => ({ start, end, rows, edited })),
  );
});

test("a cue is divided before any word, and merging it again gives its words back", () => {
  const one = page(LONG);
  const before = one.shown();
  const cue = before[0] as ShownCue;
  for (const place of splitPlaces(cue)) {
    one.apply({ cues: split(cue, place) });
    const divided = one.shown();
    expect(divided).toHaveLength(before.length + 1);
    const [first, second] = divided as [ShownCue, ShownCue];
    expect(first.words).toHaveLength(place);
    expect(textsOf(divided).join(" ")).toBe(textsOf(before).join(" "));
    expect(first).toMatchObject({ id: cue.id, start: cue.start });
    expect(first.end).toBe(second.start);
    expect(second.end).toBe(cue.end);
    one.apply({ cues: [merged(first, second)] });
    const joined = one.shown();
    expect(textsOf(joined)).toEqual(textsOf(before));
    expect(joined[0]).toMatchObject({ start: cue.start, end: cue.end });
    expect(joined[0]?.id).toBe(cue.id);
  }
  const [, , , other] = before;
  expect(before.slice(1).map((next, at) => isMergeable(before[at], next))).toContain(false);
  expect(isMergeable(other, undefined)).toBe(false);
});

test("typed text is that of the words, stays in its cue, and keeps its times", () => {
  const one = page(LONG);
  const before = one.shown();
  const cue = before[1] as ShownCue;
  const text = cue.rows.join(" ");
  for (const typed of [`Really ${text}`, `Really ${text} and so on and on`, text.slice(0, 8), `Ah, ${text.slice(4)}`]) {
    const shown = one.shown()[1] as ShownCue;
    one.type(shown, [typed]);
    const after = one.shown();
    expect(after[1]?.rows.join(" ")).toBe(typed);
    expect(after[1]).toMatchObject({ start: cue.start, end: cue.end, id: cue.id, edited: true });
    expect(textsOf(after).toSpliced(1, 1)).toEqual(textsOf(before).toSpliced(1, 1));
    expect(one.reading().full_transcript).toContain(typed);
  }
  one.type(one.shown()[1] as ShownCue, [""]);
  expect(textsOf(one.shown())).toEqual(textsOf(before).toSpliced(1, 1));
});

test("rows stay where a person put them, also in exports and after other changes of the text", () => {
  const one = page(LONG);
  const [cue] = one.shown() as [ShownCue];
  const words = cue.rows.join(" ").split(" ");
  const lines = [words.slice(0, 1).join(" "), words.slice(1).join(" ")];
  one.type(cue, lines, true);
  expect(one.shown()[0]?.rows).toEqual(lines);
  one.type(one.shown()[0] as ShownCue, [`${lines[0]} then`, lines[1] as string], true);
  expect(one.shown()[0]?.rows).toEqual([`${lines[0]} then`, lines[1]]);
  const { utterances, cue_edits: edits = [] } = one.reading();
  for (const format of ["srt", "vtt"] as const)
    expect(subtitleFile(format, { utterances, edits })).toContain(`${lines[0]} then\n${lines[1]}\n`);
});

test("a cue over two utterances takes text in both, and what is typed goes where it was typed", () => {
  const one = page(recording(utterance("We went home.", 0), utterance("Well.", 1.5), utterance("Then we slept.", 30)));
  const [cue] = one.shown() as [ShownCue];
  expect(cue.rows.join(" ")).toBe("We went home. Well.");
  one.type(cue, ["We went straight home. Well."]);
  expect(one.reading().utterances.map(({ text }) => text)).toEqual([
    "We went straight home.",
    "Well.",
    "Then we slept.",
  ]);
  one.type(one.shown()[0] as ShownCue, ["We went straight home. Very well indeed."]);
  expect(one.reading().utterances.map(({ text }) => text)).toEqual([
    "We went straight home.",
    "Very well indeed.",
    "Then we slept.",
  ]);
  expect(textsOf(one.shown())).toEqual(["We went straight home. Very well indeed.", "Then we slept."]);
  const parts = [
    { at: 0, from: 0, until: 3, text: "a b" },
    { at: 1, from: 0, until: 3, text: "c d" },
  ];
  expect(distributed(parts, "a b c d")).toEqual(["a b", "c d"]);
  expect(distributed(parts, "a x d")).toEqual(["a x", " d"]);
  expect(distributed(parts, "")).toEqual(["", ""]);
  expect(distributed(parts, "a b c d e")).toEqual(["a b", "c d e"]);
});

test("text without spaces is typed and divided by words", () => {
  const one = page(recording(utterance("今天天气很好我们去公园", 0, 0, 0, "zh")));
  const [cue] = one.shown() as [ShownCue];
  one.type(cue, ["今天天气很好", "我们去大公园"], true);
  const [typed] = one.shown() as [ShownCue];
  expect(typed.rows).toEqual(["今天天气很好", "我们去大公园"]);
  one.apply({ cues: split(typed, splitPlaces(typed)[1] as number) });
  expect(
    one
      .shown()
      .flatMap(({ rows }) => rows)
      .join(""),
  ).toBe("今天天气很好我们去大公园");
});

test("two people who talk at once keep their cues, and those of the other channel do not change", () => {
  const one = page(recording(utterance("We did not expect it.", 0, 0, 0), utterance("No, we did not.", 0.5, 1, 1)));
  const before = one.shown();
  expect(before.map(({ channel }) => channel)).toEqual([0, 1]);
  const [first, second] = before as [ShownCue, ShownCue];
  one.apply({ cues: [retimed(first, { start: 0, end: 3 })] });
  one.apply({ cues: [retimed(second, { start: 0.5, end: 2.5 })] });
  const after = one.shown();
  expect(after.map(({ start, end }) => [start, end])).toEqual([
    [0, 3],
    [0.5, 2.5],
  ]);
  expect(after.map(({ warnings }) => warnings.includes("overlap"))).toEqual([false, true]);
});

test("each broken rule is a warning with its figures", () => {
  const one = page(LONG);
  const { limits } = shownCues(one.reading(), SECONDS);
  const [first, second] = one.shown() as [ShownCue, ShownCue];
  one.apply({ cues: [retimed(first, { start: 0, end: 0.5 }), retimed(second, { start: 0.55, end: 9 })] });
  const [fast, long] = one.shown() as [ShownCue, ShownCue];
  expect(fast.warnings).toEqual(["fast", "short"]);
  expect(warningTexts(fast, limits)[1]).toBe("Too short: 0.5 s, at least 1 s");
  expect(long.warnings).toEqual(["long", "gap"]);
  expect(warningTexts(long, limits)[0]).toBe("Too long: 8.5 s, at most 7 s");
  one.apply({ cues: [merged(fast, long)] });
  const [whole] = one.shown() as [ShownCue];
  expect(whole.warnings).toContain("rows");
});

test("the cue of a time is found", () => {
  const cues = page(LONG).shown();
  expect(cueAt(cues, -1)).toBe(-1);
  for (const [at, { start, end }] of cues.entries()) {
    expect(cueAt(cues, start)).toBe(at);
    expect(cueAt(cues, (start + end) / 2)).toBe(at);
  }
});

test("a moved edge stops at the cue beside it and at the playhead, and never passes the other edge", () => {
  const cue = { start: 10, end: 12 };
  const room = roomOf({ start: 8, end: 9.5 }, { start: 12.5, end: 14 }, SECONDS);
  const options = { room, length: SECONDS };
  expect(moved(cue, "start", -3, options)).toEqual({ start: 9.5, end: 12 });
  expect(moved(cue, "end", 3, options)).toEqual({ start: 10, end: 12.5 });
  expect(moved(cue, "end", -3, options)).toEqual({ start: 10, end: 10.1 });
  expect(moved(cue, "start", 5, options)).toEqual({ start: 11.9, end: 12 });
  expect(moved(cue, "whole", 9, options)).toEqual({ start: 10.5, end: 12.5 });
  expect(moved(cue, "whole", -9, options)).toEqual({ start: 9.5, end: 11.5 });
  // Without room, it overlaps, within the recording.
  expect(moved(cue, "start", -3, { room: undefined, length: SECONDS })).toEqual({ start: 7, end: 12 });
  expect(moved(cue, "end", 500, { room: undefined, length: SECONDS }).end).toBe(SECONDS);
  const snap = { places: [11.3, 11.9], within: 0.2 };
  expect(moved(cue, "end", -0.55, { ...options, snap }).end).toBe(11.3);
  expect(moved(cue, "end", -0.35, { ...options, snap }).end).toBe(11.65);
  // One that overlaps its neighbour already may stay.
  expect(moved({ start: 9, end: 12 }, "start", 0, options)).toEqual({ start: 9, end: 12 });
});

test("times are read as people type them", () => {
  expect(["1:02.34", "62,34", "0:01:02.340", " 62.34 "].map(parseClock)).toEqual([62.34, 62.34, 62.34, 62.34]);
  expect(["", "soon", "1:2:3:4", "-3", "1:"].map(parseClock)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([0, 62.34, 3_725.0004].map(exactClock)).toEqual(["0:00.000", "1:02.340", "1:02:05.000"]);
});

test("the speed counts a wide character twice, as the limit does", () => {
  const one = page(recording(utterance("我们在三月份第一次见面", 1, 0, 0, "zh")));
  const { limits } = shownCues(one.reading(), SECONDS);
  const [cue] = one.shown() as [ShownCue];
  const fast: ShownCue = { ...cue, rows: ["我们在三月份第一次见面"], label: "", start: 1, end: 2, warnings: ["fast"] };
  expect(warningTexts(fast, limits)).toEqual([`Too fast: 22.0 characters a second, at most ${limits.readingSpeed}`]);
});
