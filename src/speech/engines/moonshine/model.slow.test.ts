// Runs the larger of the published weights.
import { beforeAll, expect, test } from "vitest";
import { expectBatchesWithoutEffect, expectWordsWithinCuts } from "../../../../test/fixtures/moonshine-laws.ts";
import { decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { lettersOf } from "../../text/sound.ts";
import { BASE } from "./config.ts";
import { MoonshineModel } from "./model.ts";

let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
});

test("the text of one audio segment does not depend on the others in the batch, in any order of arrival", async () => {
  await expectBatchesWithoutEffect(BASE, speech);
});

test("words are within the audio, wherever it was cut", async () => {
  await expectWordsWithinCuts(BASE, speech);
});

test("a recogniser that continues the same audio returns the same words; other or shorter audio does no harm", async () => {
  const recognizer = new AttentionRecognizer(await MoonshineModel.load(BASE));
  const lettersIn = async (samples: Float32Array, audioId?: string) => {
    const { words } = await recognizer.recognize({ samples, ...(audioId ? { audioId } : {}) });
    return lettersOf(words.map(({ text }) => text).join(""));
  };
  const whole = await lettersIn(speech);
  for (let seconds = 1; seconds < speech.length / SAMPLE_RATE; seconds += 0.3) {
    await lettersIn(speech.slice(0, seconds * SAMPLE_RATE), "speech");
  }
  expect(await lettersIn(speech, "speech")).toBe(whole);
  const less = speech.slice(0, SAMPLE_RATE);
  expect(await lettersIn(less, "speech")).toBe(await lettersIn(less));
  for (const other of ["a", "b", "c", "d", "e"]) expect(await lettersIn(speech, other)).toBe(whole);
  await recognizer.close();
});
