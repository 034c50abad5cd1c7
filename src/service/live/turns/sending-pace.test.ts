import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { SendingPace } from "./sending-pace.ts";

const ENDPOINTING_SECONDS = 0.05;

interface Chunk {
  at: number;
  seconds: number;
}

/** A recording in chunks of one length. @param pace  audio seconds per second */
function recording(seconds: number, chunkSeconds: number, { pace = 1, from = 0 } = {}): Chunk[] {
  const count = Math.round(seconds / chunkSeconds);
  return Array.from({ length: count }, (_, index) => ({
    at: from + ((index + 1) * chunkSeconds) / pace,
    seconds: chunkSeconds,
  }));
}

/** Chunks are sent in order, each delayed by up to so long. */
function jittered(chunks: Chunk[], mostSeconds: number, seed = 1): Chunk[] {
  const random = randomOf(seed);
  let last = 0;
  return chunks.map(({ at, seconds }) => {
    last = Math.max(last, at + mostSeconds * random());
    return { at: last, seconds };
  });
}

/** @returns when turns end, until 30 s after the last chunk */
function turnEnds(chunks: Chunk[], endpointing = ENDPOINTING_SECONDS, pace = new SendingPace(endpointing)): number[] {
  const ends: number[] = [];
  pace.connected(0, false);
  const waitUntil = (time: number) => {
    const due = pace.remaining(0);
    if (due === undefined || due > time) return;
    ends.push(due);
    pace.ended();
  };
  for (const { at, seconds } of chunks) {
    waitUntil(at);
    pace.received(seconds, at);
  }
  waitUntil((chunks.at(-1)?.at ?? 0) + 30);
  return ends;
}

const isNear = (actual: number | undefined, expected: number, tolerance = 0.05) =>
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);

test.each([0.01, 0.02, 0.1, 0.25])(
  "a microphone with chunks of %d s that stops has its turn ended after 0.6 s",
  (chunk) => {
    for (const seconds of [0.5, 3, 20]) {
      const ends = turnEnds(recording(seconds, chunk));
      expect(ends).toHaveLength(1);
      // The last chunk's length must pass first: the next one cannot arrive sooner.
      isNear(ends[0], seconds + chunk + 0.6);
    }
  },
);

test("the silence is as long as the endpointing if that is longer", () => {
  isNear(turnEnds(recording(3, 0.02), 2)[0], 5.02);
});

test("chunks of a second in real time are one turn, also with jitter", () => {
  for (const chunk of [0.5, 1, 2]) {
    const ends = turnEnds(jittered(recording(20, chunk), 0.3));
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeGreaterThan(20);
    expect(ends[0]).toBeLessThan(20.8 + chunk + Math.max(0.6, chunk / 2));
  }
});

test.each([
  ["eight chunks of 125 ms, flushed once a second", 8, 0.125, 0],
  ["fifty chunks of 20 ms, flushed once a second over 0.3 s", 50, 0.02, 0.006],
  ["forty chunks of 250 ms, flushed every ten seconds", 40, 0.25, 0.01],
])("%s, are one turn, which ends 0.6 s after its audio has run out", (_, count, seconds, apart) => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = randomOf(seed);
    const period = count * seconds;
    const flushes = Math.ceil(20 / period);
    const chunks = Array.from({ length: flushes }, (_, flush) => {
      const at = (flush + 1) * period + 0.2 * random();
      return Array.from({ length: count }, (_, index) => ({ at: at + index * apart, seconds }));
    }).flat();
    const ends = turnEnds(chunks);
    const last = flushes * period;
    expect(ends, `seed ${seed}`).toHaveLength(1);
    // As after one large chunk: the next one would be complete a period later.
    expect(ends[0]).toBeGreaterThan(last + period + 0.5);
    expect(ends[0]).toBeLessThan(last + period + 0.6 + Math.max(1, period / 2));
  }
});

test("jitter of 300 ms ends no turn, for any chunks and any order of delays", () => {
  for (const chunk of [0.02, 0.1, 0.25]) {
    for (let seed = 1; seed <= 50; seed++) {
      const ends = turnEnds(jittered(recording(6, chunk), 0.3, seed));
      expect(ends).toHaveLength(1);
      expect(ends[0]).toBeGreaterThan(6.5);
      expect(ends[0]).toBeLessThan(7.6);
    }
  }
});

test("a recording that is sent slower than real time is one turn, but for a few whose chunks jitter brings together", () => {
  const early: string[] = [];
  for (const pace of [0.9, 0.8, 0.7, 0.66, 0.5, 0.33, 0.25]) {
    for (const chunk of [0.02, 0.1, 0.25, 0.5, 1]) {
      const chunks = recording(10, chunk, { pace });
      for (let seed = 1; seed <= 50; seed++) {
        const sent = jittered(chunks, 0.3, seed);
        if (turnEnds(sent).some((end) => end < (sent.at(-1)?.at ?? 0))) early.push(`${pace}, ${chunk} s, seed ${seed}`);
      }
    }
  }
  // 1,750 senders. The delay of the first chunks is all that such a client shows of its pace.
  expect(early.length, early.join("; ")).toBeLessThanOrEqual(3);
});

