// Which sessions with a source are opened next.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FetchAddress } from "../../../addresses/fetch-address.ts";
import { Disk } from "../../disk/disk.ts";
import { setLimits } from "../accounts/accounts.ts";
import { clientTime } from "../client-time.ts";
import { type Database, openDatabase } from "../database.ts";
import { startLiveJob } from "./jobs.ts";
import { waitingSources } from "./live-sessions.ts";
import { insertJob } from "./new-job.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-sources-"));
  database = await openDatabase("", folder, new Disk(false));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function newAccount(): Promise<string> {
  const id = uuid();
  await database
    .insertInto("accounts")
    .values({ id, name: id, created_at: new Date() } as never)
    .execute();
  return id;
}

/** @param age  seconds */
async function source(accountId: string, age: number): Promise<string> {
  const id = uuid();
  const createdAt = clientTime(new Date(Date.now() - age * 1000));
  const audioUrl = FetchAddress.of("http://127.0.0.1/live");
  await insertJob(database, { id, accountId, kind: "live", model: "m", createdAt, params: {}, audioUrl });
  return id;
}

test("the oldest source of each account comes first, and none beyond the limit of its account", async () => {
  const [many, own, few, full] = [await newAccount(), await newAccount(), await newAccount(), await newAccount()];
  await setLimits(database, own, { live_sessions: 1 });
  const ofMany: string[] = [];
  for (let at = 0; at < 10; at++) ofMany.push(await source(many, 1_000 - at));
  const ofOwn = [await source(own, 500), await source(own, 499)];
  const ofFew = await source(few, 10);
  const ofFull = [await source(full, 2_000), await source(full, 1_999), await source(full, 1_998)];
  for (const id of ofFull.slice(0, 2)) await startLiveJob(database, id);
  expect(await waitingSources(database, { most: 100, ofAccount: 2 })).toEqual([
    ...[ofMany[0], ofOwn[0], ofFew, ofMany[1]],
  ]);
  expect(await waitingSources(database, { most: 3, ofAccount: 0 })).toEqual([ofFull[2], ofMany[0], ofOwn[0]]);
  expect(await waitingSources(database, { most: 100, ofAccount: 0 })).toHaveLength(13);
});
