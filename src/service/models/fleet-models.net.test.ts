// Several machines share models through one PostgreSQL server and one bucket. Each machine has separate folders. The hub serves a tiny checkpoint.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Hub, startHub } from "../../../test/fixtures/hub.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { type S3Server, startS3, VERSITYGW } from "../../../test/fixtures/s3.ts";
import { tinyWhisper } from "../../../test/fixtures/tiny-whisper.ts";
import { type ChildEnvironment, networkEnvironment } from "../../platform/config/load.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { fleetModel, releaseEarlierFetches } from "../../platform/storage/db/fleet-models.ts";
import { Signals } from "../../platform/storage/db/signals.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { S3Store } from "../../platform/storage/objects/s3-store.ts";
import { FleetModels } from "./fleet-models.ts";
import type { Manifest } from "./manifest.ts";
import { OtherProcesses } from "./other-processes.ts";
import { ModelsOfRole } from "./served-models.ts";
import { ModelStore } from "./store.ts";
import { ModelSupply } from "./supply.ts";

const NAME = "whisper-tiny";
/** Changes the clock of a process that adds a model. */
const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const checkpoint = tinyWhisper();
const weights = checkpoint.get("model.safetensors")?.length ?? 0;
const logger = pino({ level: "silent" });

interface Machine {
  store: ModelStore;
  fleet: FleetModels;
  supply: ModelSupply;
  objects: S3Store;
  folder: string;
  /** Stops the machine. @param isKilled  as a kill does: its row stays */
  end(isKilled?: boolean): Promise<void>;
}

