// Adding models from a hub of our own and from folders, with a tiny checkpoint of random weights. installer.slow.test.ts: no hub.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Hub, startHub } from "../../../test/fixtures/hub.ts";
import { tinyWhisper, writeFiles } from "../../../test/fixtures/tiny-whisper.ts";
import { entryFile } from "../../platform/process/entry.ts";
import { installModel } from "./installer.ts";
import { MANIFEST, MANIFEST_FORMAT } from "./manifest.ts";
import { ModelStore } from "./store.ts";

let hub: Hub;
let folder: string;
let store: ModelStore;
const weights = "model.safetensors";
const checkpoint = tinyWhisper();
const size = checkpoint.get(weights)?.length ?? 0;

beforeAll(async () => {
  hub = await startHub({
    "openai/whisper-tiny": checkpoint,
    "someone/sharded": tinyWhisper({ isSharded: true, type: "BF16" }),
    "someone/bert": new Map([["config.json", Buffer.from('{"model_type":"bert"}')]]),
    "someone/incomplete": new Map([...checkpoint].filter(([name]) => name !== "tokenizer.json")),
  });
});
afterAll(() => hub.close());

function fresh(): void {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-models-"));
  store = new ModelStore(path.join(folder, "models"));
  hub.fault = {};
  hub.fetched = [];
}

const add = (name: string, options: Partial<Parameters<typeof installModel>[2]> = {}) =>
  installModel(name, store, { hub: { base: hub.url }, progress: () => undefined, ...options });

/** What a user would find in the folder. */
const visible = () => readdirSync(store.folder).filter((name) => !name.startsWith("."));

describe("from a hub", () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("a model of the catalogue is fetched, prepared, found and whole", async () => {
    fresh();
    const shares: number[] = [];
    const { model, isNew } = await add("whisper-tiny", {
      progress: (stage, share) => stage === "fetching" && shares.push(share),
    });
    expect(isNew).toBe(true);
    expect(model).toMatchObject({ id: "whisper-tiny", engine: "whisper", capabilities: { languageDetection: true } });
    expect(model.languages).toEqual(["en", "es", "de", "zh", "ja", "th", "ar"]);
    expect(await store.verify(model)).toEqual([]);
    expect(shares).toEqual([...shares].sort((left, right) => left - right));
    expect(shares.at(-1)).toBeCloseTo(1, 1);
    expect((await add("whisper-tiny")).isNew).toBe(false);
    expect(readdirSync(store.folder)).toEqual(["whisper-tiny"]);
  });

  test("a model prepared by an earlier version is not used, is reported, and is replaced when it is added again", async () => {
    fresh();
    const { model } = await add("whisper-tiny");
    const file = path.join(model.folder as string, MANIFEST);
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...manifest, format: MANIFEST_FORMAT - 1 }));
    store = new ModelStore(store.folder);
    expect(await store.find("whisper-tiny")).toBeUndefined();
    expect(await store.outdated()).toMatchObject([{ id: "whisper-tiny", source: "whisper-tiny" }]);
    await expect(add("hf:someone/sharded", { id: "whisper-tiny" })).rejects.toMatchObject({ code: "models.exists" });
    expect((await add("whisper-tiny")).isNew).toBe(true);
    expect(await store.outdated()).toEqual([]);
    expect(visible()).toEqual(["whisper-tiny"]);
    writeFileSync(file, JSON.stringify({ ...manifest, format: MANIFEST_FORMAT - 1 }));
    store.forget();
    await store.remove("whisper-tiny");
    expect(visible()).toEqual([]);
  });

  test("a broken download resumes where it stopped", async () => {
    fresh();
    const storedBytes = () => {
      const part = readdirSync(store.folder, { recursive: true, withFileTypes: true }).find(({ name }) =>
        name.endsWith("model.safetensors.part"),
      );
      return part ? statSync(path.join(part.parentPath, part.name)).size : 0;
    };
    hub.fault = { cutAfter: [50_000, 70_000], storedBytes };
    await add("whisper-tiny");
    expect(hub.fetched.map(({ from }) => from)).toEqual([0, 50_000, 120_000]);
  });

  test("a file whose hash differs is discarded", async () => {
    fresh();
    hub.fault = { isCorrupt: true };
    await expect(add("whisper-tiny")).rejects.toMatchObject({ code: "models.wrong_hash" });
    expect(visible()).toEqual([]);
    hub.fault = {};
    hub.fetched = [];
    await add("whisper-tiny");
    expect(hub.fetched).toEqual([{ file: weights, from: 0 }]);
  });

  test("any checkpoint by its name, in several files, in bfloat16", async () => {
    fresh();
    const { model } = await add("hf:someone/sharded");
    expect(model.id).toBe("someone--sharded");
    expect((await store.find("hf:someone/sharded"))?.id).toBe(model.id);
  });

  test.each(["..", "../../elsewhere", "/tmp"])(
    "a mirror that names the revision %s touches no other folder",
    async (commit) => {
      fresh();
      const own = path.join(folder, "own", "deep");
      mkdirSync(own, { recursive: true });
      writeFileSync(path.join(own, "file"), "kept");
      hub.fault = { commit };
      expect((await add("whisper-tiny")).model.manifest?.revision).toBeUndefined();
      expect(readFileSync(path.join(own, "file"), "utf8")).toBe("kept");
      expect(readdirSync(folder).sort()).toEqual(["models", "own"]);
      expect(readdirSync(store.folder)).toEqual(["whisper-tiny"]);
    },
  );

  test("a mirror that does not answer HEAD will do", async () => {
    fresh();
    hub.fault = { hasNoHead: true };
    expect((await add("whisper-tiny")).isNew).toBe(true);
  });

  test("a token is sent to the hub, and a missing one is reported", async () => {
    fresh();
    hub.fault = { token: "secret" };
    await expect(add("whisper-tiny")).rejects.toMatchObject({ code: "models.refused", status: 403 });
    await add("whisper-tiny", { hub: { base: hub.url, token: "secret" } });
  });

  test.each([
    ["hf:someone/bert", "models.bad_checkpoint", /no checkpoint for/],
    ["hf:someone/incomplete", "models.bad_checkpoint", /has no tokenizer.json/],
    ["hf:nobody/nothing", "models.bad_checkpoint", /no checkpoint/],
    ["whisper-gigantic", "models.unknown", /npx --no-install parlance models list/],
  ])("%s is refused and leaves nothing", async (name, code, message) => {
    fresh();
    await expect(add(name)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(readdirSync(path.dirname(store.folder)).length === 0 || visible().length === 0).toBe(true);
  });

  test("two processes fetch a model once; a killed one leaves no partial model, and the next one resumes", async () => {
    fresh();
    hub.fault = { speed: size / 10 };
    const script = `
      const { installModel } = await import(process.argv[1]);
      const { ModelStore } = await import(process.argv[2]);
      await installModel("whisper-tiny", new ModelStore(process.argv[3]), { hub: { base: process.argv[4] }, progress() {} });`;
    const modules = ["./installer.js", "./store.js"].map((file) => entryFile(file, import.meta.url));
    const start = () =>
      spawn(process.execPath, ["--input-type=module", "-e", script, ...modules, store.folder, hub.url], {
        stdio: ["ignore", "ignore", "inherit"],
      });
    const killed = start();
    const partial = () =>
      !existsSync(store.folder)
        ? 0
        : readdirSync(store.folder, { recursive: true, withFileTypes: true })
            // Of the large file: the small ones are fetched before.
            .filter(({ name }) => name === `${weights}.part`)
            .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
    await expect.poll(partial).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    expect(await store.find("whisper-tiny")).toBeUndefined();
    hub.fault = {};
    const codes = await Promise.all(
      [start(), start()].map((child) => new Promise((resolve) => child.once("exit", resolve))),
    );
    expect(codes).toEqual([0, 0]);
    expect(hub.fetched.length).toBe(2);
    expect(hub.fetched[1]?.from).toBeGreaterThan(0);
    expect(visible()).toEqual(["whisper-tiny"]);
    store.forget();
    expect(await store.verify(await store.get("whisper-tiny"))).toEqual([]);
  });
});

