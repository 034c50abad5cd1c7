import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeUnfinishedGraphs, unfinishedName } from "./unfinished-graphs.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-unfinished-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what a killed process left is removed, and nothing else", async () => {
  const graphs = path.join(folder, "killed");
  const kept = ["model-encoder.0123456789abcdef", ".other"];
  for (const name of [...kept, unfinishedName()]) {
    mkdirSync(path.join(graphs, name), { recursive: true });
    writeFileSync(path.join(graphs, name, "graph.weights"), "half");
  }
  await removeUnfinishedGraphs(graphs);
  expect(readdirSync(graphs).sort()).toEqual(kept.sort());
  await removeUnfinishedGraphs(path.join(folder, "missing"));
});
