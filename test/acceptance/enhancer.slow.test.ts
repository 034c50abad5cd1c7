// audio_enhancer: it enhances, says so, keeps every sample in its place, and never stands in the way.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FRAME_SAMPLES, Suppressor } from "../../src/speech/audio/enhance/suppressor.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { killChildren } from "../fixtures/processes.ts";
import { noise } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { call, processIdsOf, type RunningService, startService } from "../service.ts";

let service: RunningService;
let speech: Float32Array;
beforeAll(async () => {
  speech = repeated(await decodeSpeech(), 3, 1);
  service = await startService();
});
afterAll(() => service.remove());

const noisy = () => {
  const hiss = noise(speech.length / 16_000, 1);
  const level = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0));
  const gain = level(speech) / level(hiss) / 10 ** (15 / 20);
  return speech.map((value, at) => value + gain * (hiss[at] ?? 0));
};

/** Share of the energy that is not the clean speech. */
function rest(heard: Float32Array): number {
  let own = 0;
  let common = 0;
  let all = 0;
  for (let at = 0; at < speech.length; at++) {
    own += (speech[at] as number) ** 2;
    common += (speech[at] as number) * (heard[at] as number);
    all += (heard[at] as number) ** 2;
  }
  return 1 - common ** 2 / own / all;
}

test("noise becomes less, clean speech stays as it is, one frame later", async () => {
  const padded = (samples: Float32Array) => {
    const whole = new Float32Array((Math.ceil(samples.length / FRAME_SAMPLES) + 1) * FRAME_SAMPLES);
    whole.set(samples);
    return whole;
  };
  const through = async (samples: Float32Array) =>
    (await Suppressor.create()).process(padded(samples)).samples.subarray(FRAME_SAMPLES);
  expect(rest(await through(noisy()))).toBeLessThan(rest(noisy()) * 0.75);
  expect(rest(await through(speech))).toBeLessThan(0.01);
});

async function session(audio: Float32Array, isEnhanced: boolean) {
  const { url, id } = await createSession(service, {
    endpointing: 0.3,
    pre_processing: { audio_enhancer: isEnhanced },
  });
  const client = await LiveClient.connect(url);
  const bytes = encodePcm([audio]);
  for (let at = 0; at < bytes.length; at += 6_401) client.send(bytes.subarray(at, at + 6_401));
  client.stop();
  expect((await client.closed).code).toBe(1000);
  return { client, id };
}

test("a session says what was done to each utterance; the words keep their places; the recording is what was sent", async () => {
  const clean = await session(speech, false);
  const { client, id } = await session(noisy(), true);
  const events = client.of("pre_processing").map(({ data }) => data);
  expect(events.length).toBe(client.finals().length);
  for (const { name, channel, time_range, noise_decibels, strength } of events) {
    expect([name, channel]).toEqual(["audio_enhancer", 0]);
    expect(time_range[0]).toBeLessThan(time_range[1]);
    expect(noise_decibels).toBeGreaterThan(-18);
    expect(strength).toBeGreaterThan(0);
  }
  // Letter by letter: "AISDK" and "A-I-S-D-K" are the same.
  const letters = (from: LiveClient) => [...normalizedWords(from.text()).join("")];
  expect(wordErrors(letters(clean.client), letters(client))).toBeLessThan(letters(clean.client).length * 0.2);
  const starts = (from: LiveClient) => from.finals().map(({ data }) => data.utterance.start as number);
  for (const [index, start] of starts(client).entries()) {
    expect(Math.abs(start - (starts(clean.client)[index] ?? 0))).toBeLessThan(0.15);
  }
  const recorded = await call(service, "GET", `/v2/live/${id}`);
  expect(recorded.json.file.audio_duration).toBeCloseTo(speech.length / 16_000, 3);
  expect(clean.client.of("pre_processing")).toEqual([]);
});

test("a session continues when the enhancer's process is killed", async () => {
  const { url } = await createSession(service, { endpointing: 0.3, pre_processing: { audio_enhancer: true } });
  const client = await LiveClient.connect(url);
  const bytes = encodePcm([speech]);
  client.send(bytes.subarray(0, 100_000));
  await client.message(({ type }) => type === "speech_start");
  for (const id of processIdsOf(service)) killChildren(id, "enhance");
  client.send(bytes.subarray(100_000));
  client.stop();
  expect((await client.closed).code).toBe(1000);
  expect(client.finals().length).toBe(3);
});
