// Runs the published weights: both encoders, and what follows on the smaller ones. model.slow.test.ts: on the larger ones.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectBatchesWithoutEffect, expectWordsWithinCuts } from "../../../../test/fixtures/moonshine-laws.ts";
import { decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { BASE, framesOf, modelFolder, TINY } from "./config.ts";
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
});

test("the text of one audio segment does not depend on the others in the batch, in any order of arrival", async () => {
  await expectBatchesWithoutEffect(TINY, speech);
});

test("words are within the audio, wherever it was cut", async () => {
  await expectWordsWithinCuts(TINY, speech);
});
