import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeSpeech } from "../../../test/fixtures/speech.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { lettersOf } from "../../text/sound.ts";
import { BASE, framesOf, modelFolder, SAMPLE_RATE, TINY } from "./config.ts";
import { MoonshineModel } from "./model.ts";

let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
});

const valuesOf = (tensor: ort.Tensor) => tensor.data as Float32Array;

describe.each([BASE, TINY])("the encoder of $id", (variant) => {
  let model: MoonshineModel;
  beforeAll(async () => {
    model = await MoonshineModel.load(variant);
  });
  afterAll(() => model.release());

  test("is the published one where nothing was heard before", async () => {
    const file = path.join(modelFolder(variant), "encoder_model.onnx");
    const published = await ort.InferenceSession.create(await readFile(file), ONE_THREAD);
    const samples = speech.slice(0, 2 * SAMPLE_RATE + 77);
    const output = await published.run({ input_values: new ort.Tensor("float32", samples, [1, samples.length]) });
    const { hidden, frames } = (await model.encode(samples)).encoded;
    expect(frames).toBe(framesOf(samples.length));
    expect(valuesOf(hidden)).toEqual(valuesOf(output["last_hidden_state"] as ort.Tensor));
    await published.release();
  });
  test("goes on where it stopped: settled frames stay, the others are close to what all of the audio gives", async () => {
    const beginning = await model.encode(speech.slice(0, 2 * SAMPLE_RATE), undefined, 40);
    expect(beginning.memory.frames).toBe(40);
    const samples = speech.slice(0, 2.5 * SAMPLE_RATE);
    const further = await model.encode(samples, beginning.memory, 60);
    expect(further.encoded.hidden.dims).toEqual([1, framesOf(samples.length), variant.hiddenSize]);
    const settled = 40 * variant.hiddenSize;
    expect(valuesOf(further.encoded.hidden).slice(0, settled)).toEqual(
      valuesOf(beginning.encoded.hidden).slice(0, settled),
    );
    expect(further.memory.frames).toBe(60);
    const whole = valuesOf((await model.encode(samples)).encoded.hidden).slice(settled);
    const rest = valuesOf(further.encoded.hidden).slice(settled);
    const power = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);
    expect(power(rest.map((value, at) => value - (whole[at] as number))) / power(whole)).toBeLessThan(0.05);
  });
});

test("a recogniser that goes on with the same audio reads the same words; other or less audio does no harm", async () => {
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
