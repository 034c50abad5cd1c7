// The acoustic conditions of the benchmarks, and the path from samples to words that a job takes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startLocalTranscriber } from "../src/cli/local-transcriber.ts";
import type { TranscriptionResult } from "../src/contract/transcript/transcript.ts";
import { loadSettings } from "../src/platform/config/load.ts";
import { wav } from "../test/fixtures/recordings.ts";
import {
  faster,
  inRoom,
  loadSounds,
  SAMPLE_RATE,
  throughTelephone,
  withNoise,
  withReverberation,
  withSound,
} from "./recordings.ts";

/** @param at  index of the recording: each gets another noise, another room */
export type Condition = [name: string, change: (samples: Float32Array, at: number) => Float32Array];

/** Seconds between the offsets of the noise that consecutive recordings get. */
const NOISE_STEP_SECONDS = 1.7;

/** The real noises and rooms of the shared recordings. */
export async function realConditions(): Promise<Condition[]> {
  const noises = await loadSounds("noise");
  const rooms = await loadSounds("room");
  const among = (sounds: Float32Array[], at: number) => sounds[at % sounds.length] as Float32Array;
  const offset = (at: number) => Math.round(at * NOISE_STEP_SECONDS * SAMPLE_RATE);
  return [
    ["real noise 10 dB", (samples, at) => withSound(samples, among(noises, at), 10, offset(at))],
    ["real noise 3 dB", (samples, at) => withSound(samples, among(noises, at), 3, offset(at))],
    ["real rooms", (samples, at) => inRoom(samples, among(rooms, at))],
  ];
}

export const CONDITIONS: Condition[] = [
  ["clean", (samples) => samples],
  ["noise 10 dB", (samples) => withNoise(samples, 10)],
  ["noise 3 dB", (samples) => withNoise(samples, 3)],
  ["reverberation 0.6 s", (samples) => withReverberation(samples, 0.6)],
  ["telephone", throughTelephone],
  ["1.4 times as fast", (samples) => faster(samples, 1.4)],
];

export type Transcriber = (samples: Float32Array, params?: Record<string, unknown>) => Promise<TranscriptionResult>;
export type ChannelTranscriber = (
  channels: Float32Array[],
  params?: Record<string, unknown>,
) => Promise<TranscriptionResult>;

/** @param models  folder of added models, if the model is one of them */
export async function withModel<T>(
  model: string,
  use: (transcribe: Transcriber, transcribeChannels: ChannelTranscriber) => Promise<T>,
  models = "",
): Promise<T> {
  const settings = { ...loadSettings({}), model, modelsDirectory: models };
  const transcriber = await startLocalTranscriber(settings, { model });
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
  const source = path.join(folder, "source.wav");
  const transcribe: ChannelTranscriber = async (channels, params) => {
    writeFileSync(source, wav(channels));
    const result = await transcriber.transcribe(source, () => undefined, params);
    return JSON.parse(readFileSync(result, "utf8")) as TranscriptionResult;
  };
  try {
    return await use((samples, params) => transcribe([samples], params), transcribe);
  } finally {
    await transcriber.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
