import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timeline, type TrackAudio } from "./timeline.ts";

const SILENCE = 0xff;
/** Bytes of 20 ms at 8 kHz. */
const FRAME = 160;

function timeline(tracks = 1, more: Partial<ConstructorParameters<typeof Timeline>[0]> = {}) {
  return new Timeline({ tracks, sampleRate: 8_000, sampleBytes: 1, silence: SILENCE, now: () => 0, ...more });
}

/** Chunk `index` of a track, each with its own byte. */
const chunk = (index: number, track = 0, more: Partial<TrackAudio> = {}): TrackAudio => ({
  ...{ track, chunk: index, milliseconds: index * 20, bytes: Buffer.alloc(FRAME, index + 1) },
  ...more,
});
const stream = (count: number, track = 0) => Array.from({ length: count }, (_, index) => chunk(index, track));

const played = (line: Timeline, audio: readonly TrackAudio[]) =>
  Buffer.concat([...audio.flatMap((one) => line.push(one)), ...line.end()]);
const pushed = (line: Timeline, one: TrackAudio) => Buffer.concat(line.push(one));
const bytesOf = (audio: readonly TrackAudio[]) => Buffer.concat(audio.map(({ bytes }) => bytes));
const quiet = (frames: number) => Buffer.alloc(frames * FRAME, SILENCE);

describe("one track", () => {
  test("frames in their order are audio at once", () => {
    const line = timeline();
    for (const one of stream(20)) expect(line.push(one)).toEqual([one.bytes]);
    expect(line.end()).toHaveLength(0);
    expect(line.problems).toEqual([]);
  });

  test("any order within the wait gives the same audio", () => {
    const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 8 });
    fc.assert(
      fc.property(order, (rest) => {
        const audio = stream(12);
        const line = timeline();
        const mixed = [0, ...rest, 9, 10, 11].map((index) => audio[index] as TrackAudio);
        expect(played(line, mixed)).toEqual(bytesOf(audio));
        expect(line.problems).toEqual([]);
      }),
    );
  });

  test("100,000 frames without audio take no time and no memory", () => {
    const line = timeline();
    const empty = { bytes: Buffer.alloc(0), milliseconds: 0 };
    for (let index = 0; index < 100_000; index++) expect(line.push(chunk(index, 0, empty))).toEqual([]);
    const [track] = (line as unknown as { tracks: { parts: unknown[] }[] }).tracks;
    expect(track?.parts).toEqual([]);
    expect(pushed(line, chunk(100_000, 0, { milliseconds: 0 }))).toHaveLength(FRAME);
  });

  test("the first frames may be out of order", () => {
    const audio = stream(20).slice(1);
    const [first, second, third, ...rest] = audio as [TrackAudio, TrackAudio, TrackAudio];
    const line = timeline();
    expect(played(line, [third, second, first, ...rest])).toEqual(bytesOf(audio));
    expect(line.problems).toEqual([]);
    // A count that begins with another number.
    expect(played(timeline(), rest)).toEqual(bytesOf(rest));
  });

  test("a missing frame is silence of its length, once later ones have waited", () => {
    const audio = stream(40);
    const line = timeline();
    const lost = audio.filter((_, index) => index !== 5);
    expect(played(line, lost)).toEqual(Buffer.concat([bytesOf(audio.slice(0, 5)), quiet(1), bytesOf(audio.slice(6))]));
    // It comes after all.
    expect(line.push(chunk(5))).toHaveLength(0);
    expect(line.problems).toEqual([expect.stringContaining("too late")]);
  });

  test("suppressed silence is silence: timestamps continue while chunks follow each other", () => {
    const [first, second] = [chunk(0), chunk(1, 0, { milliseconds: 1_000 })] as const;
    expect(played(timeline(), [first, second])).toEqual(Buffer.concat([first.bytes, quiet(49), second.bytes]));
  });

  test("timestamps that tremble, and clocks that differ, add no silence", () => {
    const audio = stream(100).map((one, index) => ({ ...one, milliseconds: index * 20 + ((index * 37) % 90) }));
    expect(played(timeline(), audio)).toEqual(bytesOf(audio));
    const burst = stream(20).map((one) => ({ ...one, milliseconds: 0 }));
    expect(played(timeline(), burst)).toEqual(bytesOf(burst));
  });

  test("a Unix time counts from the first frame; without timestamps and chunks, the order of arrival counts", () => {
    const audio = stream(5).map((one) => ({ ...one, milliseconds: 1_705_312_200_000 + (one.milliseconds ?? 0) }));
    expect(played(timeline(), audio)).toEqual(bytesOf(audio));
    const bare = stream(5).map((one) => ({ ...one, milliseconds: undefined, chunk: undefined }));
    expect(played(timeline(), bare)).toEqual(bytesOf(bare));
  });

  test("a jump of the clock that is longer than the stream is left out, and what follows is kept", () => {
    const line = timeline();
    const audio = stream(10).map((one, index) =>
      index < 5 ? one : { ...one, milliseconds: Number.MAX_SAFE_INTEGER - 1_000 + index * 20 },
    );
    expect(played(line, audio)).toEqual(bytesOf(audio));
    expect(line.problems).toEqual([expect.stringContaining("jumped")]);
  });

  test("a clock and a count that begin again are followed", () => {
    const line = timeline();
    const audio = [...stream(100), ...stream(100)];
    expect(played(line, audio)).toEqual(bytesOf(audio));
    expect(line.problems).toEqual([expect.stringContaining("went back")]);
  });

  test("a number of 2^53 - 1 loses no other frame", () => {
    const line = timeline();
    const audio = stream(200);
    const odd = chunk(7, 0, { chunk: Number.MAX_SAFE_INTEGER, milliseconds: undefined });
    const all = [...audio.slice(0, 7), odd, ...audio.slice(7)];
    expect(played(line, all)).toEqual(Buffer.concat([bytesOf(audio), odd.bytes]));
  });

  test("silence is at most as long as the stream, with ten seconds more", () => {
    let milliseconds = 0;
    const line = timeline(1, { now: () => milliseconds });
    let length = 0;
    for (let index = 0; index < 100; index++)
      length += pushed(line, chunk(index, 0, { milliseconds: index * 5_000 })).length;
    expect(length).toBeLessThan(11 * 8_000 + 100 * FRAME);
    milliseconds = 60_000;
    expect(pushed(line, chunk(100, 0, { milliseconds: 99 * 5_000 + 20_000 })).length).toBeGreaterThan(15 * 8_000);
  });
});

