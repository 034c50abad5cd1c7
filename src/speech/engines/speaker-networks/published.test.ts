// The published networks give the values that were computed with their authors' runtime.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasShared, SHARED } from "../../../../test/fixtures/recordings.ts";
import { childEnvironment } from "../../../platform/config/load.ts";
import { DecoderPool } from "../../audio/decode/decoder-pool.ts";
import { fromPcm16 } from "../../audio/samples.ts";
import { SEGMENTATION_FILE, VOICE_FILE } from "./files.ts";
import { splitVoices } from "./frame-features.ts";
import { openNetworks } from "./load.ts";
import { Segmentation } from "./segmentation.ts";
import { splitSegmentation } from "./shared-filters.ts";

const MODELS = path.join(SHARED, "../models/speakers");
const hasModels = hasShared && existsSync(path.join(MODELS, "expected.json"));
const CLASSES = 7;
/** First sample of each file's stretch of 3 s, a frame of the segmentation. */
const STRETCHES: Readonly<Record<string, number>> = {
  "meeting-dev00.flac": 33_480,
  "meeting-trn03.flac": 17_280,
  "meeting-trn06.flac": 0,
};
const STRETCH_SAMPLES = 48_000;

/** Most probable class of each frame of the first window. */
async function bestClasses(network: Segmentation, samples: Float32Array): Promise<number[]> {
  const best: number[] = [];
  await network.classify(samples, 1, 1, (values) => {
    for (let at = 0; at < values.length; at += CLASSES) {
      const own = values.subarray(at, at + CLASSES);
      best.push(own.indexOf(Math.max(...own)));
    }
  });
  return best;
}

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-networks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!hasModels)(
  "the networks and our filter banks agree with the authors' (needs ../shared/models)",
  async () => {
    symlinkSync(path.join(MODELS, "segmentation-3.0.onnx"), path.join(folder, SEGMENTATION_FILE));
    symlinkSync(path.join(MODELS, "campplus-zh-en.onnx"), path.join(folder, VOICE_FILE));
    const { parity } = JSON.parse(readFileSync(path.join(MODELS, "expected.json"), "utf8"));
    const { segmentation, voices } = await openNetworks(folder, true);
    // The published networks have the layouts that can be split.
    expect(await splitSegmentation(readFileSync(path.join(folder, SEGMENTATION_FILE)))).toBeDefined();
    expect(splitVoices(readFileSync(path.join(folder, VOICE_FILE)))).toBeDefined();
    const fast = await Segmentation.open(readFileSync(path.join(folder, SEGMENTATION_FILE)));
    const decoders = new DecoderPool({ processes: 1, memoryLimitBytes: 1e9, environment: childEnvironment(folder) });
    try {
      for (const {
        file,
        samples: [from, to],
        ...expected
      } of parity) {
        const output = path.join(folder, "samples.pcm");
        await decoders.decode(path.join(SHARED, file), { tenant: "", outputs: [output], maximumSeconds: 60 });
        const samples = fromPcm16(readFileSync(output)).slice(from, to);
        let frame: number[] = [];
        await segmentation.classify(samples, 1, 1, (values) => {
          frame = Array.from(values.slice(300 * CLASSES, 301 * CLASSES));
        });
        const wanted: number[] = expected["segmentation_3.0_logits_frame_300"];
        for (const [at, value] of wanted.entries()) expect(Math.abs((frame[at] as number) - value)).toBeLessThan(1e-3);
        const [exact, found] = [await bestClasses(segmentation, samples), await bestClasses(fast, samples)];
        expect(exact.filter((best, at) => best !== found[at]).length).toBeLessThan(0.05 * exact.length);
        const start = STRETCHES[file] as number;
        const [stretch = []] = (await voices.compute(samples.slice(start, start + STRETCH_SAMPLES))) ?? [];
        const wantedVoice: number[] = expected.campplus_stretch;
        for (const [at, value] of wantedVoice.entries()) {
          expect(Math.abs((stretch[at] as number) - value)).toBeLessThan(1e-3);
        }
      }
    } finally {
      await decoders.stop();
      await segmentation.release();
      await voices.release();
      await fast.release();
    }
  },
);
