// After a deletion, nothing of a recording and its transcript is left: in tables, in the bucket, and in the caches of other machines.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { sql } from "kysely";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { type S3Server, startS3, VERSITYGW } from "../../../test/fixtures/s3.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { addSeconds, databaseTime } from "../../platform/storage/db/database-time.ts";
import { deploymentFact, setOrphanMarks } from "../../platform/storage/db/deployment.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Signals } from "../../platform/storage/db/signals.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { attemptResultKey, audioKey, fetchedKey, peaksKey, resultKey } from "../../platform/storage/objects/keys.ts";
import { S3Store } from "../../platform/storage/objects/s3-store.ts";
import { Quarantine } from "../../platform/storage/quarantine.ts";
import { sweepDataFolder } from "../../platform/storage/sweep.ts";
import { DeletedCopies } from "./deleted-copies.ts";
import { removeOrphans } from "./orphans.ts";
import { removeWholeJobs } from "./remove-job.ts";
import { workFolder } from "./stages/work-files.ts";

const PHRASE = `zebra ${uuid()}`;
const logger = pino({ level: "silent" });

describe.skipIf(!hasPostgres || VERSITYGW === undefined)(
  "machines with one bucket (skipped without PostgreSQL or versitygw)",
  () => {
    let postgres: PostgresServer;
    let s3: S3Server;
    let database: Database;
    const root = mkdtempSync(path.join(os.tmpdir(), "parlance-copies-"));
    const stores: S3Store[] = [];

    beforeAll(async () => {
      [postgres, s3] = [await startPostgres(), await startS3()];
      database = await openDatabase(postgres.url, root);
    });
    afterAll(async () => {
      for (const store of stores) await store.stop();
      await database?.destroy();
      await s3?.remove();
      postgres?.stop();
      rmSync(root, { recursive: true, force: true });
    });

    function machine(name: string): S3Store {
      const cache = path.join(root, name, "objects");
      const store = new S3Store({
        ...{ ...s3, region: "us-east-1", prefix: "", pathStyle: true },
        ...{ cache, cacheBytes: 1e9, disk: new Disk(false) },
      });
      stores.push(store);
      return store;
    }

    /** Files below the folders, and tables, that have the phrase. */
    async function places(): Promise<string[]> {
      const found = [root, s3.folder].flatMap((folder) =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath, entry.name))
          .filter((file) => readFileSync(file).includes(PHRASE)),
      );
      const { rows } = await sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(database);
      for (const { name } of rows) {
        const hits = await sql`select 1 from ${sql.table(name)} as t where t::text like ${`%${PHRASE}%`}`.execute(
          database,
        );
        if (hits.rows.length > 0) found.push(`table ${name}`);
      }
      return found.sort();
    }

    test("a deleted job leaves nothing anywhere, also where a machine copies during the deletion or was off", async () => {
      const [deleting, other, off] = [machine("deleting"), machine("other"), machine("off")] as [
        S3Store,
        S3Store,
        S3Store,
      ];
      const signals = new Signals({ database, machine: "other", logger });
      const copies = new DeletedCopies({ database, objects: other, quarantine: new Quarantine(root), signals, logger });
      copies.start();
      signals.start();
      try {
        await expect.poll(() => signals.isListening).toBe(true);
        const accountId = uuid();
        const account = { id: accountId, name: "a", created_at: clientTime(new Date()) } as never;
        await database.insertInto("accounts").values(account).execute();
        const id = uuid();
        const keys = [audioKey(id), peaksKey(id), peaksKey(id, 2), resultKey(id)];
        for (const key of keys) await deleting.put(key, PHRASE);
        await saveFile(database, {
          ...{
            id,
            account_id: accountId,
            filename: PHRASE,
            source: null,
            extension: "wav",
            size: 1,
            object_key: audioKey(id),
          },
          ...{ audio_duration: 1, number_of_channels: 1, created_at: databaseTime(database) },
        });
        const createdAt = databaseTime(database);
        await insertJob(database, recordedJob(accountId, { id, fileId: id, params: { name: PHRASE }, createdAt }));
        const ended = { status: "done", completed_at: createdAt, result_key: resultKey(id) } as const;
        await database.updateTable("jobs").set(ended).where("id", "=", id).execute();
        for (const store of [other, off]) for (const key of keys) await store.localPath(key);
        const late = path.join(root, "other", "objects", audioKey(id));
        expect(await places()).toHaveLength(4 * 4 + 2);

        const idle = { cancel: async () => undefined, discard: async () => undefined };
        const services = { database, objects: deleting, worker: idle, live: idle, isOnlyProcess: false };
        expect(await removeWholeJobs([id], services)).toBe(1);
        await expect.poll(places).toEqual(keys.map((key) => path.join(root, "off", "objects", key)).sort());
        // A download that had begun ends after the copies were removed.
        mkdirSync(path.dirname(late), { recursive: true });
        writeFileSync(late, PHRASE);
        await expect.poll(places).not.toContain(late);
        // The machine that was off compares its copies with the rows when it starts. They are older than its start.
        for (const key of keys) {
          const [file, before] = [path.join(root, "off", "objects", key), new Date(Date.now() - 60_000)];
          for (const one of [file, path.dirname(file)]) utimesSync(one, before, before);
        }
        await sweepDataFolder({
          ...{ database, dataDirectory: path.join(root, "off"), modelsDirectory: path.join(root, "models") },
          ...{ hasOwnObjects: false, isDryRun: false, quarantine: new Quarantine(path.join(root, "off")) },
          ...{ before: new Date(0), copiesBefore: new Date() },
        });
        expect(await places()).toEqual([]);
      } finally {
        await copies.stop();
        await signals.stop();
      }
    });

    test("objects without a row and parts of an unfinished upload are removed; objects with a row stay", async () => {
      const store = machine("orphans");
      const accountId = uuid();
      const account = { id: accountId, name: "b", created_at: clientTime(new Date()) } as never;
      await database.insertInto("accounts").values(account).execute();
      const [kept, lost] = [uuid(), uuid()];
      const createdAt = databaseTime(database);
      await saveFile(database, {
        ...{
          id: kept,
          account_id: accountId,
          filename: "a",
          source: null,
          extension: "wav",
          size: 1,
          object_key: audioKey(kept),
        },
        ...{ audio_duration: 1, number_of_channels: 1, created_at: createdAt },
      });
      const job = recordedJob(accountId, { id: kept, fileId: kept, createdAt });
      await insertJob(database, job);
      const named = [audioKey(kept), peaksKey(kept, 1), attemptResultKey(kept, 2)];
      // Of an ended job, and of one that has not ended.
      const [ended, unfinished] = [uuid(), kept].map((id) => `${workFolder(id)}/1/channel-0.pcm`) as [string, string];
      named.push(unfinished);
      const orphans = [ended, audioKey(lost), fetchedKey(lost, 3), resultKey(lost), peaksKey(lost), peaksKey(lost, 1)];
      for (const key of [...named, ...orphans]) await store.put(key, PHRASE);
      const client = new S3Client({
        ...{ region: "us-east-1", endpoint: s3.endpoint, forcePathStyle: true, credentials: s3 },
      });
      const upload = { Bucket: s3.bucket, Key: audioKey(uuid()) };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
      await client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: PHRASE }));
      const services = { database, objects: store, duties: { holds: async () => true }, logger };
      // What is younger may be in use.
      const DAY = 86_400;
      await removeOrphans(services, addSeconds(databaseTime(database), DAY - 3_600));
      for (const key of orphans) expect(await store.size(key), key).toBeDefined();
      expect((await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }))).Uploads).toHaveLength(1);
      // A copy of the database names an earlier mark.
      const mark = (await deploymentFact(database, "orphan_proven")) ?? "";
      await setOrphanMarks(database, ["an earlier one"]);
      await removeOrphans(services, addSeconds(databaseTime(database), 8 * DAY));
      for (const key of orphans) expect(await store.size(key), key).toBeDefined();
      await setOrphanMarks(database, [mark]);
      await removeOrphans(services, addSeconds(databaseTime(database), 8 * DAY));
      for (const key of named) expect(await store.size(key), key).toBe(PHRASE.length);
      for (const key of orphans) expect(await store.size(key), key).toBeUndefined();
      expect((await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }))).Uploads ?? []).toEqual([]);
      client.destroy();
    });
  },
);
