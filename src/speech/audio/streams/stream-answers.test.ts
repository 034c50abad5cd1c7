import { expect, test } from "vitest";
import type { StreamResponse } from "./message.ts";
import { streamAnswer } from "./stream-answers.ts";

const GOOD = {
  ...{ kind: "decoded", samples: new Uint8Array(8), format: { sampleRate: 48_000, channels: 2 }, marks: [10, 2] },
  ...{ lost: [{ from: 1, end: 4, bytes: 3 }], notes: ["a note"], hasMore: false },
} as const;
const answer = (changes: object) => streamAnswer({ ...GOOD, ...changes } as unknown as StreamResponse, 2);

test("an answer of the decoder process is taken as it is", () => {
  expect(answer({})).toEqual(GOOD);
  expect(answer({ refused: "no audio" })).toEqual({ ...GOOD, refused: "no audio" });
  expect(streamAnswer({ kind: "unknown" }, 2)).toBe("unknown");
});

test.each([
  ["no answer", { kind: "closed" }],
  ["samples of another kind", { samples: "text" }],
  ["part of a frame", { samples: new Uint8Array(6) }],
  ["samples of other channels", { format: { sampleRate: 48_000, channels: 1 } }],
  ["samples without a format", { format: undefined }],
  ["an impossible rate", { format: { sampleRate: 96_000, channels: 2 } }],
  ["positions that are no numbers", { marks: [1, Number.NaN] }],
  ["positions below zero", { lost: [{ from: -1, end: 4, bytes: 3 }] }],
  ["a range that ends before it begins", { lost: [{ from: 5, end: 4, bytes: 3 }] }],
  ["notes that cannot be stored", { notes: ["\0"] }],
  ["a reason without end", { refused: "x".repeat(5_000) }],
])("%s is refused", (_, changes) => {
  expect(() => answer(changes)).toThrow("The decoder");
});
