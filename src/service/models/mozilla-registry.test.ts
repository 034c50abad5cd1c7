// Adding translation models: from a registry of our own and from folders. Skipped where ../shared/models is missing.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  hasTranslationModels,
  startTranslationRegistry,
  TRANSLATION_MODELS,
  type TranslationRegistry,
} from "../../../test/fixtures/translation-registry.ts";
import { directionFiles } from "../../speech/engines/bergamot/files.ts";
import { installModel } from "./installer.ts";
import { parseRegistry } from "./mozilla-registry.ts";
import { ModelStore } from "./store.ts";

test.each([
  [["model.enpt.intgemm.alphas.bin", "vocab.enpt.spm", "lex.50.50.enpt.s2t.bin"], "en", "pt", 1],
  [["model.been.intgemm8.bin", "vocab.been.spm", "lex.50.50.been.s2t.bin"], "be", "en", 1],
  [
    ["model.enja.intgemm.alphas.bin", "srcvocab.enja.spm", "trgvocab.enja.spm", "lex.50.50.enja.s2t.bin"],
    "en",
    "ja",
    2,
  ],
  [["model.enja.intgemm.alphas.bin", "srcvocab.enja.spm", "vocab.enja.spm", "lex.50.50.enja.s2t.bin"], "en", "ja", 2],
  [["model.nben.intgemm.alphas.bin", "vocab.nben.spm", "lex.50.50.nben.s2t.bin"], "no", "en", 1],
])("published names state the direction: %s", (names, source, target, vocabularies) => {
  const found = directionFiles(names);
  expect(found).toMatchObject({ source, target });
  expect(found?.vocabularies).toHaveLength(vocabularies);
});

test("an incomplete direction is not one", () => {
  expect(() => directionFiles(["model.enpt.intgemm.alphas.bin", "vocab.enpt.spm"])).toThrow(/shortlist/);
  expect(() => directionFiles(["model.enpt.intgemm.alphas.bin", "lex.enpt.bin"])).toThrow(/vocabulary/);
  expect(directionFiles(["model.onnx", "config.json"])).toBeUndefined();
});

test("a registry's released models come first, and paths out of its base are not taken", () => {
  const entry = (releaseStatus: string | null, file: string) => ({
    sourceLanguage: "en",
    targetLanguage: "nb",
    releaseStatus,
    files: { model: { path: file, uncompressedHash: "ab".repeat(32) } },
  });
  const parse = (...models: object[]) => parseRegistry(JSON.stringify({ models: { "en-nb": models } }));
  expect(parse(entry(null, "a/x.bin.gz"), entry("Release", "a/y.bin.gz"))).toMatchObject([
    { id: "translate-en-no", files: [{ name: "y.bin", path: "a/y.bin.gz", sha256: "ab".repeat(32) }] },
  ]);
  expect(parse(entry("Release", "../../etc/passwd"))).toEqual([]);
  expect(() => parseRegistry("{}")).toThrow(/no registry/);
});

describe.skipIf(!hasTranslationModels)("with real models (skipped where ../shared/models is missing)", () => {
  let registry: TranslationRegistry;
  let folder: string;
  let store: ModelStore;
  beforeAll(async () => {
    registry = await startTranslationRegistry(["en-pt"]);
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-translation-models-"));
    store = new ModelStore(path.join(folder, "models"));
  });
  afterEach(() => rmSync(store.folder, { recursive: true, force: true }));
  afterAll(async () => {
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const add = (name: string) =>
    installModel(name, store, {
      hub: { base: "http://127.0.0.1:9", translationBase: registry.url },
      progress: () => undefined,
    });

  test("a model that differs from the registry is discarded, and the next attempt fetches it again", async () => {
    registry.isWrong = true;
    await expect(add("translate-en-pt")).rejects.toMatchObject({
      code: expect.stringMatching(/wrong_hash|bad_checkpoint/),
    });
    expect(await store.listTranslation()).toEqual([]);
    registry.isWrong = false;
    const { model } = await add("translate-en-pt");
    expect(model).toMatchObject({ id: "translate-en-pt", licence: "MPL-2.0", languages: ["en", "pt"] });
    expect(await store.verify(model)).toEqual([]);
    expect((await store.list()).map(({ id }) => id)).not.toContain("translate-en-pt");
    await store.remove("translate-en-pt");
    expect(await store.listTranslation()).toEqual([]);
  });

  test("a direction that the registry lacks names those that it has", async () => {
    await expect(add("translate-en-xx")).rejects.toMatchObject({
      code: "models.unknown",
      message: expect.stringMatching(/translate-en-pt/),
    });
  });

  test("a folder is added as it was published, packed or not; a damaged one is refused", async () => {
    const copy = path.join(folder, "some name");
    mkdirSync(copy);
    for (const name of readdirSync(path.join(TRANSLATION_MODELS, "en-pt"))) {
      writeFileSync(path.join(copy, name), readFileSync(path.join(TRANSLATION_MODELS, "en-pt", name)));
    }
    const [lexicon] = readdirSync(copy).filter((name) => name.startsWith("lex"));
    const file = path.join(copy, lexicon as string);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    rmSync(file);
    expect((await add(copy)).model.id).toBe("translate-en-pt");
    await store.remove("translate-en-pt");
    const [model] = readdirSync(copy).filter((name) => name.startsWith("model.enpt"));
    truncateSync(path.join(copy, model as string), 1_000_000);
    await expect(add(copy)).rejects.toMatchObject({
      code: "models.bad_checkpoint",
      message: expect.stringMatching(/damaged/),
    });
    expect(await store.listTranslation()).toEqual([]);
  });
});
