// Runs the engine on a tiny checkpoint of random weights: its texts are random, its behaviour is not. model.slow.test.ts: real weights.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSameInBatches } from "../../../../test/fixtures/batches.ts";
import { type TinyOptions, tinyWhisper, writeFiles } from "../../../../test/fixtures/tiny-whisper.ts";
import { melFilters } from "../../audio/mel.ts";
import { floatsOf } from "../../onnx/tensors.ts";
import { batchSizeFor } from "./description.ts";
import { whisper } from "./engine.ts";
import { WhisperModel } from "./model.ts";
import { integerDifference, MOST_DIFFERENCE } from "./precision.ts";
import { DESCRIPTION, ENCODER, PORTABLE_ENCODER, prepareWhisper } from "./prepare.ts";
import { WhisperTokenizer } from "./tokenizer.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-whisper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
async function prepared(options: TinyOptions = {}): Promise<string> {
  const from = writeFiles(path.join(folder, `from-${made}`), tinyWhisper(options));
  const to = path.join(folder, `to-${made++}`);
  mkdirSync(to);
  await prepareWhisper(from, to, { progress: () => undefined });
  return to;
}

const tone = (seconds: number) =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => 0.3 * Math.sin(at / 9) * Math.sin(at / 4000));

/** Relative difference between two results. */
function distance(left: Float32Array, right: Float32Array): number {
  const power = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);
  return Math.sqrt(power(left.map((value, at) => value - (right[at] as number))) / power(left));
}

let model: WhisperModel;
beforeAll(async () => {
  model = await WhisperModel.load(await prepared());
});
afterAll(() => model.release());

describe("a model", () => {
  test("decodes several tokens in one pass as one by one, and forgets truncated tokens", async () => {
    const { encoded } = await model.encode(tone(3));
    const tokens = [257, 258, 70, 71, 72];
    const whole = await model.decode(encoded, undefined, tokens);
    let cache = (await model.decode(encoded, undefined, tokens.slice(0, 2))).cache;
    let last: Float32Array = new Float32Array();
    for (const token of tokens.slice(2)) {
      const pass = await model.decode(encoded, cache, [token]);
      cache = pass.cache;
      last = pass.logits;
    }
    expect(distance(whole.logits.subarray(4 * model.vocabularySize), last)).toBeLessThan(1e-3);
    const shorter = model.truncate(whole.cache, 2);
    const again = await model.decode(encoded, shorter, tokens.slice(2));
    expect(distance(last, again.logits.subarray(2 * model.vocabularySize))).toBeLessThan(1e-3);
    const rows = whole.attention.length / tokens.length;
    expect(rows).toBe(encoded.frames);
    for (let row = 0; row < tokens.length; row++) {
      const sum = whole.attention.subarray(row * rows, (row + 1) * rows).reduce((total, value) => total + value, 0);
      expect(sum).toBeCloseTo(1, 3);
    }
  });

  test("gives the same result with integer and float products, on any processor", async () => {
    const folder = await prepared();
    const { config, ...description } = JSON.parse(readFileSync(path.join(folder, DESCRIPTION), "utf8"));
    expect(description).toMatchObject({ hearsInFloats: false, mostTexts: 8 });
    const difference = await integerDifference(folder, { integer: ENCODER, portable: PORTABLE_ENCODER }, config);
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(MOST_DIFFERENCE);
  });

  test("continues an earlier encoder pass: cached frames are unchanged, the others are close to those of a pass over all the audio", async () => {
    const audio = tone(4);
    const beginning = await model.encode(audio.slice(0, 3 * 16_000), undefined, 80);
    const further = await model.encode(audio, beginning.memory, 120);
    const whole = await model.encode(audio);
    expect(further.encoded.frames).toBe(whole.encoded.frames);
    expect(further.memory.frames).toBe(120);
    const [left, right] = [whole, further].map(({ encoded }) => floatsOf(encoded.cross[0]));
    expect(distance(left as Float32Array, right as Float32Array)).toBeLessThan(0.3);
  });

  test("gives the same text for an audio segment alone and in any batch", async () => {
    const pieces = Array.from({ length: 10 }, (_, at) => tone(1 + 0.3 * at));
    const audio = await Promise.all(pieces.map(async (samples) => (await model.encode(samples)).encoded));
    await expectSameInBatches(model, audio, 257, 70);
  });

  test("encodes as much audio as there is, up to its number of positions", async () => {
    expect((await model.encode(tone(1))).encoded.frames).toBe(50);
    expect((await model.encode(tone(40))).encoded.frames).toBe(1500);
  });

  test("gives the same result in every published precision", async () => {
    const { encoded } = await model.encode(tone(2));
    const { logits } = await model.decode(encoded, undefined, [257]);
    for (const type of ["F16", "BF16"] as const) {
      const other = await WhisperModel.load(await prepared({ type }));
      const { encoded: heard } = await other.encode(tone(2));
      const answer = await other.decode(heard, undefined, [257]);
      expect(distance(logits, answer.logits)).toBeLessThan(0.1);
      await other.release();
    }
  });
});

