import fc from "fast-check";
import { expect, test } from "vitest";
import { type EmbedRanges, voicesOfPieces } from "./piece-voices.ts";
import type { FrameRange } from "./pieces.ts";
import { type Excerpt, FRAME_SAMPLES } from "./speaker-networks.ts";

/** Frames of a quarter of a second: the accuracy of a division. */
const TOLERANCE = 15;

/** Ranges of the pieces and, after each, of its excerpts. */
const withExcerpts = (pieces: readonly FrameRange[], excerpts: readonly (readonly Excerpt[])[]): FrameRange[] =>
  pieces.flatMap((piece, at) => [
    piece,
    ...(excerpts[at] ?? []).map(({ start, end }) => ({
      start: piece.start + start / FRAME_SAMPLES,
      end: piece.start + end / FRAME_SAMPLES,
    })),
  ]);

/** Voices of a recording in which the person changes at some frames: the mean of orthogonal vectors, as much of each as the range has. */
function recording(changes: readonly number[]) {
  const requests: number[] = [];
  const embed = async (pieces: readonly FrameRange[], excerpts: readonly (readonly Excerpt[])[]) => {
    requests.push(pieces.length);
    const voices = withExcerpts(pieces, excerpts).flatMap(({ start, end }) => {
      const shares = [0, 0];
      for (let frame = start; frame < end; frame++) {
        const person = changes.filter((change) => change <= frame).length % 2;
        shares[person] = (shares[person] as number) + 1;
      }
      const length = Math.hypot(...shares);
      return shares.map((share) => share / length);
    });
    return { voices: Float32Array.from(voices), dimensions: 2 };
  };
  return { embed, requests };
}

test("a piece of one person stays whole, whatever its length", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 24, max: 237 }), { maxLength: 10 }), async (lengths) => {
      let at = 0;
      const pieces = lengths.map((length) => {
        const start = at;
        at += length;
        return { start, end: at };
      });
      const found = await voicesOfPieces(pieces, recording([]).embed);
      expect(found.pieces).toEqual(pieces);
      expect([...found.voices]).toEqual(pieces.flatMap(() => [1, 0]));
    }),
  );
});

test("a piece of two people is divided where the person changes", async () => {
  // A person who talks for less than a window at one end may not be distinguished.
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 142, max: 237 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (length, part) => {
        const change = Math.round(71 + part * (length - 142));
        const { embed, requests } = recording([change]);
        const { pieces, voices } = await voicesOfPieces([{ start: 0, end: length }], embed);
        expect(pieces).toHaveLength(2);
        expect(pieces[0]?.end).toBe(pieces[1]?.start);
        expect(Math.abs((pieces[0]?.end ?? 0) - change)).toBeLessThanOrEqual(TOLERANCE);
        expect(voices[0]).toBeGreaterThan(0.9);
        expect(voices[3]).toBeGreaterThan(0.9);
        expect(Math.max(...requests)).toBeLessThanOrEqual(10);
      },
    ),
  );
});

test("pieces keep their order, and ranges without a voice are not compared", async () => {
  const { embed } = recording([300]);
  const silent: EmbedRanges = async (ranges, excerpts) => {
    const { voices, dimensions } = await embed(ranges, excerpts);
    for (const [row, { start }] of withExcerpts(ranges, excerpts).entries())
      if (start >= 600) voices.fill(0, 2 * row, 2 * row + 2);
    return { voices, dimensions };
  };
  const pieces = [
    { start: 0, end: 100 },
    { start: 210, end: 400 },
    { start: 500, end: 550 },
    { start: 600, end: 800 },
  ];
  const found = await voicesOfPieces(pieces, silent);
  const starts = found.pieces.map(({ start }) => start);
  expect(Math.abs((starts[2] ?? 0) - 300)).toBeLessThanOrEqual(TOLERANCE);
  expect(starts.toSpliced(2, 1)).toEqual([0, 210, 500, 600]);
  expect(found.pieces.at(-1)).toEqual({ start: 600, end: 800 });
  expect(found.voices).toHaveLength(10);
});
