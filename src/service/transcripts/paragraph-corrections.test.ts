import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { made, meeting, reading, spoken } from "../../../test/fixtures/meeting.ts";
import { transcription } from "../../../test/fixtures/utterances.ts";
import type { TranscriptChange } from "../../contract/transcript/correction.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { problemsOf } from "./correction-problems.ts";
import { corrected } from "./corrections.ts";
import { paragraphsOf } from "./formats/paragraphs.ts";

const problems = (change: TranscriptChange, ...before: TranscriptChange[]) =>
  problemsOf(
    change,
    meeting(),
    before.map((one) => ({ ...made(one), id: "", created_at: "", made_by: "", undone_by: null })),
  );

describe("a break", () => {
  test("divides an utterance at a word, in every format, and is removed by its time", () => {
    const divide = { breaks: [{ index: 0, start: 0.6 }] };
    const now = reading(divide);
    expect(spoken(now)).toEqual(["0 so we", "0 go there now", "1 yes we really do", "0 then let us leave"]);
    expect(now.paragraph_starts).toEqual([1]);
    expect(now.source_utterances).toEqual([0, 0, 1, 2]);
    expect(now.utterances[1]).toMatchObject({ start: 0.6, end: 1.5 });
    expect(now.full_transcript).toBe(meeting().full_transcript);
    expect(paragraphsOf(now).map(({ text }) => text)).toEqual([
      "so we",
      "go there now",
      "yes we really do",
      "then let us leave",
    ]);
    expect(reading(divide, { breaks: [{ index: 0, start: 0.6, removed: true }] })).toEqual(reading());
  });
  test("stays where it is when words beside it are replaced, and the same change may have the words", () => {
    // The word "all" has no length: "we" ends where "go" starts.
    const divide = { utterances: [{ index: 0, text: "so we all go there now" }], breaks: [{ index: 0, start: 0.75 }] };
    const now = reading(divide, { utterances: [{ index: 0, start: 0.75, end: 1.5, text: "I will run there soon" }] });
    expect(spoken(now).slice(0, 2)).toEqual(["0 so we all", "0 I will run there soon"]);
    const end = reading(divide, { utterances: [{ index: 0, start: 0, end: 0.6, text: "so we all will" }] });
    expect(spoken(end).slice(0, 2)).toEqual(["0 so we all will", "0 go there now"]);
  });
  test("outside of the utterance's words is refused", () => {
    expect(problems({ breaks: [{ index: 0, start: 0 }] }).join()).toMatch(
      /breaks.start must be above 0.15 and at most 1.35/,
    );
    expect(problems({ breaks: [{ index: 7, start: 1 }] }).join()).toMatch(/breaks.index must be below 3/);
    expect(problems({ breaks: [{ index: 0, start: 0.6 }] })).toEqual([]);
  });
  test("that changes nothing is refused: where no word's middle follows, in an empty utterance, twice, or removed where none is", () => {
    const empty = { utterances: [{ index: 0, text: "" }] };
    expect(problems({ breaks: [{ index: 0, start: 1.5 }] }).join()).toMatch(/^breaks.start must be above/);
    expect(problems({ breaks: [{ index: 0, start: 999, removed: true }] }).join()).toMatch(/^breaks.start must be/);
    expect(problems({ breaks: [{ index: 0, start: 0.6, removed: true }] }).join()).toMatch(
      /must be the time of a break/,
    );
    expect(problems({ breaks: [{ index: 0, start: 0.6 }] }, empty).join()).toMatch(/no words and cannot be divided/);
    expect(problems({ ...empty, breaks: [{ index: 0, start: 0.6 }] }).join()).toMatch(/no words and cannot be divided/);
    expect(problems({ breaks: [0.6, 0.7].map((start) => ({ index: 0, start })) }).join()).toMatch(/no break is/);
    const divide = { breaks: [{ index: 0, start: 0.6 }] };
    expect(problems({ breaks: [{ index: 0, start: 0.7, removed: true }] }, divide)).toEqual([]);
  });
});

