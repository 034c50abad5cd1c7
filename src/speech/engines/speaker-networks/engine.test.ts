// The speaker model: fetched from the two repositories that publish its networks, added from a folder, refused if it is something else.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startHub } from "../../../../test/fixtures/hub.ts";
import { TINY_DIMENSIONS, tinySpeakers } from "../../../../test/fixtures/tiny-speakers.ts";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import { catalogueEntry, SPEAKER_MODEL } from "../../../service/models/catalogue.ts";
import { installModel } from "../../../service/models/installer.ts";
import { ModelStore } from "../../../service/models/store.ts";
import { WINDOW_FRAMES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";
import { loadSpeakerNetworks } from "./load.ts";

const tiny = await tinySpeakers();
/** A published network of another kind. */
const other = readFileSync(
  path.join(packageFolder("@usefulsensors/moonshine-js"), "dist/model/tiny/quantized/encoder_model.onnx"),
);
let folder: string;
let store: ModelStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-speaker-model-"));
  store = new ModelStore(path.join(folder, "models"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const add = (name: string, base = "") => installModel(name, store, { hub: { base }, progress: () => undefined });

function written(files: Record<string, Buffer>): string {
  const source = path.join(folder, "source");
  mkdirSync(source);
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(source, name), content);
  return source;
}

test("the model is fetched from both repositories, and is none that recognises speech", async () => {
  const { files = {} } = catalogueEntry(SPEAKER_MODEL) ?? {};
  const contents: Record<string, Buffer> = { "segmentation.onnx": tiny.segmentation, "voices.onnx": tiny.voices };
  const repositories = Object.entries(files).map(([name, { repository, file }]) => [
    repository,
    new Map([[file, contents[name] as Buffer]]),
  ]);
  const hub = await startHub(Object.fromEntries(repositories));
  try {
    const { model } = await add(SPEAKER_MODEL, hub.url);
    expect(model).toMatchObject({ id: SPEAKER_MODEL, capabilities: { turns: true, voices: true } });
    expect(await store.verify(model)).toEqual([]);
    expect((await store.list()).map(({ id }) => id)).not.toContain(SPEAKER_MODEL);
    expect(await store.findSpeakerModel(SPEAKER_MODEL)).toMatchObject({ id: SPEAKER_MODEL });
  } finally {
    await hub.close();
  }
});

test("a folder with the published files is the same model, and finds who talks", async () => {
  const source = written({ "segmentation-3.0.onnx": tiny.segmentation, "campplus-zh-en.onnx": tiny.voices });
  const { model } = await add(source);
  expect(model.id).toBe(SPEAKER_MODEL);
  const networks = await loadSpeakerNetworks(model.folder as string);
  try {
    expect(networks.dimensions).toBe(TINY_DIMENSIONS);
    // Silence, then a tone.
    const samples = Float32Array.from({ length: WINDOW_SAMPLES }, (_, at) =>
      at < 80_000 ? 0 : 0.3 * Math.sin(at / 5),
    );
    const frames = await networks.segment(samples, 2);
    expect(frames).toHaveLength(2 * WINDOW_FRAMES);
    expect([frames[100], frames[500], frames[WINDOW_FRAMES + 100]]).toEqual([0, 0b001001, 0]);
    expect(frames[WINDOW_FRAMES + 400]).toBe(0b001001);
    const voices = await networks.voices([samples.subarray(80_000), samples.subarray(80_000, 80_100)]);
    expect(Math.hypot(...voices.subarray(0, TINY_DIMENSIONS))).toBeCloseTo(1, 4);
    expect([...voices.subarray(TINY_DIMENSIONS)]).toEqual(new Array(TINY_DIMENSIONS).fill(0));
  } finally {
    await networks.close();
  }
});

test.each([
  ["two segmentations", { "segmentation.onnx": tiny.segmentation, "voices.onnx": tiny.segmentation }, /needs pyannote/],
  ["two voices", { "segmentation.onnx": tiny.voices, "voices.onnx": tiny.voices }, /needs pyannote/],
  [
    "a truncated segmentation",
    { "segmentation.onnx": tiny.segmentation.subarray(0, tiny.segmentation.length >> 1), "voices.onnx": tiny.voices },
    /needs pyannote/,
  ],
  [
    "truncated voices",
    { "segmentation.onnx": tiny.segmentation, "voices.onnx": tiny.voices.subarray(0, tiny.voices.length - 9) },
    /needs pyannote/,
  ],
  ["an empty segmentation", { "segmentation.onnx": Buffer.alloc(0), "voices.onnx": tiny.voices }, /needs pyannote/],
  ["another network", { "segmentation.onnx": other, "voices.onnx": tiny.voices }, /needs pyannote/],
  ["no networks", { "segmentation.onnx": Buffer.from("no"), "voices.onnx": Buffer.from("no") }, /needs pyannote/],
])("a folder with %s is refused, and leaves nothing behind", async (_, files, message) => {
  await expect(add(written(files))).rejects.toMatchObject({
    code: "models.bad_checkpoint",
    message: expect.stringMatching(message),
  });
  expect(readdirSync(store.folder).filter((name) => !name.startsWith("."))).toEqual([]);
});
