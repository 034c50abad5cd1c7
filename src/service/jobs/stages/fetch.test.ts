// A fetched recording outlasts a short outage of the database.
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../../test/fixtures/embedded-stores.ts";
import { errors } from "../../../platform/errors.ts";
import { clientTime } from "../../../platform/storage/db/client-time.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { findFile } from "../../../platform/storage/db/files/files.ts";
import { insertJob } from "../../../platform/storage/db/jobs/new-job.ts";
import { fetchedKey } from "../../../platform/storage/objects/keys.ts";
import { storeFetched } from "./fetch.ts";
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
