// Acceptance of a job and deletion of its upload on connections of their own: one of the two waits for the other.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import type { ParlanceError } from "../../platform/errors.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { findFile, lockFile, saveFile } from "../../platform/storage/db/files/files.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { acceptRecorded } from "./accept.ts";
import { type RemovalServices, removeAudio, removeWholeFiles } from "./remove-job.ts";

describe.skipIf(!hasPostgres)("an upload (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let folder: string;
  let database: Database;
  let objects: FileStore;
  const accountId = uuid();
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-accept-"));
    database = await openDatabase(server.url, folder, new Disk(false));
    objects = new FileStore(path.join(folder, "objects"), new Disk(false));
    const account = { id: accountId, name: "a", created_at: clientTime(new Date()) } as never;
    await database.insertInto("accounts").values(account).execute();
  });
  afterAll(async () => {
    await database?.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function upload(): Promise<string> {
    const id = uuid();
    const object_key = `audio/${id}`;
    await objects.put(object_key, "audio");
    await saveFile(database, {
      ...{ id, account_id: accountId, filename: "a.wav", source: null, extension: "wav", size: 5, object_key },
      ...{ audio_duration: 1, number_of_channels: 1, created_at: clientTime(new Date()) },
    });
    return id;
  }

  const waiting = async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database);
    return rows.length;
  };

  test.each([
    [
      "the file of a deleted job",
      (id: string, stores: Pick<RemovalServices, "database" | "objects">) => removeWholeFiles([id], stores),
    ],
    ["the audio of the file", removeAudio],
  ])("stays if a job for it is accepted before %s is removed", async (_, remove) => {
    const fileId = await upload();
    const removal = await database.transaction().execute(async (transaction) => {
      await lockFile(transaction, fileId);
      const removing = remove(fileId, { database, objects });
      await expect.poll(waiting).toBeGreaterThan(0);
      const job = recordedJob(accountId);
      await insertJob(transaction, { ...job, fileId });
      return { removing };
    });
    await removal.removing;
    expect((await findFile(database, fileId))?.audio_deleted_at).toBeNull();
    expect(await objects.size(`audio/${fileId}`)).toBe(5);
  });

  test("concurrent requests do not exceed the limit of waiting jobs; running jobs and live sessions do not count", async () => {
    const own = uuid();
    await database
      .insertInto("accounts")
      .values({ id: own, name: "limited", created_at: clientTime(new Date()) } as never)
      .execute();
    const running = recordedJob(own, { audioUrl: FetchAddress.of("http://recordings.example/a") });
    await insertJob(database, running);
    await sql`update jobs set status = 'processing' where id = ${running.id}`.execute(database);
    await insertJob(database, recordedJob(own, { kind: "live" }));
    const services = {
      ...{ database, queue: { wake: () => undefined }, waitingForModels: { wake: () => undefined } },
      settings: { maximumQueuedJobs: 3 },
    };
    const accept = () =>
      acceptRecorded(
        recordedJob(own, { audioUrl: FetchAddress.of("http://recordings.example/b") }),
        true,
        services,
      ).then(
        () => "accepted",
        ({ code }: ParlanceError) => code,
      );
    const outcomes = await Promise.all(Array.from({ length: 10 }, accept));
    expect(outcomes.filter((one) => one === "accepted")).toHaveLength(3);
    expect(outcomes.filter((one) => one === "limit.queued_jobs")).toHaveLength(7);
  });
});
