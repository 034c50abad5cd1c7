import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordingTime } from "./gaps.ts";
import { SampleFiles } from "./sample-files.ts";

const RATE = 16_000;

interface Piece {
  gapSamples: number;
  samples: number;
}

/**
 * Writes each piece as its number, after its gap. @returns the stored samples, and the start of each piece in the
 * recording
 */
function write(pieces: readonly Piece[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-samples-"));
  const paths = [0, 1].map((channel) => path.join(folder, `${channel}.pcm`));
  try {
    const files = new SampleFiles(paths);
    const starts: number[] = [];
    let position = 0;
    for (const [index, { gapSamples, samples }] of pieces.entries()) {
      if (gapSamples > 0) files.writeGap(gapSamples);
      position += gapSamples;
      starts.push(position);
      const plane = Buffer.from(new Int16Array(samples).fill(index + 1).buffer);
      files.write([plane, plane], samples);
      position += samples;
    }
    files.close();
    const [left, right] = paths.map((file) => readFileSync(file)) as [Buffer, Buffer];
    expect(left.equals(right)).toBe(true);
    return {
      stored: new Int16Array(left.buffer, left.byteOffset, left.length / 2),
      gaps: files.gaps,
      starts,
      position,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("every stored sample has its time in the recording, and silence of over 4 s is not stored as a whole", () => {
  const piece = fc.record({
    gapSamples: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 5 * RATE }),
      fc.integer({ min: 1, max: 36_000 * RATE }),
    ),
    samples: fc.integer({ min: 1, max: 2 * RATE }),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const { stored, gaps, starts } = write(pieces);
      const audio = pieces.reduce((sum, { samples }) => sum + samples, 0);
      expect(stored.length).toBeLessThanOrEqual(audio + pieces.length * 4 * RATE);
      for (const [index, start] of starts.entries()) {
        const at = stored.indexOf(index + 1);
        expect(recordingTime(at / RATE, gaps)).toBeCloseTo(start / RATE, 6);
        const last = stored.lastIndexOf(index + 1);
        expect(recordingTime(last / RATE, gaps)).toBeCloseTo((start + (pieces[index]?.samples ?? 0) - 1) / RATE, 6);
      }
    }),
    { numRuns: 60 },
  );
});

test("audio before and after a long gap is separated by two seconds of silence; a late start takes no samples", () => {
  const { stored, gaps } = write([
    { gapSamples: 10 * RATE, samples: RATE },
    { gapSamples: 3_600 * RATE, samples: RATE },
  ]);
  expect(stored).toHaveLength(4 * RATE);
  expect(gaps).toEqual([
    { storedSeconds: 0, seconds: 10 },
    { storedSeconds: 2, seconds: 3_598 },
  ]);
});
