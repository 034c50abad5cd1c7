// Runs sherpa-onnx with Moonshine's real weights, and with a transducer of random weights in the published layout.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { moonshineForSherpa } from "../../../../test/fixtures/moonshine-for-sherpa.ts";
import { decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { writeFiles } from "../../../../test/fixtures/tiny-whisper.ts";
import { tinyTransducer } from "../../../../test/fixtures/transducer.ts";
import { childEnvironment } from "../../../platform/config/load.ts";
import { RecognitionPool } from "../../../service/inference/pool.ts";
import { installModel } from "../../../service/models/installer.ts";
import { ModelStore } from "../../../service/models/store.ts";
import { editDistance, lettersOf } from "../../text/sound.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-sherpa-"));
const store = new ModelStore(path.join(folder, "models"));
const options = { hub: { base: "" }, progress: () => undefined };
let pool: RecognitionPool;
let speech: Float32Array;

beforeAll(async () => {
  speech = await decodeSpeech();
  pool = new RecognitionPool({
    workers: 1,
    models: store,
    model: "moonshine-tiny-en",
    queueLimit: 10,
    taskTimeoutSeconds: 60,
    memoryLimitBytes: 6e9,
    environment: childEnvironment(folder),
    logger: pino({ level: "silent" }),
  });
  await pool.start();
});
afterAll(async () => {
  await pool.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("Moonshine's weights give the same words, in a process that runs the other engines too", async () => {
  const { model } = await installModel(moonshineForSherpa(path.join(folder, "moonshine-sherpa")), store, options);
  expect(model).toMatchObject({ engine: "sherpa", languages: ["en"], capabilities: { continuation: false } });
  const theirs = await pool.recognize(model.id, { audio: speech }, { priority: "recorded" });
  const ours = await pool.recognize("moonshine-base-en", { audio: speech }, { priority: "recorded" });
  // Compared letter by letter: "AISDK" and "A-I-S-D-K" are the same.
  const lettersIn = ({ words }: typeof theirs) => lettersOf(words.map(({ text }) => text).join(""));
  expect(editDistance(lettersIn(ours), lettersIn(theirs))).toBeLessThanOrEqual(2);
  let last = 0;
  for (const { startSeconds, endSeconds } of theirs.words) {
    expect(startSeconds).toBeGreaterThanOrEqual(last);
    expect(endSeconds).toBeLessThanOrEqual(speech.length / 16_000 + 0.05);
    last = startSeconds;
  }
});

test("a transducer in the published layout: words at the times of their tokens; its languages must be named", async () => {
  const from = writeFiles(path.join(folder, "tiny-transducer"), tinyTransducer());
  await expect(installModel(from, store, options)).rejects.toMatchObject({
    code: "models.bad_checkpoint",
    message: expect.stringMatching(/--languages/),
  });
  const { model } = await installModel(from, store, { ...options, languages: ["de", "en"] });
  const { words, language } = await pool.recognize(
    model.id,
    { audio: speech, languages: ["de"] },
    { priority: "recorded" },
  );
  expect(language).toBe("de");
  expect(words.length).toBeGreaterThan(0);
  let last = 0;
  for (const { text, startSeconds, endSeconds } of words) {
    expect(text).not.toMatch(/\u2581|^\s|\s$/);
    expect(startSeconds).toBeGreaterThanOrEqual(last);
    expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
    last = startSeconds;
  }
});

test("a model that sherpa-onnx cannot run is refused when it is added", async () => {
  const files = tinyTransducer();
  files.set("joiner.int8.onnx", files.get("decoder.int8.onnx") as Buffer);
  const from = writeFiles(path.join(folder, "broken-transducer"), files);
  await expect(installModel(from, store, { ...options, languages: ["de"] })).rejects.toMatchObject({
    code: "models.bad_checkpoint",
    message: expect.stringMatching(/sherpa-onnx cannot run it/),
  });
});

test("a live task overtakes the tasks of recordings that wait for an engine without concurrency", async () => {
  const { id } = (await store.list()).find(({ engine }) => engine === "sherpa") ?? { id: "" };
  const ended: string[] = [];
  const recognize = (name: string, priority: "recorded" | "live") =>
    pool.recognize(id, { audio: speech }, { priority }).then(() => ended.push(name));
  const recorded = ["first", "second", "third", "fourth"].map((name) => recognize(name, "recorded"));
  // The first one runs.
  await vi.waitFor(() => expect(pool.waiting).toBe(3));
  await Promise.all([...recorded, recognize("live", "live")]);
  expect(ended).toEqual(["first", "live", "second", "third", "fourth"]);
});
