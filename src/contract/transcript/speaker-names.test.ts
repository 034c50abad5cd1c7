import { expect, test } from "vitest";
import { corrected } from "../../service/transcripts/corrections.ts";
import { correctedNames, spokenStretches } from "../../service/transcripts/spoken-stretches.ts";
import type { TranscriptChange } from "./correction.ts";
import { withSpeakerNames } from "./speaker-names.ts";
import type { Transcription } from "./transcript.ts";

const spoken = (speaker: number, start: number, end: number) => ({
  text: "words",
  language: "en",
  start,
  end,
  confidence: 1,
  channel: 0,
  speaker,
  words: [{ word: "words", start, end, confidence: 1 }],
});
const TRANSCRIPTION: Transcription = {
  full_transcript: "words words",
  languages: ["en"],
  utterances: [spoken(0, 0, 10), spoken(1, 10, 12)],
  speaker_turns: [
    { speaker: 0, start: 0, end: 10, channel: 0 },
    { speaker: 1, start: 4, end: 5, channel: 0 },
    { speaker: 1, start: 10, end: 12, channel: 0 },
  ],
};
const MARIA = { speaker: 0, name: "Maria", confidence: 0.9, voice_id: "a" };

test("known speakers have names in the list and in utterances, others have none; names go as they came", () => {
  const named = withSpeakerNames(TRANSCRIPTION, [MARIA]);
  expect(named.speakers).toEqual([MARIA, { speaker: 1, name: null, confidence: null, voice_id: null }]);
  expect(named.utterances[0]).toMatchObject({ speaker_name: "Maria", speaker_confidence: 0.9 });
  expect(named.utterances[1]).not.toHaveProperty("speaker_name");
  expect(withSpeakerNames(named, []).utterances).toEqual(TRANSCRIPTION.utterances);
});

test("corrections have the last word: a name, and an utterance that is another speaker's", () => {
  const named = withSpeakerNames(TRANSCRIPTION, [MARIA]);
  const moved = correctedNames(corrected(named, [{ utterances: [{ index: 1, speaker: 0 }], undone_at: null }]));
  expect(moved.utterances.map((one) => one.speaker_name)).toEqual(["Maria", "Maria"]);
  const renamed = correctedNames(corrected(named, [{ speakers: [{ speaker: 0, name: "Ana" }], undone_at: null }]));
  expect(renamed.utterances[0]?.speaker_name).toBe("Ana");
  expect(renamed.utterances[0]).not.toHaveProperty("speaker_confidence");
});

test("the list of speakers follows corrections: merged ones leave it, new ones and stated names are in it", () => {
  const named = withSpeakerNames(TRANSCRIPTION, [MARIA]);
  const after = (change: TranscriptChange) => corrected(named, [{ ...change, undone_at: null }]).speakers;
  expect(after({ merges: [{ speaker: 1, into: 0 }] })).toEqual([MARIA]);
  expect(after({ speakers: [{ speaker: 1, name: "Ana" }] })).toEqual([
    MARIA,
    { speaker: 1, name: "Ana", confidence: 1, voice_id: null },
  ]);
  const unknown = { name: null, confidence: null, voice_id: null };
  expect(after({ utterances: [{ index: 0, speaker: 2 }] })?.map(({ speaker }) => speaker)).toContain(2);
  expect(after({ speakers: [{ speaker: 0, name: "" }] })?.[0]).toEqual({ speaker: 0, ...unknown });
});

test("a voice is taken from where its speaker is alone, longest first", () => {
  const transcription = corrected(TRANSCRIPTION, []);
  expect(spokenStretches(transcription, { speaker: 0 })).toEqual({
    speaker: 0,
    stretches: [
      { channel: 0, start: 5, end: 10 },
      { channel: 0, start: 0, end: 4 },
    ],
  });
  expect(spokenStretches(transcription, { utterances: [0, 1] })).not.toHaveProperty("speaker");
  expect(spokenStretches(transcription, { utterances: [9] })).toEqual({ stretches: [] });
});
