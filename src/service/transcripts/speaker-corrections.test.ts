import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { made, meeting, reading, spoken } from "../../../test/fixtures/meeting.ts";
import { transcription, utterance } from "../../../test/fixtures/utterances.ts";
import type { TranscriptChange } from "../../contract/transcript/correction.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { problemsOf } from "./correction-problems.ts";
import { type CorrectedTranscription, corrected } from "./corrections.ts";

const turnsOf = ({ speaker_turns = [] }: CorrectedTranscription) =>
  speaker_turns.map(({ speaker, start, end }) => [speaker, start, end]);

describe("selected words of another speaker", () => {
  test("divide the utterance, and the turn with it; the text stays", () => {
    const now = reading({ utterances: [{ index: 0, start: 0.6, end: 1.2, speaker: 1 }] });
    expect(spoken(now)).toEqual(["0 so we", "1 go there", "0 now", "1 yes we really do", "0 then let us leave"]);
    expect(now.source_utterances).toEqual([0, 0, 0, 1, 2]);
    expect(now.corrected_utterances).toEqual([0, 1, 2]);
    expect(now.full_transcript).toBe("so we go there now yes we really do then let us leave");
    expect(now.utterances[1]?.words.map(({ word }) => word)).toEqual(["go", " there"]);
    expect(now.utterances[1]).toMatchObject({ start: 0.6, end: 1.2 });
    expect(turnsOf(now).slice(0, 3)).toEqual([
      [0, 0, 0.6],
      [1, 0.6, 1.2],
      [0, 1.2, 1.5],
    ]);
  });
  test("become one utterance again when they get the former speaker", () => {
    const [first, second] = [
      { utterances: [{ index: 0, start: 0.6, end: 1.2, speaker: 1 }] },
      { utterances: [{ index: 0, start: 0.6, end: 1.2, speaker: 0 }] },
    ];
    expect(reading(first, second)).toEqual(reading());
  });
  test("stay with their speaker when the text is corrected, as a whole or in part", () => {
    const split = { utterances: [{ index: 0, start: 0.6, end: 1.2, speaker: 1 }] };
    expect(spoken(reading(split, { utterances: [{ index: 0, text: "so we run there soon" }] })).slice(0, 3)).toEqual([
      "0 so we",
      "1 run there",
      "0 soon",
    ]);
    const part = { utterances: [{ index: 0, start: 0.6, end: 1.2, text: "walk over there" }] };
    const now = reading(split, part);
    expect(spoken(now).slice(0, 3)).toEqual(["0 so we", "1 walk over there", "0 now"]);
    expect(now.full_transcript).toMatch(/^so we walk over there now yes/);
    expect(spoken(reading(split, { utterances: [{ index: 0, start: 0.6, end: 1.2, text: "" }] }))[0]).toBe(
      "0 so we now",
    );
  });
  test("that a removed text had are found no more, and change nothing", () => {
    const removed = { utterances: [{ index: 0, text: "" }] };
    const now = reading(removed, { utterances: [{ index: 0, start: 0, end: 1, speaker: 5 }] });
    expect(spoken(now)[0]).toBe("0 ");
  });
});

describe("whole speakers", () => {
  test("are merged with their turns, also those without words, and lose the name", () => {
    const recognised = meeting();
    recognised.speaker_turns = [...(recognised.speaker_turns ?? []), { speaker: 1, start: 6, end: 6.4, channel: 0 }];
    const now = corrected(recognised, [
      made({ speakers: [{ speaker: 1, name: "Ben" }] }),
      made({ merges: [{ speaker: 1, into: 0 }] }),
    ]);
    expect(new Set(now.utterances.map(({ speaker }) => speaker))).toEqual(new Set([0]));
    expect(new Set(now.speaker_turns?.map(({ speaker }) => speaker))).toEqual(new Set([0]));
    expect(now.speaker_names).toEqual({});
  });
  test("are split at a time", () => {
    const now = reading({ splits: [{ speaker: 0, start: 5.2, into: 2 }] });
    expect(spoken(now).slice(2)).toEqual(["0 then let", "2 us leave"]);
    expect(turnsOf(now).map(([speaker]) => speaker)).toEqual([0, 1, 0, 2]);
  });
  test("that were split and merged again read as before", () => {
    const now = reading({ splits: [{ speaker: 0, start: 3, into: 2 }] }, { merges: [{ speaker: 2, into: 0 }] });
    expect(spoken(now)).toEqual(spoken(reading()));
    expect(turnsOf(now)).toEqual(turnsOf(reading()));
  });
});

