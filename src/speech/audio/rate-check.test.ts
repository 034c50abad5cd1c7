// Speech that is read at another sampling rate than its own is detected, and other sound is not. `npm run bench -- declared-formats`
// measures it on recordings.
import { describe, expect, test } from "vitest";
import { MUSIC } from "../../../test/fixtures/sounds.ts";
import { atRate, decodeSpeech, repeated } from "../../../test/fixtures/speech.ts";
import { TELEPHONE_TONES } from "../../../test/fixtures/telephone-tones.ts";
import { RateCheck, rateWarning } from "./rate-check.ts";
import { resampled } from "./resample.ts";
import type { StreamFormat } from "./stream-format.ts";
import { coldVoiceActivityState } from "./voice-activity/detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "./voice-activity/detector-windows.ts";
import { loadVoiceActivityModel, speechProbabilities } from "./voice-activity/silero.ts";

const model = await loadVoiceActivityModel();
const speech = repeated(await decodeSpeech(), 8, 0.3);
let calls = 0;

async function findVoice(samples: Float32Array): Promise<Float32Array> {
  calls++;
  const state = coldVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), state);
  return speechProbabilities(model, samples, state);
}

/** @param frame  samples of one push */
async function playedSpeed(samples: Float32Array, frame = 1_600, find = findVoice): Promise<number | undefined> {
  const check = new RateCheck(find);
  for (let at = 0; at < samples.length; at += frame) await check.push(samples.subarray(at, at + frame));
  await check.settled();
  return check.playedSpeed;
}

/** What a session of the declared rate gets from audio of another one. */
function misread(samples: Float32Array, rate: number, declared: number): Float32Array {
  return resampled(resampled(samples, 16_000, rate), declared, 16_000);
}

describe("speech", () => {
  // Which of two speeds is named may depend on the processor.
  test.each([
    [16_000, 8_000],
    [8_000, 16_000],
    [48_000, 16_000],
  ])("of %i Hz that is read as %i Hz", async (rate, declared) => {
    const found = await playedSpeed(misread(speech, rate, declared));
    expect(rate > declared ? [1 / 2, 1 / 3] : [2, 3]).toContain(found);
  });

  test("at its own rate, and of a telephone that the client resampled, is right", async () => {
    for (const right of [speech, atRate(atRate(speech, 8_000), 32_000), speech.map((value) => value / 30)]) {
      expect(await playedSpeed(right)).toBeUndefined();
    }
  });

  test("the size of the frames changes nothing", async () => {
    const slow = misread(speech, 16_000, 8_000);
    expect(await playedSpeed(slow, 333)).toBe(await playedSpeed(slow, 16_000));
  });
});

test("a voice of which the detector is unsure at the likely rate, as in music, is none", async () => {
  const slow = misread(speech, 16_000, 8_000);
  // The declared rate is examined first, then the two likely ones.
  const played = (probability: number) => {
    let examined = 0;
    return playedSpeed(slow, 1_600, async (samples) => {
      const isDeclared = examined++ % 3 === 0;
      return new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES)).fill(isDeclared ? 0 : probability);
    });
  };
  expect(await played(0.95)).toBeDefined();
  expect(await played(0.6)).toBeUndefined();
});

test("a slow detector changes nothing: sound waits for the end of a check", async () => {
  const noise = Float32Array.from({ length: 60 * 16_000 }, (_, at) => Math.sin(at * at));
  const checked: number[][] = [];
  for (const milliseconds of [0, 50]) {
    const lengths: number[] = [];
    checked.push(lengths);
    await playedSpeed(noise, 1_600, async (samples) => {
      lengths.push(samples.length, samples[0] as number);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES));
    });
  }
  expect(checked[0]?.length).toBeGreaterThan(2);
  expect(checked[1]).toEqual(checked[0]);
});

test("music, telephone tones, silence and values that are no samples have no warning", async () => {
  const sounds = [...Object.values(MUSIC), ...Object.values(TELEPHONE_TONES)].map((sound) => sound(3, 2));
  for (const sound of [...sounds, new Float32Array(48_000), new Float32Array(48_000).fill(Number.NaN)]) {
    expect(await playedSpeed(sound)).toBeUndefined();
  }
});

test("a stream is checked six times at most", async () => {
  const noise = Float32Array.from({ length: 60 * 16_000 }, (_, at) => Math.sin(at * at));
  calls = 0;
  expect(await playedSpeed(noise)).toBeUndefined();
  expect(calls).toBeLessThanOrEqual(18);
});

test("the warning names the likely rates, and what else sounds like it", () => {
  const format: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 8_000, channels: 1 };
  expect(rateWarning(1 / 2, format)).toMatch(
    /read as 8000 Hz.*slow and low; it may have 16000, 22050 or 24000 Hz, or it has two channels\. .*sample_rate and channels/,
  );
  expect(rateWarning(1 / 3, { ...format, sampleRate: 16_000 })).toMatch(/32000, 44100 or 48000 Hz/);
  expect(rateWarning(2, { ...format, sampleRate: 16_000, channels: 2 })).toMatch(/8000 Hz, or it has one channel/);
});
