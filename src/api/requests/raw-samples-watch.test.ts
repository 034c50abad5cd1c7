import { expect, test } from "vitest";
import { atRate, decodeSpeech, encodeAlaw, encodePcm, encodeUlaw, repeated } from "../../../test/fixtures/speech.ts";
import type { RawFormat } from "./raw-audio.ts";
import { RawSamplesWatch } from "./raw-samples-watch.ts";

const speech = repeated(await decodeSpeech(), 2, 0);

function warningOf(bytes: Buffer, raw: RawFormat): string | undefined {
  const watch = new RawSamplesWatch(raw);
  for (let at = 0; at < bytes.length; at += 1_001) watch.push(bytes.subarray(at, at + 1_001));
  return watch.warning;
}

const MU_LAW: RawFormat = { encoding: "mulaw", sampleRate: 8_000, channels: 1 };
const FLOAT: RawFormat = { encoding: "linear32", sampleRate: 16_000, channels: 1 };
const floats = (samples: Float32Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
const PCM: RawFormat = { encoding: "linear16", sampleRate: 16_000, channels: 1 };

test("samples of another format than the declared one have a warning that names it", () => {
  expect(warningOf(encodeAlaw(atRate(speech, 8_000)), MU_LAW)).toBe(
    "encoding or channels is probably wrong: the request declares mulaw with 1 channel of 8000 Hz, and the samples look like A-law",
  );
  expect(warningOf(encodePcm([speech, speech]), PCM)).toMatch(/two channels/);
});

test("samples of the declared format have none", () => {
  expect(warningOf(encodeUlaw(atRate(speech, 8_000)), MU_LAW)).toBeUndefined();
  expect(warningOf(encodePcm([speech]), PCM)).toBeUndefined();
  expect(warningOf(floats(speech), FLOAT)).toBeUndefined();
  expect(warningOf(floats(speech.map((value) => value / 200)), FLOAT)).toBeUndefined();
  expect(warningOf(Buffer.alloc(200_000), FLOAT)).toBeUndefined();
});

test.each<[string, Buffer, RegExp]>([
  ["16-bit samples", encodePcm([speech]), /look like little-endian 16-bit PCM$/],
  ["32-bit whole numbers", encodePcm([speech], 32), /look like little-endian 32-bit PCM$/],
  ["mu-law", encodeUlaw(speech), /look like mu-law$/],
  [
    "two channels",
    floats(Float32Array.from({ length: 2 * speech.length }, (_, at) => speech[at >> 1] as number)),
    /two channels/,
  ],
])("%s that are declared as floating-point samples have a warning", (_what, bytes, name) => {
  expect(warningOf(bytes, FLOAT)).toMatch(/^encoding or channels is probably wrong: .* linear32 /);
  expect(warningOf(bytes, FLOAT)).toMatch(name);
});

test("floating-point samples that are declared as 16-bit samples have a warning", () => {
  expect(warningOf(floats(speech), PCM)).toMatch(/floating-point/);
});
