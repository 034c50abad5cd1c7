// The turn model: fetched from its repository, added from a folder, refused if it is something else; its probabilities are those of its authors' code.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startHub } from "../../../../test/fixtures/hub.ts";
import { hasShared, SHARED } from "../../../../test/fixtures/recordings.ts";
import { tinySpeakers } from "../../../../test/fixtures/tiny-speakers.ts";
import { tinyTurnModels, tinyTurns } from "../../../../test/fixtures/tiny-turns.ts";
import { childEnvironment } from "../../../platform/config/load.ts";
import { catalogueEntry, TURN_MODEL } from "../../../service/models/catalogue.ts";
import { installModel } from "../../../service/models/installer.ts";
import { ModelStore } from "../../../service/models/store.ts";
import { DecoderPool } from "../../audio/decode/decoder-pool.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { fromPcm16 } from "../../audio/samples.ts";
import { TURN_FILE } from "./files.ts";
import { loadSmartTurn } from "./load.ts";

const MODELS = path.join(SHARED, "../models/turns");
const hasModel = hasShared && existsSync(path.join(MODELS, "expected.json"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-turn-model-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the model is fetched from its repository, is none that recognises speech, and judges audio of any length", async () => {
  const { files = {} } = catalogueEntry(TURN_MODEL) ?? {};
  const { repository, file } = files["smart-turn.onnx"] as { repository: string; file: string };
  const hub = await startHub({ [repository]: new Map([[file, await tinyTurns()]]) });
  const store = new ModelStore(path.join(folder, "models"));
  try {
    const options = { hub: { base: hub.url }, progress: () => undefined };
    const { model } = await installModel(TURN_MODEL, store, options);
    expect(await store.verify(model)).toEqual([]);
    expect((await store.list()).map(({ id }) => id)).not.toContain(TURN_MODEL);
    expect(await store.findTurnModel(TURN_MODEL)).toMatchObject({ id: TURN_MODEL });
    const detector = await loadSmartTurn(model.folder as string);
    const tone = (seconds: number) =>
      Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, at) => 0.3 * Math.sin(at / (4 + Math.sin(at / 9e3))));
    for (const seconds of [0, 0.001, 0.5, 8, 20]) {
      const sounding = await detector.judge(tone(seconds));
      const silent = await detector.judge(Float32Array.of(...tone(Math.min(1, seconds)), ...new Float32Array(8_000)));
      expect(sounding >= 0 && sounding <= 1).toBe(true);
      if (seconds >= 0.5) expect(silent).toBeGreaterThan(sounding);
    }
    await detector.close();
  } finally {
    await hub.close();
  }
});

test("a folder with the published file is the same model; another network under its name is refused", async () => {
  const store = await tinyTurnModels(folder);
  expect(await store.findTurnModel(TURN_MODEL)).toMatchObject({ licence: "BSD-2-Clause" });
  const source = path.join(folder, "other");
  mkdirSync(source);
  writeFileSync(path.join(source, "smart-turn-v3.1-cpu.onnx"), (await tinySpeakers()).voices);
  const empty = new ModelStore(path.join(folder, "empty"));
  const adding = installModel(source, empty, { hub: { base: "" }, progress: () => undefined });
  await expect(adding).rejects.toThrow(/Smart Turn v3/);
});

test.skipIf(!hasModel)("probabilities agree with the authors' code (needs ../shared/models)", async () => {
  symlinkSync(path.join(MODELS, "smart-turn-v3.2-cpu.onnx"), path.join(folder, TURN_FILE));
  const expected: { file: string; samples: number; probability: number }[] = JSON.parse(
    readFileSync(path.join(MODELS, "expected.json"), "utf8"),
  );
  const detector = await loadSmartTurn(folder);
  const decoders = new DecoderPool({ processes: 1, memoryLimitBytes: 1e9, environment: childEnvironment(folder) });
  const differences: number[] = [];
  let milliseconds = 0;
  try {
    for (const { file, samples, probability } of expected) {
      const output = path.join(folder, "samples.pcm");
      await decoders.decode(path.join(SHARED, file), { tenant: "", outputs: [output], maximumSeconds: 60 });
      const audio = fromPcm16(readFileSync(output)).slice(0, samples);
      const { user, system } = process.cpuUsage();
      differences.push(Math.abs((await detector.judge(audio)) - probability));
      const after = process.cpuUsage();
      milliseconds += (after.user + after.system - user - system) / 1_000;
    }
  } finally {
    await decoders.stop();
    await detector.close();
  }
  process.stdout.write(`a decision takes ${Math.round(milliseconds / expected.length)} ms of a core\n`);
  // The network's inputs are integers: another rounding of one feature may change a probability by several steps.
  const different = differences.filter((difference) => difference > 0.01);
  expect(different.length).toBeLessThanOrEqual(2);
  expect(Math.max(...differences)).toBeLessThan(0.1);
});
