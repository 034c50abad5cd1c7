import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../../test/fixtures/embedded-stores.ts";
import { keysInUse } from "./files/object-removals.ts";

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.remove());

test("a condition with an empty list matches no row, its negation each row", async () => {
  const accounts = stores.database.selectFrom("accounts").select("id");
  expect(await accounts.where("id", "in", []).execute()).toEqual([]);
  expect(await accounts.where("id", "not in", []).execute()).toEqual([{ id: stores.accountId }]);
  expect(await stores.database.deleteFrom("accounts").where("id", "in", []).executeTakeFirst()).toMatchObject({
    numDeletedRows: 0n,
  });
});

test("keys without a folder of working files", async () => {
  expect(await keysInUse(stores.database, ["live/1/audio"])).toEqual(new Set());
});
