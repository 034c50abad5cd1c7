// A failed fetch rests for a time. A request that came after the failure begins another fetch at once.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { errors } from "../../platform/errors.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { wantModel } from "../../platform/storage/db/fleet-models.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FleetModels, type FleetOptions } from "./fleet-models.ts";
import { OtherProcesses } from "./other-processes.ts";
import { ModelStore } from "./store.ts";
import { ModelSupply, type SupplyOptions } from "./supply.ts";

const MODEL = "whisper-large";
const logger = pino({ level: "silent" });
let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-supply-"));
  database = await openDatabase("", folder, new Disk(false));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

let store: ModelStore;
beforeEach(() => {
  store = new ModelStore(mkdtempSync(path.join(folder, "models-")));
});

test("a failure is reported again within the rest, unless the model was requested after it", async () => {
  const bring = vi.fn(() => Promise.reject(errors.hubRefused("https://hub.example", 404)));
  const supply = new ModelSupply({ store, logger, mayFetch: true, fleet: { bring } } as unknown as SupplyOptions);
  const refused = { code: "models.refused" };
  for (const _ of "12") await expect(supply.provide(MODEL)).rejects.toMatchObject(refused);
  expect(bring).toHaveBeenCalledTimes(1);
  await expect(supply.provide(MODEL, undefined, true)).rejects.toMatchObject(refused);
  expect(bring).toHaveBeenCalledTimes(2);
});

test("a process that fetches is informed that a model was requested", async () => {
  const options = {
    ...{ database, store, logger, others: new OtherProcesses(), objects: { kind: "bucket" } },
    ...{ holder: "own#1", mayFetch: true, follows: true },
    signals: { on: () => undefined, onPulse: () => undefined },
  };
  const fleet = new FleetModels(options as unknown as FleetOptions);
  const provide = vi.fn(async () => undefined);
  await wantModel(database, MODEL, 600);
  await fleet.start(provide, () => undefined);
  await expect.poll(() => provide.mock.calls).toContainEqual([MODEL, true]);
  await fleet.stop();
});