describe("a join", () => {
  test("appends the words of an utterance, which both indexes name from then on", () => {
    const join = { joins: [{ index: 1, into: 0 }] };
    expect(spoken(reading(join))).toEqual(["0 so we go there now", "1 yes we really do", "0 then let us leave"]);
    const one = { utterances: [{ index: 1, speaker: 0 }], ...join };
    const now = reading(one);
    expect(spoken(now)).toEqual(["0 so we go there now yes we really do", "0 then let us leave"]);
    expect(now.source_utterances).toEqual([0, 2]);
    expect(now.corrected_utterances).toEqual([0]);
    expect(now.utterances[0]).toMatchObject({ start: 0, end: 3.7 });
    expect(now.speaker_turns?.map(({ speaker }) => speaker)).toEqual([0, 0, 0]);
    expect(now.full_transcript).toBe(meeting().full_transcript);
    const changed = { utterances: [{ index: 1, text: "oh yes" }] };
    expect(spoken(reading(one, changed))[0]).toBe("0 so we go there now oh yes");
    const whole = { utterances: [{ index: 0, text: "so we go there yes we really do" }] };
    const words = reading(one, whole).utterances[0]?.words;
    expect(words?.find(({ word }) => word === " really")).toMatchObject({ start: 3.1, end: 3.4 });
    expect(spoken(reading(one, { breaks: [{ index: 0, start: 2.5 }] }))).toEqual(
      spoken(reading(one)).flatMap((text) =>
        text === spoken(reading(one))[0] ? ["0 so we go there now", "0 yes we really do"] : [text],
      ),
    );
  });
  test("of three utterances keeps the order of their words, whichever pair is joined first", () => {
    const same = { utterances: [{ index: 1, speaker: 0 }] };
    const [front, back] = [{ joins: [{ index: 1, into: 0 }] }, { joins: [{ index: 2, into: 1 }] }];
    const all = ["0 so we go there now yes we really do then let us leave"];
    expect(spoken(reading(same, front, back))).toEqual(all);
    expect(spoken(reading(same, back, front))).toEqual(all);
  });
  test("with a later utterance, another channel or itself is refused", () => {
    expect(problems({ joins: [{ index: 0, into: 1 }] }).join()).toMatch(
      /must be the utterance of the same channel before/,
    );
    expect(problems({ joins: [{ index: 1, into: 1 }] }).join()).toMatch(/must be the utterance/);
    expect(problems({ joins: [{ index: 2, into: 0 }] }).join()).toMatch(/must be the utterance/);
    expect(problems({ joins: [{ index: 3, into: 1 }] }).join()).toMatch(/below 3/);
  });
  test("is compared with the transcript after those before it in the same change", () => {
    const [front, next] = [
      { index: 1, into: 0 },
      { index: 2, into: 0 },
    ];
    expect(problems({ joins: [front, next] })).toEqual([]);
    expect(problems({ joins: [next, front] }).join()).toMatch(/^joins.into must be [^,]*; it is 0$/);
    expect(problems({ joins: [front, front] })).toEqual(["joins.index 1 and joins.into 0 are one utterance already"]);
    expect(problems({ joins: [front], breaks: [{ index: 1, start: 2.5 }] })).toEqual([]);
  });
});

test("thousands of joins and breaks take time in proportion to their number", () => {
  const count = 2_000;
  const recognised = transcription(...Array.from({ length: count }, () => "so we"));
  const chunks = [0, 1].map((chunk) => Array.from({ length: count / 2 }, (_, at) => chunk * (count / 2) + at + 1));
  const forward = chunks.map((all) => ({ joins: all.filter((at) => at < count).map((index) => ({ index, into: 0 })) }));
  const backward = chunks.map((all) => ({
    joins: all.filter((at) => at < count).map((at) => ({ index: count - at, into: count - at - 1 })),
  }));
  // At 2,600 s the last words are spoken.
  const breaks = Array.from({ length: 100 }, (_, change) => ({
    breaks: Array.from({ length: 1_000 }, (__, at) => ({ index: 0, start: 0.4 + at * 2.5 + change / 1_000 })),
  }));
  for (const joins of [forward, backward]) {
    const before = process.cpuUsage();
    const now = corrected(recognised, [...joins, ...breaks].map(made));
    const { user, system } = process.cpuUsage(before);
    expect(now.source_utterances.every((source) => source === 0)).toBe(true);
    expect(now.utterances.length).toBeGreaterThan(500);
    expect(now.utterances.flatMap(({ words }) => words)).toHaveLength(2 * count);
    expect((user + system) / 1e6).toBeLessThan(1.5);
  }
});

test("words typed at the end of a speaker's words stay with them", () => {
  const divide = { utterances: [{ index: 0, start: 0.6, end: 1.5, speaker: 1 }] };
  const now = reading(divide, { utterances: [{ index: 0, start: 0, end: 0.6, text: "so we all" }] });
  expect(spoken(now).slice(0, 2)).toEqual(["0 so we all", "1 go there now"]);
});

test("checked words have the confidence 1, and their utterance does not count as corrected", () => {
  const now = reading({ utterances: [{ index: 1, start: 2.5, end: 2.8, checked: true }] });
  expect(now.utterances[1]?.words.map(({ confidence }) => confidence)).toEqual([1, 0.9, 0.9, 0.9]);
  expect(now.corrected_utterances).toEqual([]);
  expect(now.full_transcript).toBe(meeting().full_transcript);
});

test("breaks and joins in any order keep every word, its time, and the order of times", () => {
  const index = fc.integer({ min: 0, max: 2 });
  const start = fc.integer({ min: 0, max: 70 }).map((tenths) => tenths / 10);
  const change = fc.oneof(
    fc.record({ index, start }).map((one): TranscriptChange => ({ breaks: [one] })),
    fc.record({ index, start }).map((one): TranscriptChange => ({ breaks: [{ ...one, removed: true }] })),
    fc.record({ index, into: index }).map((one): TranscriptChange => ({ joins: [one] })),
    fc.record({ index, speaker: index }).map((one): TranscriptChange => ({ utterances: [one] })),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const now = reading(...changes);
      const wordsOf = (one: Transcription) =>
        one.utterances.flatMap(({ words }) => words.map(({ word, start, end }) => [word.trim(), start, end]));
      expect(wordsOf(now)).toEqual(wordsOf(meeting()));
      expect(now.full_transcript).toBe(meeting().full_transcript);
    }),
  );
});
