import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { joinedSamples } from "../../../speech/audio/samples.ts";
import { ChannelLeaks, LeakTimes } from "./channel-leaks.ts";

const RATE = 16_000;
const SECONDS = 36;
const LEAK = 0.1;
const DELAY = 700;
const random = randomOf(4);
/** Two people in turns of 3 s; the second one leaks into the first one's channel. */
const voices = [0, 1].map((person) => {
  let [low, slow] = [0, 0];
  return Float32Array.from({ length: SECONDS * RATE }, (_, at) => {
    low += 0.3 * (random() - 0.5 - low);
    slow += 0.02 * (low - slow);
    const isOn = Math.floor(at / (3 * RATE)) % 2 !== person;
    return isOn ? 0.8 * (low - slow) * Math.sin((2 * Math.PI * (3 + person) * at) / RATE) ** 4 : 0;
  });
}) as [Float32Array, Float32Array];
const leak = voices[1].map((_, at) => LEAK * (voices[1][at - DELAY] ?? 0));
const hiss = () => 1e-4 * (random() - 0.5);
const channels = [
  voices[0].map((value, at) => value + (leak[at] as number) + hiss()),
  voices[1].map((value) => value + hiss()),
];
const sources = { carrierOf: () => undefined, prefer: () => undefined, separate: () => undefined };
const [RESUMED, TURN_END] = [32 * RATE + 123, 33 * RATE + 77];

/** What a session's channels receive from `sample` on, until the turn ends and after it. */
async function delivered(sample: number): Promise<[turn: Float32Array[], rest: Float32Array[]]> {
  const leaks = new ChannelLeaks(2, sources);
  const first = sample === 0 ? 0 : leaks.startFor(sample);
  const parts: Float32Array[][] = [[], []];
  const keep = (pieces: readonly Float32Array[]) =>
    pieces.forEach((piece, channel) => void parts[channel]?.push(piece));
  const add = async (from: number, until: number) => {
    for (let at = from; at < until; at += RATE) {
      const end = Math.min(until, at + RATE);
      await leaks.add(
        channels.map((samples) => samples.subarray(at, end)),
        keep,
      );
    }
  };
  const taken = () => parts.map((all) => joinedSamples(all.splice(0)));
  await add(first, TURN_END);
  keep(leaks.release());
  const turn = taken().map((samples) => samples.subarray(sample - first));
  await add(TURN_END, SECONDS * RATE);
  keep(leaks.flush());
  return [turn, taken()];
}

const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 1e-12);

test("a session that is resumed continues with the samples of an uninterrupted one", async () => {
  const [[whole, wholeRest], [turn, rest]] = [await delivered(0), await delivered(RESUMED)];
  expect(whole.map(({ length }) => length)).toEqual([TURN_END, TURN_END]);
  expect(turn.map(({ length }) => length)).toEqual([TURN_END - RESUMED, TURN_END - RESUMED]);
  expect(rest.map(({ length }) => length)).toEqual(wholeRest.map(({ length }) => length));
  for (const channel of [0, 1]) {
    const expected = joinedSamples([
      whole[channel]?.subarray(RESUMED) as Float32Array,
      wholeRest[channel] as Float32Array,
    ]);
    const found = joinedSamples([turn[channel] as Float32Array, rest[channel] as Float32Array]);
    const error = found.map((value, at) => value - (expected[at] as number));
    // The filters began at different positions: 25 dB below the channel.
    expect(power(error)).toBeLessThan(3e-3 * power(channels[channel]?.subarray(RESUMED) as Float32Array));
  }
  // While the other person speaks, the leak is as weak as without the interruption.
  const far = (samples: Float32Array, from: number) => power(samples.subarray(from, from + RATE / 2));
  expect(far(turn[0] as Float32Array, 0)).toBeLessThan(1.5 * far(whole[0] as Float32Array, RESUMED));
});

test("periods are found in order, and joined where they meet", () => {
  const times = new LeakTimes();
  times.add(512, 1_024, "possible");
  times.add(1_024, 1_536, "possible");
  times.add(1_536, 2_048, "found");
  const samples = [0, 512, 1_024, 1_535, 1_536, 2_047, 2_048];
  expect(samples.map((sample) => times.at(sample))).toEqual([
    ...[undefined, "possible", "possible", "possible"],
    ...["found", "found", undefined],
  ]);
});

test("a part of a period that is added again does not change it", () => {
  const times = new LeakTimes();
  times.add(0, 1_024, "found");
  times.add(512, 1_024, "possible");
  times.add(1_024, 1_536, "found");
  expect([0, 600, 1_100, 1_600].map((sample) => times.at(sample))).toEqual(["found", "found", "found", undefined]);
});
