import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { decodeSpeech } from "../../test/fixtures/speech.ts";
import { START_TOKEN, TINY, WEIGHTS_PACKAGE } from "../engines/moonshine/config.ts";
import { MoonshineModel } from "../engines/moonshine/model.ts";
import { preparedGraphs } from "./prepared-graphs.ts";
import { floatsOf } from "./tensors.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-graphs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const code = new URL("../engines/moonshine/load.ts", import.meta.url).href;
const graphsIn = (name: string) =>
  preparedGraphs(path.join(folder, name), { module: code, packages: [WEIGHTS_PACKAGE] });

/** Logits and encoder output of one pass over a second of speech. */
async function outputOf(model: MoonshineModel): Promise<number[]> {
  const { encoded, memory } = await model.encode((await decodeSpeech()).slice(0, 16_000), undefined, 20);
  const { logits } = await model.decode(encoded, undefined, [START_TOKEN]);
  const values = [...logits, ...floatsOf(memory.hidden)];
  await model.release();
  return values;
}

test("a prepared graph computes exactly what the built one computes, also when two processes prepare it at once", async () => {
  const built = await outputOf(await MoonshineModel.load(TINY, { batchSize: 1 }));
  const graphs = await graphsIn("at-once");
  const load = () => MoonshineModel.load(TINY, { batchSize: 1, graphs });
  const both = await Promise.all([load(), load()]);
  for (const model of both) expect(await outputOf(model)).toEqual(built);
  // Nothing unfinished is left.
  expect(readdirSync(graphs.folder).sort()).toEqual(
    ["decoder-1", "encoder"].map((part) => `${TINY.id}-${part}.${graphs.key}`),
  );
  expect(await outputOf(await load())).toEqual(built);
});

test("a damaged graph is prepared again, one of another key is replaced, and a folder that cannot be made changes nothing", async () => {
  const graphs = await graphsIn("damaged");
  const load = (given = graphs) => MoonshineModel.load(TINY, { batchSize: 1, graphs: given });
  const expected = await outputOf(await load());
  const prepared = () => readdirSync(graphs.folder).sort();
  const [decoder = ""] = prepared();
  truncateSync(path.join(graphs.folder, decoder, "graph.onnx"), 1_000);
  expect(await outputOf(await load())).toEqual(expected);
  truncateSync(path.join(graphs.folder, decoder, "graph.weights"), 1_000);
  expect(await outputOf(await load())).toEqual(expected);
  const weights = path.join(graphs.folder, decoder, "graph.weights");
  const bytes = readFileSync(weights);
  bytes.fill(0x41, bytes.length >> 1, (bytes.length >> 1) + 100_000);
  writeFileSync(weights, bytes);
  expect(await outputOf(await load())).toEqual(expected);
  const other = { ...graphs, key: "0123456789abcdef" };
  expect(await outputOf(await load(other))).toEqual(expected);
  expect(prepared().every((name) => name.endsWith(other.key))).toBe(true);
  const file = path.join(folder, "a-file");
  writeFileSync(file, "");
  expect(await outputOf(await load({ ...graphs, folder: file }))).toEqual(expected);
});

test("another process prepares missing graphs; where it fails, they are prepared here", async () => {
  const shared = path.join(folder, "elsewhere");
  const waited: boolean[] = [];
  const graphs = await preparedGraphs(shared, { module: code, packages: [WEIGHTS_PACKAGE] }, async (isPrepared) => {
    waited.push(await isPrepared());
    if (waited.length === 1) throw new Error("no process is left");
    // The preparing process itself has no `prepare`.
    const { prepare: _, ...own } = graphs;
    await (await MoonshineModel.load(TINY, { batchSize: 1, graphs: own })).release();
    waited.push(await isPrepared());
  });
  const load = () => MoonshineModel.load(TINY, { batchSize: 1, graphs });
  const expected = await outputOf(await load());
  // The encoder was prepared here, the decoder elsewhere.
  expect(waited).toEqual([false, false, true]);
  expect(await outputOf(await load())).toEqual(expected);
  expect(waited).toHaveLength(3);
});

test("graphs of a model that was removed are removed with the next one that is loaded", async () => {
  const shared = path.join(folder, "removed");
  const source = mkdtempSync(path.join(folder, "model-"));
  writeFileSync(path.join(source, "weights"), "1");
  const graphs = await preparedGraphs(shared, { source, files: ["weights"] });
  await (await MoonshineModel.load(TINY, { batchSize: 1, graphs })).release();
  expect(readdirSync(shared)).toHaveLength(2);
  await preparedGraphs(shared, { source, files: ["weights"] });
  expect(readdirSync(shared)).toHaveLength(2);
  rmSync(source, { recursive: true });
  await graphsIn("removed");
  expect(readdirSync(shared)).toEqual([]);
});
