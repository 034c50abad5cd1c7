// A model in the bucket that this process cannot install: another process may, but only for some time. Wrong content is stored again, once.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { fleetModel } from "../../platform/storage/db/fleet-models.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FleetModels, type FleetOptions } from "./fleet-models.ts";
import { MANIFEST_FORMAT } from "./manifest.ts";
import { OtherProcesses } from "./other-processes.ts";
import { ModelStore } from "./store.ts";

const MODEL = "whisper-large";
const GOOD = "weights";
const logger = pino({ level: "silent" });
const own = { restMilliseconds: 0, onShare: () => undefined, fetch: () => Promise.reject(new Error("no source")) };

let folder: string;
let database: Database;
let fleet: FleetModels;
let store: ModelStore;
let content: string;
let bytes: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-copies-"));
  database = await openDatabase("", folder, new Disk(false));
});
beforeEach(() => {
  [content, bytes] = [GOOD, GOOD.length];
  store = new ModelStore(mkdtempSync(path.join(folder, "models-")));
  const others = new OtherProcesses();
  others.take([{ machine: "other", roles: ["worker"], models: [] }]);
  const objects = { kind: "bucket", place: "bucket", read: async () => Readable.from([content]) };
  const options = { ...{ database, others, objects, store, logger }, holder: "own#1", mayFetch: false, follows: true };
  fleet = new FleetModels(options as unknown as FleetOptions);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fleet.stop();
  await sql`delete from fleet_models`.execute(database);
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** The bucket has had the model for an hour. */
async function stored(): Promise<void> {
  const sha256 = createHash("sha256").update(GOOD).digest("hex");
  const manifest = {
    ...{ format: MANIFEST_FORMAT, id: MODEL, source: MODEL, engine: "whisper", languages: ["en"], capabilities: {} },
    ...{ licence: "MIT", installedAt: "2026-01-01T00:00:00Z", files: [{ name: "weights", bytes, sha256 }] },
  };
  await sql`insert into fleet_models (name, state, changed_at, manifest, has_copy)
    values (${MODEL}, 'stored', now() - interval '1 hour', ${JSON.stringify(manifest)}::json, true)
    on conflict (name) do update set state = 'stored', changed_at = excluded.changed_at, has_copy = true`.execute(
    database,
  );
}

function pass(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

const isComing = () => fleet.isComingElsewhere(MODEL);

test("another process may install a model that this one has no room for, within ten minutes", async () => {
  bytes = 1e15;
  await stored();
  expect(await isComing()).toBe(true);
  for (const _ of "12") await expect(fleet.bring(MODEL, own)).rejects.toMatchObject({ code: "models.no_space" });
  expect(await isComing()).toBe(true);
  pass(601_000);
  await expect(fleet.bring(MODEL, own)).rejects.toMatchObject({ code: "models.no_space" });
  expect(await isComing()).toBe(false);
  // A copy that was made a short time ago counts again.
  await sql`update fleet_models set changed_at = now()`.execute(database);
  expect(await isComing()).toBe(true);
});

test("a copy with wrong content is requested again, once until the model is installed", async () => {
  content = "other";
  await stored();
  const failed = fleet.bring(MODEL, own);
  failed.catch(() => undefined);
  await expect.poll(async () => fleetModel(database, MODEL)).toMatchObject({ state: "wanted", hasCopy: false });
  await stored();
  await expect(failed).rejects.toMatchObject({ code: "models.wrong_hash" });
  expect(await fleetModel(database, MODEL)).toMatchObject({ state: "stored", hasCopy: true });
  pass(601_000);
  expect(await isComing()).toBe(false);
  content = GOOD;
  expect(await fleet.bring(MODEL, own)).toMatchObject({ id: MODEL });
  expect(existsSync(path.join(store.folder, MODEL, "weights"))).toBe(true);
  expect(await isComing()).toBe(true);
});
