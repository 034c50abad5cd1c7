import { expect, test } from "vitest";
import { cutSegments } from "../voice-activity/segmentation.ts";
import { LeakStretches, MOST_LEAK_STRETCHES, ownSegments } from "./leak-stretches.ts";

const BLOCK = 512;
const WINDOWS = 300;

function stretchesOf(...blocks: [from: number, until: number][]) {
  const stretches = new LeakStretches();
  for (const [from, until] of blocks)
    for (let block = from; block < until; block++) stretches.add(block * BLOCK, (block + 1) * BLOCK);
  return stretches.end();
}

/** First and last window of speech in each segment that stays. */
function kept(speech: [from: number, until: number][], leaks: [from: number, until: number][]) {
  const probabilities = new Float32Array(WINDOWS);
  for (const [from, until] of speech) probabilities.fill(1, from, until);
  const total = WINDOWS * BLOCK;
  const segments = cutSegments(probabilities, total);
  return ownSegments(segments, probabilities, total, stretchesOf(...leaks)).map((one) => segments.indexOf(one));
}

test("blocks that follow each other are one stretch; a single block is none", () => {
  expect(stretchesOf([3, 9], [9, 12], [14, 15], [20, 22])).toEqual([
    [3, 12],
    [20, 22],
  ]);
});

test("the block before the recording is ignored", () => {
  expect(stretchesOf([-1, 4])).toEqual([[0, 4]]);
  expect(stretchesOf([-1, 0])).toEqual([]);
});

test("the number of stretches is bounded", () => {
  const blocks = Array.from({ length: MOST_LEAK_STRETCHES + 5 }, (_, at): [number, number] => [4 * at, 4 * at + 2]);
  expect(stretchesOf(...blocks)).toHaveLength(MOST_LEAK_STRETCHES);
});

test("a segment with nothing but a leak is not transcribed; its margins do not count", () => {
  expect(
    kept(
      [
        [20, 60],
        [120, 140],
        [200, 260],
      ],
      [[118, 142]],
    ),
  ).toEqual([0, 2]);
});

test("a segment with one block of its own is transcribed, and one without leaks", () => {
  expect(kept([[120, 140]], [[110, 139]])).toEqual([0]);
  expect(
    kept(
      [[120, 140]],
      [
        [110, 130],
        [131, 150],
      ],
    ),
  ).toEqual([0]);
  expect(kept([[120, 140]], [])).toEqual([0]);
});

test("speech longer than a segment is cut at the same places", () => {
  const leak = kept([[0, 300]], [[0, 300]]);
  expect(leak).toEqual([]);
});
