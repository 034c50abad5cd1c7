// The lines of the live page: finals replace partials once, corrections reach finals, and lines are divided where the speaker changes.
import { expect, test } from "vitest";
import { type Line, runsOf, withRevision, withTranscript } from "../src/live/lines.ts";

const line = (id: string, isFinal: boolean, speakers: readonly number[] | undefined, text = " one two"): Line => ({
  id,
  isFinal,
  utterance: {
    text,
    language: "en",
    start: 0,
    end: 2,
    confidence: 1,
    channel: 0,
    ...(speakers ? { speaker: speakers[0] as number } : {}),
    words: [" one", " two"].map((word, at) => ({
      word,
      start: at,
      end: at + 1,
      confidence: 1,
      ...(speakers ? { speaker: speakers[at] as number } : {}),
    })),
  },
});
const shown = (lines: readonly Line[]) =>
  lines.map(({ utterance }) => runsOf(utterance).map(({ speaker, text }) => `${speaker} ${text}`));

test("a final replaces its partial, and the same final sent again does not undo a correction", () => {
  const partial = withTranscript([], line("a", false, undefined));
  expect(shown(partial)).toEqual([["undefined one two"]]);
  const final = withTranscript(partial, line("a", true, [0, 0]));
  expect(shown(final)).toEqual([["0 one two"]]);
  const words = [{ index: 1, speaker: 1 }];
  const corrected = withRevision(final, { channel: 0, merged: [], utterances: [{ id: "a", speaker: 0, words }] });
  expect(shown(corrected)).toEqual([["0 one", "1 two"]]);
  expect(withTranscript(corrected, line("a", true, [0, 0]))).toEqual(corrected);
  const merged = withRevision(corrected, { channel: 0, merged: [{ speaker: 1, into: 0 }], utterances: [] });
  expect(shown(merged)).toEqual([["0 one two"]]);
});

test("a final without text removes its line", () => {
  const partial = withTranscript([], line("a", false, undefined));
  expect(withTranscript(partial, line("a", true, undefined, ""))).toEqual([]);
});