test("the whole text has the order of the utterances, also where a part of one follows another channel", () => {
  const long = utterance("one two three four");
  const answer = { ...utterance("yes", 0.5, 1), speaker: 1 };
  const given = { ...transcription(), utterances: [{ ...long, speaker: 0 }, answer] };
  const now = corrected(given, [made({ utterances: [{ index: 0, start: 0.6, end: 1.2, speaker: 1 }] })]);
  expect(spoken(now)).toEqual(["0 one two", "1 yes", "1 three four"]);
  expect(now.full_transcript).toBe("one two yes three four");
});

test("a turn over several utterances follows them without gaps", () => {
  const recognised = meeting();
  recognised.utterances = recognised.utterances.map((one) => ({ ...one, speaker: 0 }));
  recognised.speaker_turns = [{ speaker: 0, start: 0, end: 8, channel: 0 }];
  const now = corrected(recognised, [
    made({
      utterances: [
        { index: 1, speaker: 1 },
        { index: 2, speaker: 1 },
      ],
    }),
  ]);
  expect(turnsOf(now)).toEqual([
    [0, 0, 2],
    [1, 2, 8],
  ]);
});

test("whatever is changed, every word has one speaker, the text stays, and undoing gives the recognised transcript", () => {
  const time = fc.double({ min: 0, max: 7, noNaN: true });
  const speaker = fc.integer({ min: 0, max: 3 });
  const change: fc.Arbitrary<TranscriptChange> = fc.oneof(
    fc.record({ merges: fc.tuple(fc.record({ speaker, into: speaker })) }),
    fc.record({ splits: fc.tuple(fc.record({ speaker, start: time, into: speaker })) }),
    fc.record({
      utterances: fc.tuple(fc.record({ index: fc.integer({ min: 0, max: 2 }), start: time, end: time, speaker })),
    }),
  );
  const words = ({ utterances }: Transcription) =>
    utterances.flatMap((one) => one.words.map(({ word, start }) => `${start} ${word.trim()}`)).sort();
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const now = reading(...changes);
      expect(words(now)).toEqual(words(meeting()));
      expect(now.full_transcript).toBe(meeting().full_transcript);
      expect(now.utterances.map(({ words: own }) => own.map(({ word }) => word).join(""))).toEqual(
        now.utterances.map(({ text }) => text),
      );
      // Every word is in a turn of its speaker.
      for (const { speaker: who, words: own } of now.utterances) {
        for (const { start, end } of own) {
          const middle = (start + end) / 2;
          const turn = now.speaker_turns?.find((one) => one.start <= middle && middle <= one.end);
          expect(turn?.speaker).toBe(who);
        }
      }
      const undone = changes.map((one) => ({ ...one, undone_at: "2026-01-01T00:00:00Z" }));
      expect(corrected(meeting(), undone)).toEqual(reading());
    }),
  );
});

describe("changes that do not match the transcript", () => {
  const problems = (change: TranscriptChange, ...before: TranscriptChange[]) =>
    problemsOf(
      change,
      meeting(),
      before.map((one) => ({ ...made(one), id: "", created_at: "", made_by: "", undone_by: null })),
    );
  test("say what is there", () => {
    expect(problems({ merges: [{ speaker: 7, into: 0 }] })).toEqual([
      "merges.speaker must be one of the speakers 0, 1; it is 7",
    ]);
    expect(problems({ merges: [{ speaker: 1, into: 1 }] })).toEqual(["merges.into must be another speaker than 1"]);
    expect(problems({ splits: [{ speaker: 0, start: 1, into: 1 }] })).toEqual([
      "splits.into must be a number that no speaker has, such as 2; it is 1",
    ]);
    expect(problems({ splits: [{ speaker: 0, start: 99, into: 2 }] })[0]).toMatch(
      /^splits.start must be above 0 and at most/,
    );
    expect(problems({ utterances: [{ index: 1, start: 50, end: 51, speaker: 0 }] })[0]).toMatch(
      /index 1 has no words between start 50 and end 51; its words last from 2\.5/,
    );
  });
  test("are compared with the corrections before", () => {
    const merged = { merges: [{ speaker: 1, into: 0 }] };
    expect(problems(merged)).toEqual([]);
    expect(problems(merged, merged)).toEqual(["merges.speaker must be one of the speakers 0; it is 1"]);
    expect(problems({ merges: [{ speaker: 0, into: 1 }] }, merged)[0]).toBe(
      "merges.into must be one of the speakers 0; it is 1",
    );
  });
});
