// The diarizer with real weights and sounds that are no conversation: no invented people, and no failure.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasShared, SHARED } from "../../../../test/fixtures/recordings.ts";
import { chords, decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { diarizeWindows } from "../../speakers/network-diarization.ts";
import { findPieces, type VoicedPieces, WindowedSpeakers } from "../../speakers/pieces.ts";
import { FRAME_SAMPLES, RECORDED_STRIDE, type SpeakerNetworks, windowCount } from "../../speakers/speaker-networks.ts";
import { SEGMENTATION_FILE, VOICE_FILE } from "./files.ts";
import { loadSpeakerNetworks } from "./load.ts";

const MODELS = path.join(SHARED, "../models/speakers");
const hasModels = hasShared && existsSync(path.join(MODELS, "expected.json"));
const BOUNDS = { minimum: 1, maximum: 30 };

describe.skipIf(!hasModels)("with the real weights (needs ../shared/models)", () => {
  let folder = "";
  let networks: SpeakerNetworks;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bad-input-"));
    symlinkSync(path.join(MODELS, "segmentation-3.0.onnx"), path.join(folder, SEGMENTATION_FILE));
    symlinkSync(path.join(MODELS, "campplus-zh-en.onnx"), path.join(folder, VOICE_FILE));
    networks = await loadSpeakerNetworks(folder);
  });
  afterAll(async () => {
    await networks.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function windowsOf(samples: Float32Array) {
    const count = windowCount(samples.length, RECORDED_STRIDE);
    return networks.segment(samples, count, RECORDED_STRIDE);
  }
  async function voicedOf(samples: Float32Array, windows: WindowedSpeakers): Promise<VoicedPieces> {
    const pieces = findPieces(windows);
    const stretches = pieces.map(({ start, end }) => samples.slice(start * FRAME_SAMPLES, end * FRAME_SAMPLES));
    return { pieces, voices: await networks.voices(stretches), dimensions: networks.dimensions };
  }
  async function turnsOf(samples: Float32Array) {
    const windows = new WindowedSpeakers([{ first: 0, stride: RECORDED_STRIDE, frames: await windowsOf(samples) }]);
    return diarizeWindows(windows, await voicedOf(samples, windows), BOUNDS);
  }
  const people = (turns: readonly { speaker: number }[]) => new Set(turns.map(({ speaker }) => speaker)).size;

  test("silence, and silence that is exactly zero or one sample long, have nobody", async () => {
    const hiss = Float32Array.from({ length: 12 * SAMPLE_RATE }, (_, at) => 1e-4 * Math.sin(at * at));
    expect(await turnsOf(hiss)).toEqual([]);
    expect(await turnsOf(new Float32Array(12 * SAMPLE_RATE))).toEqual([]);
    expect(await turnsOf(new Float32Array(1))).toEqual([]);
  });

  test("music has at most one speaker, and one word exactly one", async () => {
    expect(people(await turnsOf(chords(20)))).toBeLessThanOrEqual(1);
    const word = (await decodeSpeech(path.join(SHARED, "audiobook-0870.flac"))).slice(0, 0.8 * SAMPLE_RATE);
    const samples = new Float32Array(6 * SAMPLE_RATE);
    samples.set(word, 2 * SAMPLE_RATE);
    const turns = await turnsOf(samples);
    expect(people(turns)).toBe(1);
    for (const { start, end } of turns) expect([start > 1.5, end < 3.5]).toEqual([true, true]);
  });

  test("values that are not finite have nobody, and do not fail", async () => {
    expect(await turnsOf(new Float32Array(3 * SAMPLE_RATE).fill(Number.NaN))).toEqual([]);
  });

  test("forty minutes of one voice are one speaker", async () => {
    const files = ["0870", "0880", "0890", "0920", "0930"].map((name) => path.join(SHARED, `audiobook-${name}.flac`));
    const parts = await Promise.all(files.map((file) => decodeSpeech(file)));
    const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    // The networks run once; their windows and voices repeat to the length.
    const frames = await windowsOf(samples);
    const once = new WindowedSpeakers([{ first: 0, stride: RECORDED_STRIDE, frames }]);
    const voiced = await voicedOf(samples, once);
    const steps = once.count * RECORDED_STRIDE + 10;
    const copies = Math.ceil((40 * 60) / steps);
    const windows = new WindowedSpeakers(
      Array.from({ length: copies }, (_, copy) => ({ first: copy * steps, stride: RECORDED_STRIDE, frames })),
    );
    const pieces = Array.from({ length: copies }, (_, copy) => {
      const shift = windows.startOf(copy * once.count);
      return voiced.pieces.map(({ start, end }) => ({ start: start + shift, end: end + shift }));
    }).flat();
    const voices = new Float32Array(copies * voiced.voices.length);
    for (let copy = 0; copy < copies; copy++) voices.set(voiced.voices, copy * voiced.voices.length);
    const turns = diarizeWindows(windows, { pieces, voices, dimensions: networks.dimensions }, BOUNDS);
    expect(people(turns)).toBe(1);
    expect(turns.at(-1)?.end).toBeGreaterThan(39 * 60);
  });
});
