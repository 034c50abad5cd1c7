import { expect, test } from "vitest";
import { SpeechContext } from "./speech-context.ts";
import { audioStartOf } from "./speech-detection.ts";

test("the context of a channel begins no earlier than its audio", () => {
  const context = new SpeechContext(16_000);
  context.advance(16_000);
  expect(context.start).toBe(0);
});

test("a negative beginning, as earlier versions stored it, is the beginning of the audio", () => {
  const state = { startSample: -16_000, settled: [] };
  expect(new SpeechContext(16_000, state).start).toBe(0);
  expect(audioStartOf({ position: 32_000, nextUtterance: 0, context: state })).toBe(0);
});
