// Objects without a row are removed where little is kept, too; a bucket of another database stays.
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../test/fixtures/embedded-stores.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { setDeploymentFact } from "../../platform/storage/db/deployment.ts";
import type { Leftovers, ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { adoptStore } from "../../platform/storage/store-identity.ts";
import { removeOrphans } from "./orphans.ts";

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.remove());

interface Bucket {
  mark?: string;
}

function objectsOf(kept: Set<string>, bucket: Bucket): ObjectStore {
  const leftovers: Leftovers = {
    async *keysBefore(_time, folder) {
      const found = [...kept].filter((key) => key.startsWith(`${folder}/`));
      if (found.length > 0) yield found;
    },
    mark: async () => bucket.mark,
    setMark: async (text) => {
      bucket.mark = text;
    },
    endUploadsBefore: async () => 0,
  };
  const own = { identity: async () => undefined, setIdentity: async () => undefined };
  return { leftovers, ...own, remove: async (key: string) => void kept.delete(key) } as unknown as ObjectStore;
}

/** Searches a bucket with these objects. @returns the keys that are left */
async function left(keys: string[], bucket: Bucket): Promise<string[]> {
  const { database } = stores;
  const kept = new Set(keys);
  const objects = objectsOf(kept, bucket);
  const services = { database, objects, duties: { holds: async () => true }, logger: pino({ level: "silent" }) };
  await removeOrphans(services, databaseTime(database));
  return [...kept];
}

test("with a mark that the database names, orphans are removed although no object has a row", async () => {
  const bucket = {};
  expect(await left([], bucket)).toEqual([]);
  expect(bucket).toHaveProperty("mark");
  expect(await left([`audio/${uuid()}`, `results/${uuid()}.json`], bucket)).toEqual([]);
});

test("without a mark, a bucket without rows in the database stays, in later rounds, too", async () => {
  const [keys, bucket] = [[`audio/${uuid()}`], {}];
  expect(await left(keys, bucket)).toEqual(keys);
  expect(await left(keys, bucket)).toEqual(keys);
});

test("a mark that the database does not name keeps everything", async () => {
  const keys = [`audio/${uuid()}`];
  expect(await left(keys, { mark: uuid() })).toEqual(keys);
});

test("a mark of an earlier version proves nothing: it was set before the bucket was judged", async () => {
  const [mark, keys] = [uuid(), [`audio/${uuid()}`]];
  await setDeploymentFact(stores.database, "orphan_round", mark);
  const bucket = { mark };
  expect(await left(keys, bucket)).toEqual(keys);
  expect(await left(keys, bucket)).toEqual(keys);
  // A round that finds nothing suspicious proves it.
  expect(await left([], bucket)).toEqual([]);
  expect(bucket.mark).not.toBe(mark);
  expect(await left(keys, bucket)).toEqual([]);
});

test.each([undefined, uuid()])(
  "after parlance store adopt, a bucket with the mark %s is the right one",
  async (mark) => {
    const [keys, bucket] = [[`audio/${uuid()}`], mark === undefined ? {} : { mark }];
    expect(await left(keys, bucket)).toEqual(keys);
    await adoptStore({ database: stores.database, objects: objectsOf(new Set(keys), bucket), newId: uuid });
    expect(await left(keys, bucket)).toEqual([]);
  },
);
