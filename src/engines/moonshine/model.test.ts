import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSameInBatches } from "../../../test/fixtures/batches.ts";
import { decodeSpeech } from "../../../test/fixtures/speech.ts";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { lettersOf } from "../../text/sound.ts";
import { BASE, framesOf, modelFolder, SAMPLE_RATE, START_TOKEN, TINY } from "./config.ts";
import { MoonshineModel } from "./model.ts";

let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
});

const valuesOf = (tensor: ort.Tensor) => tensor.data as Float32Array;

const power = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);

/** Power of the difference relative to the expected values. */
const difference = (found: Float32Array, expected: Float32Array) =>
  power(found.map((value, at) => value - (expected[at] as number))) / power(expected);

describe.each([BASE, TINY])("the encoder of $id", (variant) => {
  let model: MoonshineModel;
  beforeAll(async () => {
    model = await MoonshineModel.load(variant);
  });
  afterAll(() => model.release());

  test("matches the published one, apart from the rounding of activations", async () => {
    const file = path.join(modelFolder(variant), "encoder_model.onnx");
    const published = await ort.InferenceSession.create(await readFile(file), ONE_THREAD);
    const samples = speech.slice(0, 2 * SAMPLE_RATE + 77);
    const output = await published.run({ input_values: new ort.Tensor("float32", samples, [1, samples.length]) });
    const frames = framesOf(samples.length);
    const { encoded, memory } = await model.encode(samples, undefined, frames);
    expect(encoded.frames).toBe(frames);
    const expected = valuesOf(output["last_hidden_state"] as ort.Tensor);
    expect(difference(valuesOf(memory.hidden), expected)).toBeLessThan(0.05);
    await published.release();
  });
  test("continues an earlier pass: cached frames are unchanged, the others are close to those of a pass over all the audio", async () => {
    const beginning = await model.encode(speech.slice(0, 2 * SAMPLE_RATE), undefined, 40);
    expect(beginning.memory.frames).toBe(40);
    const samples = speech.slice(0, 2.5 * SAMPLE_RATE);
    const frames = framesOf(samples.length);
    const further = await model.encode(samples, beginning.memory, frames);
    for (const { dims } of further.encoded.cross) expect(dims).toEqual([1, variant.heads, frames, variant.headSize]);
    const settled = 40 * variant.hiddenSize;
    expect(valuesOf(further.memory.hidden).slice(0, settled)).toEqual(valuesOf(beginning.memory.hidden));
    const whole = valuesOf((await model.encode(samples, undefined, frames)).memory.hidden).slice(settled);
    expect(difference(valuesOf(further.memory.hidden).slice(settled), whole)).toBeLessThan(0.05);
  });
  test("the text of one audio segment does not depend on the others in the batch, in any order of arrival", async () => {
    const pieces = Array.from({ length: 10 }, (_, at) => speech.slice(at * 3_000, at * 3_000 + 16_000 + at * 5_000));
    const audio = await Promise.all(pieces.map(async (samples) => (await model.encode(samples)).encoded));
    // Beyond the 64 tokens after which the cache must grow.
    await expectSameInBatches(model, audio, START_TOKEN, 70);
  });
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

test.each([BASE, TINY])("words of $id are within the audio, wherever it was cut", async (variant) => {
  const recognizer = new AttentionRecognizer(await MoonshineModel.load(variant));
  for (let seconds = 0.5; seconds < speech.length / SAMPLE_RATE; seconds += 0.13) {
    const samples = speech.slice(0, seconds * SAMPLE_RATE);
    const { words } = await recognizer.recognize({ samples });
    for (const [at, { startSeconds, endSeconds }] of words.entries()) {
      expect(startSeconds).toBeGreaterThanOrEqual(words[at - 1]?.startSeconds ?? 0);
      expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
      expect(endSeconds).toBeLessThanOrEqual(samples.length / SAMPLE_RATE);
    }
  }
  await recognizer.close();
});