describe("a recogniser", () => {
  test("chooses among the candidate languages, and only detects one that another model transcribes", async () => {
    const recognizer = await whisper.load({ id: "tiny", folder: await prepared() } as never);
    const samples = tone(2);
    const free = await recognizer.recognize({ samples });
    expect(free.languageProbabilities?.length).toBe(5);
    const among = await recognizer.recognize({ samples, languages: ["es", "de"] });
    expect(["es", "de"]).toContain(among.language);
    const sum = among.languageProbabilities?.reduce((total, [, probability]) => total + probability, 0);
    expect(sum).toBeCloseTo(1, 5);
    const other = among.language === "es" ? "de" : "es";
    const biased = await recognizer.recognize({
      samples,
      languages: ["es", "de"],
      languageBias: [{ language: other, logOdds: 50 }],
    });
    expect(biased.language).toBe(other);
    const named = await recognizer.recognize({ samples, languages: ["th"] });
    expect(named).toMatchObject({ language: "th" });
    expect(named).not.toHaveProperty("languageProbabilities");
    const left = await recognizer.recognize({ samples, languages: ["es", "de"], detectOnlyLanguages: ["es", "de"] });
    expect(left.words).toEqual([]);
    await expect(recognizer.recognize({ samples, languages: ["fi"] })).rejects.toThrow(
      /does not support the language fi/,
    );
    await recognizer.close();
  });

  test.each<[string, TinyOptions]>([
    ["128 mel bins and one decoder layer", { melBins: 128, decoderLayers: 1 }],
    ["no named alignment heads", { namesAlignmentHeads: false }],
  ])("with %s gives words in order inside the audio", async (_, options) => {
    const recognizer = await whisper.load({ id: "tiny", folder: await prepared(options) } as never);
    for (const seconds of [0.01, 1, 3.3]) {
      const { words } = await recognizer.recognize({ samples: tone(seconds), languages: ["en"] });
      let last = 0;
      for (const { startSeconds, endSeconds } of words) {
        expect(startSeconds).toBeGreaterThanOrEqual(last);
        expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
        expect(endSeconds).toBeLessThanOrEqual(Math.max(0.1, seconds) + 0.05);
        last = startSeconds;
      }
    }
    await recognizer.close();
  });
});

test.each([
  ["base", 6, 512, 8],
  ["small", 12, 768, 8],
  ["medium", 24, 1024, 3],
  ["large-v3", 32, 1280, 2],
  ["large-v3-turbo", 4, 1280, 8],
  ["something larger", 64, 2048, 1],
])("of %s as many texts go through one pass as its memory allows", (_, decoderLayers, hiddenSize, most) => {
  expect(batchSizeFor({ decoderLayers, hiddenSize, mostFrames: 1500 })).toBe(most);
});

test("mel filters cover every band with equal weight", () => {
  for (const bins of [80, 128]) {
    const filters = melFilters(bins);
    for (let bin = 0; bin < bins; bin++) {
      const row = filters.subarray(bin * 201, (bin + 1) * 201);
      expect(Math.max(...row)).toBeGreaterThan(0);
    }
  }
});

test("text is converted to tokens and back, in every script", () => {
  const tokenizer = new WhisperTokenizer((tinyWhisper().get("tokenizer.json") as Buffer).toString());
  for (const text of ["Hello, world 42!", "¿Qué tal?", "你好。", "สวัสดี", "مرحبا", "🎉"]) {
    const bytes = tokenizer.encode(text).map((token) => tokenizer.bytes(token));
    expect(Buffer.concat(bytes).toString("utf8")).toBe(` ${text}`);
  }
  expect(() => new WhisperTokenizer('{"model":{"type":"Unigram"}}')).toThrow(/byte-pair/);
});
