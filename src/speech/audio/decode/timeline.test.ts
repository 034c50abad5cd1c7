import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { DRIFT_TOLERANCE_SECONDS, type PlacedFrame, Timeline, type TimelineOptions } from "./timeline.ts";

const FRAME_SECONDS = 0.02;
const LIMIT_SECONDS = 21_600;

interface Placement {
  frame: number;
  startSeconds: number;
}

/** Places frames of 20 ms by their timestamps, as the decoder does. */
function placed(times: readonly number[], options: Partial<TimelineOptions> = {}) {
  const timeline = new Timeline<number>({ startSeconds: 0, limitSeconds: LIMIT_SECONDS, ...options });
  const frames: Placement[] = [];
  let position = options.startSeconds ?? 0;
  let gaps = 0;
  let inserted = 0;
  let cut = 0;
  const note = ({ frame, gapSeconds, correctionSeconds }: PlacedFrame<number>) => {
    position += gapSeconds + correctionSeconds;
    gaps += gapSeconds;
    if (correctionSeconds > 0) inserted += correctionSeconds;
    else cut -= correctionSeconds;
    frames.push({ frame, startSeconds: position });
    position += FRAME_SECONDS;
  };
  for (const [frame, seconds] of times.entries()) {
    if (timeline.follows(seconds, FRAME_SECONDS)) note({ frame, gapSeconds: 0, correctionSeconds: 0 });
    else for (const one of timeline.push(seconds, FRAME_SECONDS, frame)) note(one);
  }
  for (const one of timeline.end()) note(one);
  return { frames, gaps, inserted, cut, end: timeline.endSeconds, faults: timeline.faults };
}

const regular = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index * FRAME_SECONDS);

function expectNoGaps(result: ReturnType<typeof placed>, count: number): void {
  expect(result.frames.map(({ frame }) => frame)).toEqual(Array.from({ length: count }, (_, index) => index));
  expect(result).toMatchObject({ gaps: 0, inserted: 0, cut: 0 });
}

describe("correct timestamps", () => {
  test("consecutive frames get neither gaps nor corrections", () => {
    expectNoGaps(placed(regular(500)), 500);
  });

  test("a late start becomes a gap before the first frame", () => {
    const { frames, gaps } = placed(regular(100, 5));
    expect(gaps).toBeCloseTo(5, 9);
    expect(frames[0]?.startSeconds).toBeCloseTo(5, 9);
  });

  test("a single late frame is placed at its timestamp", () => {
    expect(placed([5]).frames[0]?.startSeconds).toBeCloseTo(5, 9);
  });

  test("a negative start counts as 0", () => {
    const { frames, faults } = placed(regular(100, -0.5));
    expect(frames[0]?.startSeconds).toBe(0);
    expect(faults.stepsBack).toBe(0);
  });

  test("missing frames leave a gap of their length", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 200 }),
        fc.double({ min: 0.1, max: 3_600, noNaN: true }),
        (before, gap) => {
          const times = [...regular(before), ...regular(100, before * FRAME_SECONDS + gap)];
          const result = placed(times);
          for (const { frame, startSeconds } of result.frames) {
            expect(startSeconds).toBeCloseTo(times[frame] as number, 6);
          }
          expect(result.gaps).toBeCloseTo(gap, 6);
        },
      ),
    );
  });

  test("a codec that sends one frame per 0.4 s during silence keeps its times", () => {
    const times = [...regular(50), ...Array.from({ length: 50 }, (_, index) => 1 + index * 0.4), ...regular(50, 21)];
    for (const { frame, startSeconds } of placed(times).frames)
      expect(startSeconds).toBeCloseTo(times[frame] as number, 6);
  });
});

describe("slightly wrong timestamps", () => {
  test("jitter of up to 20 ms changes no sample", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.019, max: 0.019, noNaN: true }), { minLength: 50, maxLength: 400 }),
        (jitter) => {
          const times = jitter.map((offset, index) => (index === 0 ? 0 : index * FRAME_SECONDS + offset));
          expectNoGaps(placed(times), times.length);
        },
      ),
    );
  });

  test.each([0.002, -0.002, 0.02, -0.02])("a clock that runs %d too fast is followed to within 150 ms", (rate) => {
    const times = regular(10_000).map((seconds) => seconds * (1 + rate));
    const { frames, faults } = placed(times);
    for (const { frame, startSeconds } of frames) {
      expect(Math.abs(startSeconds - (times[frame] as number))).toBeLessThan(0.15);
    }
    expect(faults.ignoredFromSeconds).toBeUndefined();
  });

  test.each([25, 10, 5, 4])("single lost packets, one in %d, do not add up", (rate) => {
    const times = regular(5_000).filter((_, index) => index % rate !== rate - 1);
    const { frames, faults } = placed(times);
    for (const { frame, startSeconds } of frames) {
      expect(Math.abs(startSeconds - (times[frame] as number))).toBeLessThan(0.25);
    }
    expect(faults.ignoredFromSeconds).toBeUndefined();
  });

  test("a small overlap is cut out", () => {
    const { end, cut } = placed([...regular(100), ...regular(100, 1.8)]);
    expect(cut).toBeCloseTo(0.2, 6);
    expect(end).toBeCloseTo(3.8, 6);
  });
});

