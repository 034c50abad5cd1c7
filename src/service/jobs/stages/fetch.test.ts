// A fetched recording outlasts a short outage of the database and of the store.
import { readdirSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EmbeddedStores, openStores } from "../../../../test/fixtures/embedded-stores.ts";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { errors } from "../../../platform/errors.ts";
import { clientTime } from "../../../platform/storage/db/client-time.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { findFile } from "../../../platform/storage/db/files/files.ts";
import { insertJob } from "../../../platform/storage/db/jobs/new-job.ts";
import { FreeSpace } from "../../../platform/storage/free-space.ts";
import { fetchedKey } from "../../../platform/storage/objects/keys.ts";
import { fetchStage, storeFetched } from "./fetch.ts";
import { keepCheckpoint } from "./keep.ts";
import type { StageContext } from "./stage.ts";

const WORKER = "a#1";
let database: Database;
let objects: EmbeddedStores["objects"];
let accountId: string;
let stores: EmbeddedStores;

beforeAll(async () => {
  stores = await openStores();
  ({ database, objects, accountId } = stores);
});
afterAll(() => stores.remove());

/** Stores a fetched recording of a job, while transactions fail as often as `failures` says. */
async function stored(failures: Error[], signal = new AbortController().signal) {
  const [id, createdAt] = [uuid(), clientTime(new Date())];
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "m", createdAt, params: {} });
  await database
    .updateTable("jobs")
    .set({ status: "processing", worker: WORKER, attempt: 1 })
    .where("id", "=", id)
    .execute();
  const key = fetchedKey(id, 1);
  await objects.put(key, "audio");
  const transaction = () => {
    const failure = failures.shift();
    return failure ? { execute: () => Promise.reject(failure) } : database.transaction();
  };
  const context = {
    job: { id, hold: { id, worker: WORKER, attempt: 1 } },
    services: { database: { transaction }, objects, logger: pino({ level: "silent" }) },
    ...{ signal, requireHeld: () => undefined },
  };
  const row = {
    id,
    account_id: accountId,
    filename: "a.wav",
    source: null,
    extension: "wav",
    size: 5,
    object_key: key,
  };
  const storing = storeFetched(context as unknown as StageContext, key, async () => ({
    ...{ ...row, audio_duration: 1, number_of_channels: 1, created_at: createdAt },
  }));
  const error = await storing.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { error, hasRow: (await findFile(database, id)) !== undefined, hasObject: await objects.size(key) };
}

const away = () => errors.databaseUnavailable(new Error("closed"));

test("a fetched recording is kept until its row can be stored", async () => {
  expect(await stored([away(), away()])).toEqual({ error: undefined, hasRow: true, hasObject: 5 });
});

test("it is removed if its row cannot be stored for another reason, and stays when the process stops meanwhile", async () => {
  const refused = new Error("refused");
  expect(await stored([refused])).toEqual({ error: refused, hasRow: false, hasObject: undefined });
  const unavailable = away();
  expect(await stored([unavailable], AbortSignal.abort())).toEqual({ error: unavailable, hasRow: false, hasObject: 5 });
});

/** Runs the stage with an address that answers `body`. @returns the number of requests and what is stored */
async function fetched(body: string, maximumFileBytes = 100, halfway = async (_key: string) => {}) {
  let requests = 0;
  const [id, createdAt] = [uuid(), clientTime(new Date())];
  const host = http.createServer(async (_request, response) => {
    requests++;
    response.write(body.slice(0, 2));
    await halfway(fetchedKey(id, 1));
    response.end(body.slice(2));
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "m", createdAt, params: {} });
  await database
    .updateTable("jobs")
    .set({ status: "processing", worker: WORKER, attempt: 1 })
    .where("id", "=", id)
    .execute();
  const media = { extension: "wav", durationSeconds: 1, channels: 1 };
  const limits = { maximumFileBytes, maximumAudioSeconds: 60, fetchTimeoutSeconds: 30, fetchMinimumRate: 0 };
  const context = {
    job: {
      ...{ id, accountId, fileId: null, hold: { id, worker: WORKER, attempt: 1 } },
      audioUrl: FetchAddress.of(`http://127.0.0.1:${(host.address() as AddressInfo).port}/once.wav`),
    },
    services: {
      ...{ database, objects, space: new FreeSpace(stores.folder, 0), allowPrivateAddresses: true },
      decoders: { probe: async () => media },
      limits: { ...limits, fetchAttempts: 1, fetchRetrySeconds: 0 },
      logger: pino({ level: "silent" }),
    },
    ...{ signal: new AbortController().signal, progress: () => undefined, requireHeld: () => undefined },
  };
  const running = fetchStage.run(context as unknown as StageContext);
  const error = await running.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  host.close();
  return { requests, error, stored: await objects.size(fetchedKey(id, 1)), size: (await findFile(database, id))?.size };
}

test("a recording is fetched once, although the store is unavailable when it is complete", async () => {
  const keep = vi.spyOn(objects, "keep").mockRejectedValueOnce(errors.storageUnavailable(new Error("closed")));
  try {
    expect(await fetched("audio")).toEqual({ requests: 1, error: undefined, stored: 5, size: 5 });
  } finally {
    keep.mockRestore();
  }
});

test("a recording has its name only when it is complete", async () => {
  const folder = path.join(stores.folder, "objects", "audio");
  const unfinished = () => readdirSync(folder).filter((name) => name.endsWith(".part"));
  let found: string[] = [];
  const answer = await fetched("audio", 100, async (key) => {
    await vi.waitFor(() => expect(unfinished()).toHaveLength(1), { timeout: 10_000 });
    found = readdirSync(folder).filter((name) => name === path.basename(key));
  });
  expect(answer).toMatchObject({ error: undefined, stored: 5 });
  expect([found, unfinished()]).toEqual([[], []]);
});

test("nothing stays of a recording that is too large", async () => {
  const answer = await fetched("a".repeat(200));
  expect(answer.error).toMatchObject({ code: "file.too_large" });
  expect(answer).toMatchObject({ requests: 1, stored: undefined, size: undefined });
});

test("a stage continues if its progress cannot be copied to the store, unless the file is wrong", async () => {
  const services = { objects, logger: pino({ level: "silent" }) };
  const context = { job: { id: "j" }, services } as unknown as StageContext;
  const keep = vi.spyOn(objects, "keep").mockRejectedValueOnce(errors.storageUnavailable(new Error("closed")));
  try {
    await keepCheckpoint(context, "jobs/j/recognized.jsonl");
    keep.mockRejectedValueOnce(new Error("ENOENT"));
    await expect(keepCheckpoint(context, "jobs/j/recognized.jsonl")).rejects.toThrow("ENOENT");
  } finally {
    keep.mockRestore();
  }
});