test("short chunks at a tenth of real time are not comfort noise", () => {
  const chunks = jittered(recording(10, 0.02, { pace: 0.1 }), 0.3);
  expect(turnEnds(chunks).filter((end) => end < (chunks.at(-1)?.at ?? 0))).toEqual([]);
});

test("a recording that is sent faster than real time in bursts is one turn until its audio has run out", () => {
  for (const pace of [1.2, 2, 10, 100]) {
    for (const chunk of [0.02, 0.1, 1, 5]) {
      const chunks = recording(20, chunk, { pace });
      const ends = turnEnds(chunks);
      expect(
        ends.filter((end) => end < (chunks.at(-1)?.at ?? 0)),
        `pace ${pace}, chunk ${chunk}`,
      ).toEqual([]);
      expect(ends).toHaveLength(1);
    }
  }
  // Ten seconds at once, two seconds of nothing, ten more.
  expect(
    turnEnds([
      { at: 1, seconds: 10 },
      { at: 3, seconds: 10 },
    ]),
  ).toHaveLength(1);
});

test("a whole turn in one frame ends some seconds after its audio has run out", () => {
  const [end] = turnEnds([{ at: 1, seconds: 3 }]);
  expect(end).toBeGreaterThan(4.6);
  expect(end).toBeLessThan(9);
});

test("a turn that is sent faster than real time ends 0.6 s after its audio has run out", () => {
  const chunks = recording(3, 0.1, { pace: 1_000 });
  isNear(turnEnds(chunks)[0], 3.6, 0.15);
});

test("audio that was buffered before the connection does not delay the end of the turn", () => {
  const buffered = { at: 0.1, seconds: 4 };
  isNear(turnEnds([buffered, ...recording(3, 0.02, { from: 0.1 })])[0], 3.72, 0.1);
});

test("comfort noise counts as silence", () => {
  for (const every of [0.16, 0.4, 1]) {
    const noise = Array.from({ length: 20 }, (_, index) => ({ at: 2 + (index + 1) * every, seconds: 0.02 }));
    const ends = turnEnds([...recording(2, 0.02), ...noise]);
    expect(ends).toHaveLength(1);
    isNear(ends[0], 2.62, every);
  }
});

test("each turn of a conversation ends, including short ones and those with comfort noise between", () => {
  const turn = (from: number, seconds: number) => recording(seconds, 0.02, { from });
  const noise = Array.from({ length: 12 }, (_, index) => ({ at: 2 + (index + 1) * 0.4, seconds: 0.02 }));
  const ends = turnEnds([...turn(0, 2), ...noise, ...turn(7, 0.4), ...turn(12, 1), ...turn(20, 5)]);
  expect(ends).toHaveLength(4);
  for (const [index, end] of [2.62, 8.02, 13.62, 25.62].entries()) isNear(ends[index], end, 0.1);
});

test("a client that omits short silences has its turn ended as well", () => {
  const spurt = (from: number) => recording(0.5, 0.02, { from });
  const ends = turnEnds([...spurt(0), ...spurt(0.9), ...spurt(1.8), ...spurt(2.7)]);
  expect(ends).toHaveLength(1);
  isNear(ends[0], 3.82, 0.15);
});

test("a stall whose audio arrives later does not delay the end of the turn", () => {
  // The ping of the turn clock is not answered during the stall: the turn does not end there.
  const pace = new SendingPace(ENDPOINTING_SECONDS);
  pace.connected(0, false);
  for (const { at, seconds } of recording(6, 0.02)) pace.received(seconds, at > 3 && at < 5 ? 5 : at);
  isNear(pace.remaining(6), 0.62);
});

test("audio that waited for the session to start does not delay the end of a short turn", () => {
  const pace = new SendingPace(ENDPOINTING_SECONDS);
  pace.connected(0, false);
  pace.opened(1);
  for (const { at, seconds } of recording(1.4, 0.02)) pace.received(seconds, Math.max(1, at));
  isNear(pace.remaining(1.4), 0.62, 0.1);
});

test("after a reconnect the client has two seconds to resend, and the turn continues", () => {
  const pace = new SendingPace(ENDPOINTING_SECONDS);
  pace.connected(0, false);
  for (const { at, seconds } of recording(3, 0.02)) pace.received(seconds, at);
  pace.connected(5, true);
  isNear(pace.remaining(5), 2);
  pace.received(2.5, 5.5);
  for (const { at, seconds } of recording(0.4, 0.02, { from: 5.5 })) pace.received(seconds, at);
  expect(pace.remaining(5.9)).toBeLessThan(1.3);
});

test("after a restart of the service an open turn ends", () => {
  const pace = new SendingPace(ENDPOINTING_SECONDS);
  pace.connected(100, true);
  isNear(pace.remaining(100), 4);
});

test("time in which the service did not read does not count", () => {
  const pace = new SendingPace(ENDPOINTING_SECONDS);
  pace.connected(0, false);
  for (const { at, seconds } of recording(3, 0.02)) pace.received(seconds, at);
  pace.wasPaused(10);
  isNear(pace.remaining(10), 0.62);
});