describe.skipIf(!hasPostgres || VERSITYGW === undefined)("machines (skipped without PostgreSQL, versitygw)", () => {
  let server: PostgresServer;
  let s3: S3Server;
  let hub: Hub;
  let folder: string;
  let database: Database;
  let machines: Machine[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    s3 = await startS3();
    hub = await startHub({ "openai/whisper-tiny": checkpoint });
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-fleet-models-"));
    database = await openDatabase(server.url, folder);
  });
  beforeEach(async () => {
    hub.fault = {};
    hub.fetched = [];
    await sql`delete from fleet_models`.execute(database);
  });
  afterEach(async () => {
    for (const machine of machines) await machine.end();
    for (const { folder } of machines) rmSync(folder, { recursive: true, force: true });
    machines = [];
  });
  afterAll(async () => {
    await database?.destroy();
    await s3?.remove();
    server?.stop();
    await hub?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(
    name: string,
    {
      follows = true,
      mayFetch = true,
      generation = 1,
      clock = {},
    }: { follows?: boolean; mayFetch?: boolean; generation?: number; clock?: Record<string, string> } = {},
  ): Promise<Machine> {
    const own = path.join(folder, name);
    const disk = new Disk(false);
    const { endpoint, bucket, accessKeyId, secretAccessKey } = s3;
    const objects = new S3Store({
      ...{ endpoint, bucket, accessKeyId, secretAccessKey, disk, region: "us-east-1", prefix: "", pathStyle: true },
      ...{ cache: path.join(own, "objects"), cacheBytes: 1e9 },
    });
    const store = new ModelStore(path.join(own, "models"));
    const connection = await openDatabase(server.url, own);
    const signals = new Signals({ database: connection, machine: name, logger });
    const holder = `${name}#${generation}`;
    await releaseEarlierFetches(connection, `${name}#`, holder);
    const others = new OtherProcesses();
    const options = { database: connection, objects, others, signals, store, follows, mayFetch, holder, logger };
    const fleet = new FleetModels(options);
    const environment = { ...networkEnvironment(own), ...clock } as ChildEnvironment;
    const supply = new ModelSupply({ ...{ store, fleet, mayFetch, environment, logger }, hub: { base: hub.url } });
    signals.start();
    await fleet.start(
      (wanted, isRequested) => supply.provide(wanted, undefined, isRequested),
      () => undefined,
    );
    let hasEnded = false;
    const end = async (isKilled = false) => {
      if (hasEnded) return;
      hasEnded = true;
      // A killed process changes no row, so its connection to the database is closed first.
      if (isKilled) await connection.destroy();
      await supply.stop();
      await signals.stop();
      await objects.stop();
      if (!isKilled) await connection.destroy();
    };
    const machine = { store, fleet, supply, objects, folder: own, end };
    machines.push(machine);
    return machine;
  }

  const has = async ({ store }: Machine) => {
    store.forget();
    return (await store.find(NAME)) !== undefined;
  };
  const stateOf = async () => (await fleetModel(database, NAME))?.state;

  test("a model that no process begins to fetch is missing after a minute, and requested again later", async () => {
    const api = await start("a", { follows: false });
    const aged = (seconds: number) =>
      sql`update fleet_models set changed_at = now() - make_interval(secs => ${seconds})`.execute(database);
    const first = api.fleet.request(NAME, 0);
    expect(api.fleet.request(NAME, 0)).toBe(first);
    const missing = expect(first).rejects.toMatchObject({ code: "models.missing" });
    await expect.poll(() => api.fleet.shareOf(NAME)).toBe(0);
    await aged(61);
    await missing;
    await expect.poll(() => api.fleet.shareOf(NAME)).toBeUndefined();
    await expect(api.fleet.request(NAME, 0)).rejects.toMatchObject({ code: "models.missing" });
    await aged(601);
    expect(api.fleet.isWanted(NAME)).toBe(true);
    const again = api.fleet.request(NAME, 0);
    await expect.poll(async () => (await fleetModel(database, NAME))?.ageSeconds).toBeLessThan(60);
    // A process that recognises speech starts.
    await start("b");
    await again;
  });

  test("one machine fetches a model, and the others copy it; all show the progress, and all remove it", async () => {
    hub.fault = { speed: weights / 3 };
    const [first, second, api] = [await start("a"), await start("b"), await start("c", { follows: false })];
    const requested = api.supply.request(NAME);
    for (const machine of machines) await expect.poll(() => machine.supply.shareOf(NAME)).toBeGreaterThan(0.2);
    await requested;
    for (const machine of [first, second]) await expect.poll(() => has(machine)).toBe(true);
    expect(hub.fetched.map(({ from }) => from)).toEqual([0]);
    const model = await second.store.get(NAME);
    expect(await second.store.verify(model)).toEqual([]);
    expect(existsSync(path.join(first.folder, "objects/models", NAME, "model.json"))).toBe(false);
    // The process with the role api alone copies a model when it needs the model, and judges requests by the models of the fleet.
    expect(await has(api)).toBe(false);
    const roles = new Set(["api"]);
    const others = new OtherProcesses();
    others.take([{ machine: "a", roles: ["worker"], models: [] }]);
    const served = new ModelsOfRole("worker", { models: api.store, roles, others, fleet: api.fleet });
    expect((await served.find(NAME))?.languages).toEqual(model.languages);
    expect((await served.list()).map(({ id }) => id)).toContain(NAME);
    expect(await served.isReady(NAME)).toBe(false);
    others.take([{ machine: "a", roles: ["worker"], models: [NAME] }]);
    expect(await served.isReady(NAME)).toBe(true);
    await api.supply.ensure(NAME);
    expect(await has(api)).toBe(true);
    expect(hub.fetched).toHaveLength(1);

    const off = await start("d");
    await expect.poll(() => has(off)).toBe(true);
    await off.end();
    await api.fleet.remove(NAME);
    for (const machine of [first, second, api]) await expect.poll(() => has(machine)).toBe(false);
    expect(await first.objects.size(`models/${NAME}/model.json`)).toBeUndefined();
    for await (const key of first.objects.keys()) expect(key).not.toMatch(/^models\//);
    // A machine that was off at that time.
    const back = await start("d", { generation: 2 });
    await expect.poll(() => has(back)).toBe(false);
    // A model that is fetched again is kept.
    await first.supply.ensure(NAME);
    for (const machine of [second, back]) await expect.poll(() => has(machine)).toBe(true);
    expect(await has(first)).toBe(true);
  });

  test.skipIf(!existsSync(LIBRARY))(
    "a model is removed from a machine whose clock is ahead, and kept if it is installed later by one whose clock is behind (skipped without libfaketime)",
    async () => {
      const clockAt = (offset: string) => ({
        ...{ LD_PRELOAD: LIBRARY, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" },
      });
      const first = await start("a", { clock: clockAt("+1h") });
      await first.supply.ensure(NAME);
      await first.fleet.remove(NAME);
      await expect.poll(() => has(first)).toBe(false);
      await first.end();
      const second = await start("b", { clock: clockAt("-1h") });
      await second.supply.ensure(NAME);
      const { installedAt } = (await second.store.get(NAME)).manifest as Manifest;
      const { rows } = await sql<{ now: Date }>`select now() as now`.execute(database);
      expect(Math.abs(Date.parse(installedAt) - (rows[0] as { now: Date }).now.getTime())).toBeLessThan(600_000);
    },
  );

  test("a fetch whose machine is killed is continued by another one", async () => {
    hub.fault = { speed: weights / 20 };
    const first = await start("a");
    first.supply.ensure(NAME).catch(() => undefined);
    await expect.poll(() => first.supply.shareOf(NAME)).toBeGreaterThan(0.02);
    await expect.poll(stateOf).toBe("fetching");
    const second = await start("b");
    await first.end(true);
    hub.fault = {};
    expect(await stateOf()).toBe("fetching");
    expect(await has(second)).toBe(false);
    await sql`update fleet_models set until = now() - interval '1 second'`.execute(database);
    await expect.poll(() => has(second)).toBe(true);
    await expect.poll(stateOf).toBe("stored");
    expect(hub.fetched).toHaveLength(2);
  });

  test("a machine that stops leaves its fetch to another one at once", async () => {
    hub.fault = { speed: weights / 20 };
    const first = await start("a");
    first.supply.ensure(NAME).catch(() => undefined);
    await expect.poll(() => first.supply.shareOf(NAME)).toBeGreaterThan(0.02);
    const second = await start("b");
    await first.end();
    // Long before the hold of the first one is over, the row is free, or the other machine has it.
    const { rows } = await sql<{ holder: string | null }>`select holder from fleet_models`.execute(database);
    expect(rows.map(({ holder }) => holder)).not.toContain("a#1");
    hub.fault = {};
    await expect.poll(() => has(second)).toBe(true);
  });

  test("a machine that was killed continues its own fetch when it starts again", async () => {
    hub.fault = { speed: weights / 20 };
    const first = await start("a");
    first.supply.ensure(NAME).catch(() => undefined);
    await expect.poll(() => first.supply.shareOf(NAME)).toBeGreaterThan(0.02);
    await first.end(true);
    // The hold of the killed process would last longer than this test.
    await sql`update fleet_models set until = now() + interval '1 hour'`.execute(database);
    hub.fault = {};
    const again = await start("a", { generation: 2 });
    await expect.poll(() => has(again)).toBe(true);
    // From the bytes that it has.
    expect(hub.fetched.at(-1)?.from).toBeGreaterThan(0);
  });

  test("a failure is known to all, and the next request repeats the fetch after a pause", async () => {
    hub.fault = { status: 404 };
    const [first, second, api] = [await start("a"), await start("b"), await start("c", { follows: false })];
    const refused = { code: "models.bad_checkpoint" };
    await expect(first.supply.ensure(NAME)).rejects.toMatchObject(refused);
    await expect(second.supply.ensure(NAME)).rejects.toMatchObject(refused);
    await expect(api.supply.request(NAME)).rejects.toMatchObject(refused);
    await expect.poll(() => api.supply.failureOf(NAME)).toContain("openai/whisper-tiny");
    expect(api.supply.shareOf(NAME)).toBeUndefined();
    hub.fault = {};
    await second.supply.ensure(NAME, 0);
    await expect.poll(() => api.supply.failureOf(NAME)).toBeUndefined();
  });

  test("a person who tries again after a failure is answered by another fetch at once", async () => {
    hub.fault = { status: 404 };
    const [, api] = [await start("a"), await start("c", { follows: false })];
    const refused = { code: "models.bad_checkpoint" };
    await expect(api.supply.request(NAME)).rejects.toMatchObject(refused);
    // Another job within the rest reports the failure.
    await expect(api.supply.request(NAME)).rejects.toMatchObject(refused);
    hub.fault = {};
    await api.supply.request(NAME, 0);
    expect(api.supply.failureOf(NAME)).toBeUndefined();
  });

  test("machines that may not fetch copy what another one has; what none has is missing at once", async () => {
    const first = await start("a");
    const api = await start("c", { follows: false, mayFetch: false });
    await expect(api.supply.ensure(NAME)).rejects.toMatchObject({ code: "models.missing" });
    await expect(api.supply.request(NAME)).rejects.toMatchObject({ code: "models.missing" });
    await first.supply.ensure(NAME);
    const second = await start("b", { mayFetch: false });
    await expect.poll(() => has(second)).toBe(true);
    // If the bucket lacks the files, a machine that has the model stores them again.
    await first.objects.removeFolder(`models/${NAME}`);
    const third = await start("d", { mayFetch: false });
    await expect.poll(() => has(third)).toBe(true);
    expect(hub.fetched).toHaveLength(1);
  });
});
