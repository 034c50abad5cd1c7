import fc from "fast-check";
import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { RangeFilter } from "./audio-range.ts";

const CHUNK = fc.record({ samples: fc.nat(4 * SAMPLE_RATE), gapSamples: fc.nat(4 * SAMPLE_RATE) });
const MILLISECONDS = fc.nat(30_000);

test("of any chunks, the samples within the range are kept at their positions", () => {
  fc.assert(
    fc.property(
      fc.array(CHUNK, { size: "max", maxLength: 10 }),
      MILLISECONDS,
      fc.option(MILLISECONDS),
      (chunks, from, length) => {
        const end = length === null ? undefined : (from + length + 1) / 1000;
        const start = Math.round((from / 1000) * SAMPLE_RATE);
        const stop = end === undefined ? Number.POSITIVE_INFINITY : Math.round(end * SAMPLE_RATE);
        const filter = new RangeFilter({ start: from / 1000, ...(end === undefined ? {} : { end }) });
        const expected: number[] = [];
        const found: number[] = [];
        let position = 0;
        let placed = 0;
        for (const { samples, gapSamples } of chunks) {
          position += gapSamples;
          // The value of a sample is its index in the chunk.
          const values = Int16Array.from({ length: samples }, (_, at) => at % 30_000);
          for (const at of [0, samples - 1].filter((one) => one >= 0 && one < samples))
            if (position + at >= start && position + at < stop) expected.push(position + at, at % 30_000);
          const kept = filter.kept({ planes: [Buffer.from(values.buffer)], samples, gapSamples });
          placed += kept.gapSamples;
          expect(kept.planes[0]?.length).toBe(2 * kept.samples);
          const plane = new Int16Array(Uint8Array.from(kept.planes[0] ?? []).buffer);
          for (const at of [0, samples - 1].filter((one) => one >= 0 && one < samples)) {
            const index = position + at - placed;
            if (index >= 0 && index < kept.samples) found.push(position + at, plane[index] as number);
          }
          placed += kept.samples;
          position += samples;
          expect(filter.isOver).toBe(position >= stop);
        }
        expect(found).toEqual(expected);
        expect(placed).toBeLessThanOrEqual(stop);
      },
    ),
  );
});
