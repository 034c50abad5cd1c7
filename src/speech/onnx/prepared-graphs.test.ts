// Graphs that are prepared once and loaded by many processes. prepared-graphs.slow.test.ts: damaged ones.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { graphsOfTiny, outputOf } from "../../../test/fixtures/moonshine-graphs.ts";
import { TINY } from "../engines/moonshine/config.ts";
import { MoonshineModel } from "../engines/moonshine/model.ts";
import { preparedGraphs } from "./prepared-graphs.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-graphs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const graphsIn = (name: string) => graphsOfTiny(path.join(folder, name));

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

test("another process prepares missing graphs; where it fails, they are prepared here", async () => {
  const shared = path.join(folder, "elsewhere");
  const waited: boolean[] = [];
  const graphs = await graphsOfTiny(shared, async (isPrepared) => {
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