const mayMount = process.platform === "linux" && process.getuid?.() === 0;

test.skipIf(!mayMount)("a disk that is too small, or fills up, is reported; no partial model is left", async () => {
  fresh();
  const disk = path.join(folder, "models");
  execFileSync("mkdir", ["-p", disk]);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
  try {
    await expect(add("whisper-tiny")).rejects.toMatchObject({
      code: "models.no_space",
      message: expect.stringMatching(/needs \d+ MB.*PARLANCE_MODELS_DIR/),
    });
    expect(visible()).toEqual([]);
  } finally {
    execFileSync("umount", [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("from a folder", () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("a copied checkpoint becomes a model of the folder's name; removed, it is gone", async () => {
    fresh();
    const source = writeFiles(
      path.join(folder, "My Whisper"),
      tinyWhisper({ type: "F16", melBins: 128, decoderLayers: 1 }),
    );
    const { model } = await add(source);
    expect(model.id).toBe("my-whisper");
    await expect(add(writeFiles(path.join(folder, "other", "My Whisper"), checkpoint))).rejects.toMatchObject({
      code: "models.exists",
    });
    await store.remove("my-whisper");
    expect(readdirSync(store.folder)).toEqual([]);
    await expect(store.get("my-whisper")).rejects.toMatchObject({ code: "models.missing" });
  });

  test.each(["模型", "default", "off"])("a folder named %s needs --id, and nothing is made before", async (name) => {
    fresh();
    const source = writeFiles(path.join(folder, name), checkpoint);
    await expect(add(source)).rejects.toMatchObject({
      code: "models.bad_name",
      message: expect.stringMatching(/--id/),
    });
    expect(existsSync(store.folder)).toBe(false);
    expect((await add(source, { id: "own" })).model.id).toBe("own");
  });

  test("a model whose files were changed is detected", async () => {
    fresh();
    const { model } = await add(writeFiles(path.join(folder, "tiny"), checkpoint));
    writeFileSync(path.join(model.folder ?? "", "tokenizer.json"), "{}");
    expect(await store.verify(model)).toEqual([expect.stringMatching(/^tokenizer.json has 2 bytes/)]);
  });

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000), /lies outside/],
    ["no safetensors", () => Buffer.from("nothing of the kind"), /is damaged/],
    ["empty", () => Buffer.alloc(0), /is damaged/],
  ])("weights that are %s are refused", async (_, change, message) => {
    fresh();
    const files = new Map(checkpoint);
    files.set(weights, change(files.get(weights) as Buffer));
    await expect(add(writeFiles(path.join(folder, "bad"), files))).rejects.toMatchObject({
      code: "models.bad_checkpoint",
      message: expect.stringMatching(message),
    });
    expect(visible()).toEqual([]);
  });

  test.each([
    [{ d_model: 63 }, /d_model/],
    [{ activation_function: "relu" }, /activation/],
    [{ vocab_size: undefined }, /vocab_size/],
    [{ encoder_layers: 3 }, /has no tensor model.encoder.layers.2/],
  ])("a config with %j is refused", async (config, message) => {
    fresh();
    const source = writeFiles(path.join(folder, "bad"), tinyWhisper({ config }));
    await expect(add(source)).rejects.toMatchObject({ message: expect.stringMatching(message) });
    expect(visible()).toEqual([]);
  });
});
