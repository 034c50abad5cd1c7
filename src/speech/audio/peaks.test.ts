import { expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import type { Gap } from "./decode/gaps.ts";
import { addPeaksOf, type Picture, pictureOf } from "./peaks.ts";
import { SAMPLE_RATE } from "./sample-rate.ts";

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Each sample for itself. */
function expected(bytes: Buffer, gaps: readonly Gap[], pictures: readonly Picture[]): void {
  for (let stored = 0; stored < bytes.length / 2; stored++) {
    const left = gaps.filter(({ storedSeconds }) => Math.round(storedSeconds * SAMPLE_RATE) <= stored);
    const sample = stored + left.reduce((sum, { seconds }) => sum + Math.round(seconds * SAMPLE_RATE), 0);
    for (const { samples, peaks } of pictures) {
      const part = Math.min(peaks.length - 1, Math.floor(sample / samples));
      peaks[part] = Math.max(peaks[part] as number, Math.abs(bytes.readInt16LE(stored * 2)) / 32_768);
    }
  }
}

const random = randomOf(7);

test.each([
  ["without gaps", []],
  [
    "with gaps, one at the beginning and two at one place",
    [
      [0, 0.5],
      [0.31, 2],
      [0.31, 1],
      [0.9, 0.25],
    ],
  ],
  ["with a gap behind the end", [[5, 2]]],
])("the loudest sample of each part, %s", async (_, places) => {
  const bytes = Buffer.alloc(2 * SAMPLE_RATE);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(Math.floor(random() * 65_536) - 32_768, at);
  const gaps = places.map(([storedSeconds = 0, seconds = 0]) => ({ storedSeconds, seconds }));
  // A duration that is shorter than the samples: the last part has the rest.
  for (const seconds of [0.8, 5]) {
    for (const [size, shift] of [
      [1_024, 0],
      [700, 1],
    ] as const) {
      const pictures = () => [
        pictureOf(seconds, 7),
        pictureOf(seconds, Math.ceil(seconds * 40)),
        pictureOf(seconds, 1),
      ];
      const [found, wanted] = [pictures(), pictures()];
      // Buffers of a pool may begin at an odd byte.
      const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift);
      await addPeaksOf(inChunks(shifted, size), gaps, found);
      expected(bytes, gaps, wanted);
      expect(found).toEqual(wanted);
    }
  }
});
