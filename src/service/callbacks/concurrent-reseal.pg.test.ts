// A start with a new key seals secrets again while other connections change them: their changes stay.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import {
  callbackSecrets,
  retireCallbackSecret,
  rotateCallbackSecret,
  takeSecretsKey,
} from "../../platform/storage/db/accounts/callback-secrets.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { insertVoice, setVoiceName, voiceRows } from "../../platform/storage/db/voices.ts";
import { resealVoices, VoiceSeals } from "../voices/voice-seals.ts";
import { SecretSealer } from "./secret-sealer.ts";

describe.skipIf(!hasPostgres)("secrets that change during a start (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let folder: string;
  let database: Database;
  let accountId: string;
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-reseal-"));
    database = await openDatabase(server.url, folder);
    accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
  });
  afterAll(async () => {
    await database?.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Begins `start` after `change`, which is committed when the start waits for it. */
  async function during(change: (transaction: Database) => Promise<unknown>, start: () => Promise<unknown>) {
    const started = await database.transaction().execute(async (transaction) => {
      await change(transaction);
      const running = start();
      const waiting = async () => (await sql`select 1 from pg_locks where not granted`.execute(database)).rows.length;
      await expect.poll(waiting).toBeGreaterThan(0);
      return { running };
    });
    await started.running;
  }

  test("a secret that is retired stays retired", async () => {
    const old = new SecretSealer("old");
    await takeSecretsKey(database, old);
    await callbackSecrets(database, accountId, old);
    const [current] = await rotateCallbackSecret(database, accountId, old);
    await during(
      (transaction) => retireCallbackSecret(transaction, accountId),
      () => takeSecretsKey(database, new SecretSealer("new", "old")),
    );
    expect(await callbackSecrets(database, accountId, new SecretSealer("new"))).toEqual([current]);
  });

  test("a voice that is renamed keeps its new name", async () => {
    const [old, both] = [new VoiceSeals("old"), new VoiceSeals("new", "old")];
    const id = uuid();
    const created_at = clientTime(new Date());
    await insertVoice(database, { id, account_id: accountId, name: old.seal("Ann"), created_at } as never);
    await during(
      (transaction) => setVoiceName(transaction, id, both.seal("Anna")),
      () => resealVoices(database, both),
    );
    const [voice] = await voiceRows(database, accountId);
    expect(new VoiceSeals("new").open(voice?.name ?? "")).toBe("Anna");
  });
});
