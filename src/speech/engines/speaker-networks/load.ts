// Opens the two networks: pyannote's segmentation 3.0 and 3D-Speaker's CAM++, in the layouts that sherpa-onnx publishes.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { padded } from "../../audio/padded.ts";
import { samplesOfWindows } from "../../speakers/network-requests.ts";
import {
  CLASS_SPEAKERS,
  RAISED_SHIFT,
  type SpeakerNetworks,
  WINDOW_FRAMES,
  WINDOW_SAMPLES,
} from "../../speakers/speaker-networks.ts";
import { SEGMENTATION_FILE, VOICE_FILE } from "./files.ts";
import { Segmentation } from "./segmentation.ts";
import { unitLength, Voices } from "./voice.ts";

/** Classes from here are pairs of speakers. */
const FIRST_PAIR = 4;
/** Added to the log probability of pairs for the turns: the segmentation misses more overlaps than it invents. */
const RAISED_BY = 1;

/** Index of the greatest value. @param raised  added to those of pairs */
function bestClass(values: Float32Array, at: number, raised: number): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < CLASS_SPEAKERS.length; index++) {
    const value = (values[at + index] as number) + (index >= FIRST_PAIR ? raised : 0);
    if (value <= highest) continue;
    highest = value;
    best = index;
  }
  return best;
}

function localSpeakers(values: Float32Array): Uint8Array {
  const classes = CLASS_SPEAKERS.length;
  return Uint8Array.from({ length: values.length / classes }, (_, frame) => {
    const plain = CLASS_SPEAKERS[bestClass(values, frame * classes, 0)] as number;
    const raised = CLASS_SPEAKERS[bestClass(values, frame * classes, RAISED_BY)] as number;
    return plain | (raised << RAISED_SHIFT);
  });
}

const zeros = (rows: number, dimensions: number) => Array.from({ length: rows }, () => new Float32Array(dimensions));

/**
 * @param isExact  opens the segmentation as published, for the parity test; otherwise it is split and has integer weights, which is faster
 * @throws Error if a file is missing, damaged or another kind of model
 */
export async function openNetworks(folder: string, isExact = false) {
  const segmentation = await Segmentation.open(await readFile(path.join(folder, SEGMENTATION_FILE)), isExact);
  const voices = await Voices.open(await readFile(path.join(folder, VOICE_FILE)));
  return { segmentation, voices };
}

/** @throws Error if a file is missing, damaged or another kind of model */
export async function loadSpeakerNetworks(folder: string): Promise<SpeakerNetworks> {
  const { segmentation, voices } = await openNetworks(folder);
  const [voice] = (await voices.compute(new Float32Array(WINDOW_SAMPLES / 10))) ?? [];
  const dimensions = voice?.length ?? 0;
  return {
    dimensions,
    async segment(samples, windows, stride = 1) {
      const all = new Uint8Array(windows * WINDOW_FRAMES);
      if (windows === 0) return all;
      const length = samplesOfWindows(windows, stride);
      const whole = padded(samples.subarray(0, length), length);
      await segmentation.classify(whole, windows, stride, (values, first) => {
        all.set(localSpeakers(values), first * WINDOW_FRAMES);
      });
      return all;
    },
    async voices(stretches, excerpts = []) {
      const rows: Float32Array[] = [];
      for (const [at, samples] of stretches.entries()) {
        const stretchExcerpts = excerpts[at] ?? [];
        const found = await voices.compute(samples, stretchExcerpts);
        rows.push(...(found?.map(unitLength) ?? zeros(1 + stretchExcerpts.length, dimensions)));
      }
      const all = new Float32Array(rows.length * dimensions);
      for (const [row, values] of rows.entries()) all.set(values, row * dimensions);
      return all;
    },
    async close() {
      await segmentation.release();
      await voices.release();
    },
  };
}
