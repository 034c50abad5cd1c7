import { expect, test } from "vitest";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import type { TranscriptSource } from "./format.ts";
import { writeMarkdown } from "./markdown.ts";

const ONE_BLOCK = "a 1. b --- c # d";

// CommonMark ends a line at each of these.
test.each(["\n", "\r", "\r\n", "\r\r", " \n\r "])("a note with the line breaks %j is one block", (ends) => {
  const text = ["a", "1. b", "---", "c # d"].join(ends);
  const note = { start: 0, end: 1, channel: 0, colour: "yellow", quote: "hello", text };
  const written = writeMarkdown({
    title: `audio${ends}title`,
    createdAt: "2026-11-25",
    transcription: { utterances: [utterance("hello")], speaker_names: {}, paragraph_starts: [] },
    notes: [note],
  } as unknown as TranscriptSource);
  const lines = written.split(/\r\n|\n|\r/).filter((line) => line !== "");
  expect(lines[0]).toBe("# audio title");
  expect(lines.at(-1)).toBe(`> **00:00** “hello”: ${ONE_BLOCK.replace("#", "\\#")}`);
  expect(lines).toHaveLength(4);
});
