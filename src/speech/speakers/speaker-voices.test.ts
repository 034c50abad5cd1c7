import { expect, test } from "vitest";
import { piecesLine } from "./recorded-speakers.ts";
import { frameSeconds } from "./speaker-networks.ts";
import { speakerVoices } from "./speaker-voices.ts";

const line = (channel: number, pieces: [start: number, end: number, print: number[]][]) =>
  piecesLine(channel, {
    pieces: pieces.map(([start, end]) => ({ start, end })),
    dimensions: 2,
    voices: Float32Array.from(pieces.flatMap(([, , print]) => print)),
  });
const turn = (speaker: number, from: number, to: number, channel = 0) => ({
  channel,
  speaker,
  start: frameSeconds(from),
  end: frameSeconds(to),
});
const same = (seconds: number) => seconds;

test("a piece counts for the speaker who talks in most of it, weighted by its length", () => {
  const lines = [
    line(0, [
      [0, 300, [1, 0]],
      [300, 400, [0, 1]],
      [400, 500, [0, 1]],
      [600, 700, [0, 0]],
    ]),
  ];
  const [first, second, ...more] = speakerVoices(lines, [turn(1, 400, 500), turn(0, 0, 400)], same);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ speaker: 0, seconds: expect.closeTo(frameSeconds(400) - frameSeconds(0), 3) });
  expect((first?.print[0] ?? 0) / (first?.print[1] ?? 1)).toBeCloseTo(3, 1);
  expect(second).toMatchObject({ speaker: 1, print: [0, 1] });
});

test("channels are separate, times are those of the recording, and a piece without a turn is left out", () => {
  const lines = [
    line(0, [[0, 100, [1, 0]]]),
    line(1, [
      [0, 100, [0, 1]],
      [500, 600, [1, 0]],
    ]),
  ];
  const later = (seconds: number) => seconds + 60;
  const turns = [turn(0, 0, 100, 0), turn(1, 0, 100, 1)].map((one) => ({
    ...one,
    start: one.start + 60,
    end: one.end + 60,
  }));
  expect(speakerVoices(lines, turns, later)).toMatchObject([
    { speaker: 0, print: [1, 0] },
    { speaker: 1, print: [0, 1] },
  ]);
});
