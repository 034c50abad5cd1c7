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
const PCM: RawFormat = { encoding: "linear16", sampleRate: 16_000, channels: 1 };

test("samples of another format than the declared one have a warning that names it", () => {
  expect(warningOf(encodeAlaw(atRate(speech, 8_000)), MU_LAW)).toBe(
    "encoding or channels is probably wrong: the samples are read as mulaw with 1 channel of 8000 Hz, and they look like A-law",
  );
  expect(warningOf(encodePcm([speech, speech]), PCM)).toMatch(/two channels/);
});

test("samples of the declared format have none", () => {
  expect(warningOf(encodeUlaw(atRate(speech, 8_000)), MU_LAW)).toBeUndefined();
  expect(warningOf(encodePcm([speech]), PCM)).toBeUndefined();
  expect(warningOf(encodePcm([speech], 32), { ...PCM, encoding: "linear32" })).toBeUndefined();
});
