// Links to transcripts end by the time of the database, and with the key that made them.
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../../../test/fixtures/embedded-stores.ts";
import { recordedJob } from "../../../../../test/fixtures/recorded-job.ts";
import { insertKey, revokeKey } from "../accounts/accounts.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import { insertJob } from "./new-job.ts";
import { forgetExpiredShares, insertShare, listShares, noteOpened, removeShare, shareOfToken } from "./shares.ts";

let stores: EmbeddedStores;
let jobId: string;
beforeAll(async () => {
  stores = await openStores();
  const job = recordedJob(stores.accountId);
  jobId = job.id;
  await insertJob(stores.database, job);
});
afterAll(() => stores.remove());

const insert = (keyId: string | null = null, most = 100) => {
  const added = { id: uuid(), jobId, keyId, madeBy: "a key", seconds: 3_600, audio: false };
  return insertShare(stores.database, added, most);
};
const set = (id: string, values: object) =>
  stores.database.updateTable("shares").set(values).where("id", "=", id).execute();
const rows = async () => (await stores.database.selectFrom("shares").select("id").execute()).map(({ id }) => id);

test("a link that has expired opens nothing, is not listed, and is removed by the next round", async () => {
  const [expired, open] = [await insert(), await insert()];
  await set(expired.share.id, { expires_at: fromStatement(-1) });
  expect(await shareOfToken(stores.database, expired.token)).toBeUndefined();
  expect(await shareOfToken(stores.database, open.token)).toMatchObject({
    ...{ id: open.share.id, job_id: jobId, account_id: stores.accountId, audio: false },
  });
  expect(await listShares(stores.database, jobId)).toEqual([open.share]);
  expect(await rows()).toContain(expired.share.id);
  await forgetExpiredShares(stores.database);
  expect(await rows()).toEqual([open.share.id]);
  await removeShare(stores.database, { jobId, id: open.share.id });
});

test("a link of a key ends when the key is revoked; one of a key that is unknown opens nothing", async () => {
  const keyId = uuid();
  const { accountId } = stores;
  await insertKey(stores.database, { id: keyId, accountId, name: "k", key: "k" }, statementTime);
  const [own, unknown] = [await insert(keyId), await insert(uuid())];
  expect(await shareOfToken(stores.database, own.token)).toBeDefined();
  expect(await shareOfToken(stores.database, unknown.token)).toBeUndefined();
  await revokeKey(stores.database, keyId, statementTime as never, accountId);
  expect(await shareOfToken(stores.database, own.token)).toBeUndefined();
  expect(await listShares(stores.database, jobId)).toEqual([]);
});

test("only links that are open count against the limit", async () => {
  const first = await insert(null, 1);
  await expect(insert(null, 1)).rejects.toMatchObject({ code: "limit.shares" });
  await set(first.share.id, { expires_at: fromStatement(-1) });
  const second = await insert(null, 1);
  await removeShare(stores.database, { jobId, id: second.share.id });
});

test("the time of the last opening is written once a minute", async () => {
  const { share } = await insert();
  const openedAt = async () => (await listShares(stores.database, jobId))[0]?.opened_at;
  expect(await openedAt()).toBeNull();
  await noteOpened(stores.database, share.id);
  const first = await openedAt();
  expect(first).toBeTruthy();
  await noteOpened(stores.database, share.id);
  expect(await openedAt()).toBe(first);
  await set(share.id, { opened_at: fromStatement(-61) });
  const before = await openedAt();
  await noteOpened(stores.database, share.id);
  expect(Date.parse((await openedAt()) ?? "")).toBeGreaterThan(Date.parse(before ?? ""));
});
