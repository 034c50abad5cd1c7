// Prepared graphs that are damaged or belong to another version.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { graphsOfTiny, outputOf } from "../../../test/fixtures/moonshine-graphs.ts";
import { TINY } from "../engines/moonshine/config.ts";
import { MoonshineModel } from "../engines/moonshine/model.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-graphs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a damaged graph is prepared again, one of another key is replaced, and a folder that cannot be made changes nothing", async () => {
  const graphs = await graphsOfTiny(path.join(folder, "damaged"));
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
