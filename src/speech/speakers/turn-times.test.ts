import { expect, test } from "vitest";
import { extendToTurns } from "./turn-times.ts";

const spoken = (speaker: number, start: number, end: number) => ({ channel: 0, speaker, start, end });

test("an utterance has the times of its turn, up to the speaker's next utterance and by two seconds", () => {
  const turns = [spoken(0, 0, 9), spoken(1, 3.5, 4.5), spoken(0, 20, 40)];
  const utterances = [spoken(0, 0.5, 3), spoken(1, 3.7, 4.2), spoken(0, 4.4, 8.8), spoken(0, 25, 30)];
  expect(extendToTurns(utterances, turns)).toEqual([
    spoken(0, 0, 4.4),
    spoken(1, 3.5, 4.5),
    spoken(0, 4.4, 9),
    spoken(0, 23, 32),
  ]);
});
test("an utterance without a turn keeps its times", () => {
  expect(extendToTurns([spoken(0, 1, 2)], [spoken(1, 0, 5), spoken(0, 8, 9)])).toEqual([spoken(0, 1, 2)]);
  expect(extendToTurns([], [spoken(0, 8, 9)])).toEqual([]);
});
