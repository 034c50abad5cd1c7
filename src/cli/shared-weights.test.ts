import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { keptWeights } from "./shared-weights.ts";

const HERE = os.tmpdir();
const MISSING = path.join(HERE, "parlance-no-such-folder");

test.each([
  ["the data folder of the service", HERE, "/cache", path.join(HERE, "shared-weights")],
  ["the cache, without a data folder", MISSING, "/cache", path.resolve("/cache/shared-weights")],
  [
    "the cache, if no setting names the data folder and no service has used it",
    "./data",
    "/cache",
    path.resolve("/cache/shared-weights"),
  ],
  ["none, without a home directory", MISSING, "", undefined],
])("packed weights are kept in %s", (_, dataDirectory, cache, folder) => {
  expect(keptWeights({ dataDirectory }, { cache, config: "" })).toBe(folder);
});
