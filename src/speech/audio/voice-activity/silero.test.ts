// Compared with the published model, which processes one window at a time.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { HELLO_MP3, noise, silence } from "../../../../test/fixtures/recordings.ts";
import { MUSIC, type Sound } from "../../../../test/fixtures/sounds.ts";
import { decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { STEADY_NOISE } from "../../../../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../../../../test/fixtures/telephone-tones.ts";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import * as ort from "../../onnx/runtime.ts";
import { coldVoiceActivityState, initialVoiceActivityState, settledFrom } from "./detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "./detector-windows.ts";
import { loadVoiceActivityModel, probabilitiesOf, speechProbabilities } from "./silero.ts";

const WINDOWS = 90;
const CONTEXT = 64;

/** A synthetic intermittent voice: overtones of a varying pitch, and a little noise. */
function babble(): Float32Array {
  const random = randomOf(7);
  let angle = 0;
  return Float32Array.from({ length: WINDOWS * WINDOW_SAMPLES }, (_, at) => {
    const seconds = at / 16_000;
    angle += (2 * Math.PI * (140 + 40 * Math.sin(3 * seconds))) / 16_000;
    const overtones = [1, 2, 3, 5, 8].reduce((sum, number) => sum + Math.sin(number * angle) / number, 0);
    // Noise loud enough that the audio is not levelled.
    return 0.38 * overtones * Math.max(0, Math.sin(4 * seconds)) + 0.019 * (2 * random() - 1);
  });
}

async function published(samples: Float32Array): Promise<number[]> {
  const file = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v6.onnx");
  const session = await ort.InferenceSession.create(await readFile(file), { logSeverityLevel: 3 });
  const rate = new ort.Tensor("int64", BigInt64Array.of(16_000n), []);
  let state: ort.Tensor = new ort.Tensor("float32", new Float32Array(256), [2, 1, 128]);
  const padded = new Float32Array(CONTEXT + samples.length);
  padded.set(samples, CONTEXT);
  const probabilities: number[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const from = window * WINDOW_SAMPLES;
    const input = new ort.Tensor("float32", padded.slice(from, from + CONTEXT + WINDOW_SAMPLES), [
      1,
      CONTEXT + WINDOW_SAMPLES,
    ]);
    const answer = await session.run({ input, state, sr: rate });
    state = answer["stateN"] as ort.Tensor;
    probabilities.push(((answer["output"] as ort.Tensor).data as Float32Array)[0] as number);
  }
  await session.release();
  return probabilities;
}

test("many windows in one call, or in several, give the published model's results for single windows", async () => {
  const samples = babble();
  const expected = await published(samples);
  expect(Math.max(...expected)).toBeGreaterThan(0.5);
  expect(Math.min(...expected)).toBeLessThan(0.1);
  const model = await loadVoiceActivityModel();
  for (const windowsACall of [WINDOWS, 7, 1]) {
    const state = initialVoiceActivityState();
    const heard: number[] = [];
    for (let from = 0; from < samples.length; from += windowsACall * WINDOW_SAMPLES) {
      const part = samples.subarray(from, from + windowsACall * WINDOW_SAMPLES);
      heard.push(...(await speechProbabilities(model, part, state)));
    }
    expect(heard).toHaveLength(WINDOWS);
    const furthest = heard.map((value, at) => Math.abs(value - (expected[at] as number)));
    expect(Math.max(...furthest), `${windowsACall} windows a call`).toBeLessThan(1e-4);
  }
  await model.release();
});

test("quiet speech is detected as well as loud speech, and quiet noise is not speech", async () => {
  const model = await loadVoiceActivityModel();
  const speech = await decodeSpeech(HELLO_MP3);
  const at = async (samples: Float32Array, decibels: number) =>
    probabilitiesOf(
      model,
      // Rounded to 16 bits.
      samples.map((value) => Math.round(value * 10 ** (decibels / 20) * 32_767) / 32_767),
    );
  const spoken = (await at(speech, 0)).map((probability) => Number(probability >= 0.5));
  const quiet = await at(speech, -40);
  const found = spoken.filter((isSpeech, window) => isSpeech && (quiet[window] ?? 0) >= 0.35).length;
  expect(found / spoken.filter(Boolean).length).toBeGreaterThan(0.9);
  for (const decibels of [0, -30, -60]) expect(Math.max(...(await at(noise(5, 0.1), decibels)))).toBeLessThan(0.2);
  await model.release();
});

/** Hold music, then a spoken sentence. */
const afterMusic = async (music: Sound, seconds: number) => {
  const sentence = await decodeSpeech(HELLO_MP3);
  const samples = new Float32Array(seconds * 16_000 + sentence.length + 16_000);
  samples.set(music(seconds, 3));
  samples.set(sentence, seconds * 16_000 + 8_000);
  return samples;
};
const SPEECH = 0.6;

test("speech after half a minute of music or noise is detected as at the start of a stream", async () => {
  const model = await loadVoiceActivityModel();
  const sounds = { ...MUSIC, ...STEADY_NOISE, ...TELEPHONE_TONES };
  const alone = (await probabilitiesOf(model, await afterMusic(silence, 2))).filter((one) => one >= SPEECH).length;
  for (const name of ["melody with vibrato", "piano", "fan", "ring-back, 425 Hz"]) {
    const seconds = 30;
    const probabilities = await probabilitiesOf(model, await afterMusic(sounds[name] as Sound, seconds));
    const first = Math.ceil((seconds * 16_000) / WINDOW_SAMPLES);
    const found = probabilities.subarray(first).filter((one) => one >= SPEECH).length;
    expect(found / alone, name).toBeGreaterThan(0.9);
    expect(probabilities.subarray(50, first).filter((one) => one >= SPEECH).length, name).toBe(0);
  }
  await model.release();
});

test("after a restart of the stream at the place that the detector needs, probabilities are the same", async () => {
  const model = await loadVoiceActivityModel();
  const samples = await afterMusic(MUSIC["piano"] as Sound, 15);
  // Quiet, so that the level matters.
  for (const gain of [1, 0.004]) {
    const quiet = samples.map((value) => gain * value);
    const whole = await probabilitiesOf(model, quiet);
    for (const window of [330, 479, 480]) {
      const from = settledFrom(window);
      const rest = quiet.subarray(from * WINDOW_SAMPLES);
      const state = coldVoiceActivityState(from);
      await speechProbabilities(model, warmUpSamples(rest.subarray(0, WARM_UP_SAMPLES)), state);
      const again = await speechProbabilities(model, rest, state);
      const furthest = again.map((value, at) =>
        from + at < window ? 0 : Math.abs(value - (whole[from + at] as number)),
      );
      expect(Math.max(...furthest), `from ${from}`).toBeLessThan(1e-4);
    }
  }
  await model.release();
});
