// Objects without a row are removed where little is kept, too; a bucket of another database stays.
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../test/fixtures/embedded-stores.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import type { Leftovers, ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { removeOrphans } from "./orphans.ts";

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.remove());

/** Searches a bucket with these objects. @returns the keys that are left */
async function left(keys: string[], bucket: { mark?: string }): Promise<string[]> {
  const { database } = stores;
  const kept = new Set(keys);
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
  const objects = { leftovers, remove: async (key: string) => void kept.delete(key) } as unknown as ObjectStore;
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
