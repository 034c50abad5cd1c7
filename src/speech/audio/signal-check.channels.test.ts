// The format of several channels of which the first one has no sound.
import { expect, test } from "vitest";
import { noise, tone } from "../../../test/fixtures/recordings.ts";
import { PCM, warningOf } from "../../../test/fixtures/signal-warning.ts";
import { MUSIC } from "../../../test/fixtures/sounds.ts";
import { encodePcm } from "../../../test/fixtures/speech.ts";

const STEREO = { ...PCM, channels: 2 };
const sounds = Object.values(MUSIC)
  .slice(0, 3)
  .map((sound) => sound(4, 1));
/** The sound is in the second channel. */
const second = (samples: Float32Array) => [new Float32Array(samples.length), samples];

test("the other channel shows the wrong format", () => {
  for (const samples of sounds)
    expect(warningOf(encodePcm(second(samples)).swap16(), STEREO)).toMatch(/not in the format of the session/);
});

test("the right format has no warning", () => {
  for (const samples of [...sounds, tone(8, 1_000), noise(8, 0.002)]) {
    expect(warningOf(encodePcm(second(samples)), STEREO)).toBeUndefined();
    expect(
      warningOf(encodePcm([new Float32Array(samples.length), ...second(samples)]), { ...PCM, channels: 3 }),
    ).toBeUndefined();
  }
});