test.each([1, 2])(
  "an hour of silence in %i tracks takes the memory of a second, and the clock stays right",
  (tracks) => {
    let milliseconds = 0;
    const line = timeline(tracks, { now: () => milliseconds });
    line.push(chunk(0));
    milliseconds = 3_600_000;
    const pieces = line.push(chunk(1, 0, { milliseconds }));
    pieces.push(...line.end());
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8_000 * tracks);
    const memory = new Set(pieces.map(({ buffer }) => buffer));
    expect(memory.size).toBeLessThan(10);
    const whole = Buffer.concat(pieces);
    const first = tracks === 1 ? FRAME : 0;
    // The second frame begins at its time.
    expect(whole.indexOf(2) / tracks + first).toBe(3_600 * 8_000);
    expect(line.problems).toEqual([]);
  },
);

describe("two tracks", () => {
  const both = (count: number) => stream(count).flatMap((one) => [one, chunk(one.chunk as number, 1)]);
  const interleaved = (left: Buffer, right: Buffer) =>
    Buffer.from([...left].flatMap((byte, index) => [byte, right[index] as number]));

  test("tracks are channels, whatever order their frames have", () => {
    const audio = bytesOf(stream(30));
    expect(played(timeline(2), both(30))).toEqual(interleaved(audio, audio));
    const later = [...both(30)].reverse().sort((one, other) => (one.chunk as number) - (other.chunk as number));
    expect(played(timeline(2), later)).toEqual(interleaved(audio, audio));
  });

  test("a track without frames is silent, and delays the other by no more than the wait", () => {
    const audio = stream(50);
    const line = timeline(2);
    const sent = audio.map((one) => pushed(line, one).length).reduce((sum, length) => sum + length, 0);
    expect(sent / 2).toBe(35 * FRAME);
    const rest = Buffer.concat(line.end());
    expect(rest.length / 2).toBe(15 * FRAME);
    expect([...rest].filter((_, index) => index % 2 === 1).every((byte) => byte === SILENCE)).toBe(true);
  });

  test("a track that begins later begins at its time", () => {
    const late = chunk(0, 1, { milliseconds: 500 });
    const whole = played(timeline(2), [...stream(30), late]);
    const right = [...whole].filter((_, index) => index % 2 === 1);
    expect(right.indexOf(1)).toBe(25 * FRAME);
    expect(right).toHaveLength(30 * FRAME);
  });

  test("samples of 16 bits stay whole", () => {
    const line = timeline(2, { sampleBytes: 2, silence: 0 });
    const [left, right] = [Buffer.from([1, 2, 3, 4]), Buffer.from([5, 6, 7, 8])];
    const none = { chunk: undefined, milliseconds: undefined };
    expect(
      played(line, [
        { track: 0, ...none, bytes: left },
        { track: 1, ...none, bytes: right },
      ]),
    ).toEqual(Buffer.from([1, 2, 5, 6, 3, 4, 7, 8]));
  });
});

test("nothing is lost and nothing is held, for any frames", () => {
  const frame = fc.record({
    track: fc.nat(1),
    chunk: fc.option(fc.oneof(fc.nat(100), fc.maxSafeNat()), { nil: undefined }),
    milliseconds: fc.option(fc.oneof(fc.nat(10_000), fc.maxSafeNat()), { nil: undefined }),
    bytes: fc.nat(400).map((length) => Buffer.alloc(length, 1)),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 200 }), (frames) => {
      const line = timeline(2);
      const whole = played(line, frames);
      expect(whole.length % 2).toBe(0);
      // Frames are left out only with a problem that states it.
      const given = frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const kept = [...whole].filter((byte) => byte === 1).length;
      if (!line.problems.some((problem) => problem.includes("left out"))) expect(kept).toBe(given);
      expect(kept).toBeLessThanOrEqual(given);
      expect(whole.length).toBeLessThan(given * 2 + 2 * 21 * 8_000);
    }),
  );
});