describe("wrong timestamps", () => {
  test("after a step back, time continues from the samples", () => {
    const result = placed([...regular(100), ...regular(100)]);
    expectNoGaps(result, 200);
    expect(result.faults.stepsBack).toBe(1);
  });

  test("frames without timestamps follow the last one", () => {
    expectNoGaps(placed(new Array<number>(300).fill(Number.NaN)), 300);
    const times = regular(300).map((seconds, index) => (index % 3 === 0 ? seconds : Number.NaN));
    expectNoGaps(placed(times), 300);
  });

  test("a few frames far off do not move the others", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 98 }), { maxLength: 4 }),
        fc.constantFrom(-1e9, -30, 30, 1e9, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
        (frames, offset) => {
          const apart = frames.filter(
            (frame) => !frames.some((other) => other !== frame && Math.abs(other - frame) < 6),
          );
          const times = regular(200).map((seconds, index) => (apart.includes(index) ? seconds + offset : seconds));
          expectNoGaps(placed(times), 200);
        },
      ),
    );
  });

  test("audio that returns after a second at a wrong time is placed correctly", () => {
    for (const offset of [-20, -1e6]) {
      const times = regular(300).map((seconds, index) => (index >= 100 && index < 150 ? seconds + offset : seconds));
      expectNoGaps(placed(times), 300);
    }
  });

  test("a jump beyond the declared duration or the limit is ignored", () => {
    const times = [...regular(100), ...regular(100, 36_000)];
    expect(placed(times).faults.ignoredJumps).toBe(1);
    expectNoGaps(placed(times), 200);
    expectNoGaps(placed(times, { limitSeconds: 100_000, declaredSeconds: 4 }), 200);
    expect(placed(times, { limitSeconds: 100_000 }).gaps).toBeCloseTo(36_000 - 2, 6);
  });

  test("a counter of 33 bits that wraps is followed", () => {
    const wrapSeconds = 2 ** 33 / 90_000;
    const times = regular(200, wrapSeconds - 2).map((seconds) => seconds % wrapSeconds);
    const origin = times[0] as number;
    const relative = times.map((seconds) => seconds - origin);
    const result = placed(relative, { wrapSeconds });
    expect(result.gaps).toBe(0);
    expect(result.faults.stepsBack).toBe(0);
  });

  test.each([
    ["standing still", () => 0],
    ["half as fast as the samples", (index: number) => (index * FRAME_SECONDS) / 2],
    ["running backwards", (index: number) => -index * FRAME_SECONDS],
    ["twice as fast as the samples", (index: number) => index * FRAME_SECONDS * 2],
  ])("timestamps %s cost at most 0.5 s of audio", (_what, timeOf) => {
    const result = placed(Array.from({ length: 2_000 }, (_, index) => timeOf(index)));
    expect(result.frames).toHaveLength(2_000);
    expect(result.cut).toBeLessThan(0.5);
  });
});

test("for any timestamps, every frame is placed once and in order, within the limit, and hardly anything is cut", () => {
  const time = fc.oneof(
    fc.double(),
    fc.double({ min: -10, max: 100, noNaN: true }),
    fc.integer({ min: 0, max: 2_000 }).map((frame) => frame * FRAME_SECONDS),
  );
  fc.assert(
    fc.property(fc.array(time, { maxLength: 600 }), (times) => {
      const { frames, cut, end } = placed(times, { limitSeconds: 1_000 });
      expect(frames.map(({ frame }) => frame)).toEqual(times.map((_, index) => index));
      expect(end).toBeLessThanOrEqual(1_000 + times.length * FRAME_SECONDS);
      expect(cut).toBeLessThanOrEqual(DRIFT_TOLERANCE_SECONDS + times.length * FRAME_SECONDS * 0.2 + 0.25);
    }),
    { numRuns: 500 },
  );
});

test("random timestamps are soon ignored", () => {
  const random = randomOf(1);
  const times = Array.from({ length: 1_000 }, () => random() * 10_000);
  const { faults, gaps } = placed(times);
  expect(faults.ignoredFromSeconds).toBeLessThan(2);
  expect(gaps).toBe(0);
});
