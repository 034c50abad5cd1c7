// PARLANCE_SECRETS_KEY is lost, mistyped or changed: what is reported, what waits, and how the operator continues.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ensureAccount } from "../../src/platform/storage/db/accounts/accounts.ts";
import {
  callbackSecrets,
  retireCallbackSecret,
  rotateCallbackSecret,
  secretsState,
  takeSecretsKey,
} from "../../src/platform/storage/db/accounts/callback-secrets.ts";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { SecretSealer } from "../../src/service/callbacks/secret-sealer.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, ready, startService, submit } from "../service.ts";

const SECRET = "/v2/account/callback-secret";
const FIRST = "00000000-0000-7000-8000-000000000001";
const SECOND = "00000000-0000-7000-8000-000000000002";

describe("keys and stored secrets", () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-secrets-"));
    database = await openDatabase("", folder, new Disk(false));
    for (const id of [FIRST, SECOND]) await ensureAccount(database, { id, name: id }, clientTime(new Date()));
  });
  afterEach(async () => {
    await database.updateTable("accounts").set({ callback_secret: null, previous_callback_secret: null }).execute();
    await database.deleteFrom("deployment").execute();
  });
  afterAll(async () => {
    await database.destroy();
    rmSync(folder, { recursive: true });
  });
  const right = new SecretSealer("right");
  const mistyped = new SecretSealer("rihgt");
  const good = { locked: [], isKeyKnown: true };

  test("a mistyped key is reported, opens nothing and makes no first secret", async () => {
    expect(await takeSecretsKey(database, right)).toEqual(good);
    const [secret] = await callbackSecrets(database, FIRST, right);
    for (const wrong of [mistyped, new SecretSealer("")]) {
      expect(await takeSecretsKey(database, wrong)).toEqual({ locked: [FIRST], isKeyKnown: false });
      for (const id of [FIRST, SECOND]) {
        await expect(callbackSecrets(database, id, wrong)).rejects.toMatchObject({ code: "callbacks.secrets_locked" });
      }
    }
    expect(await takeSecretsKey(database, right)).toEqual(good);
    expect(await callbackSecrets(database, FIRST, right)).toEqual([secret]);
  });

  test("a mistyped key is recognised before any secret depends on the right one", async () => {
    await takeSecretsKey(database, right);
    expect(await secretsState(database, mistyped)).toEqual({ locked: [], isKeyKnown: false });
  });

  test("a database of an earlier version has no canary: its secrets show whether the key is right", async () => {
    await database.updateTable("accounts").set({ callback_secret: right.make() }).where("id", "=", FIRST).execute();
    expect(await takeSecretsKey(database, mistyped)).toEqual({ locked: [FIRST], isKeyKnown: false });
    expect(await takeSecretsKey(database, right)).toEqual(good);
    expect(await secretsState(database, right)).toEqual(good);
  });

  test("the lost key: a rotation drops the former secret; when no secret depends on it, the new key is that of the deployment", async () => {
    await takeSecretsKey(database, right);
    await callbackSecrets(database, FIRST, right);
    const other = new SecretSealer("other");
    const rotated = await rotateCallbackSecret(database, FIRST, other);
    expect(rotated).toHaveLength(1);
    expect(await callbackSecrets(database, SECOND, other)).toHaveLength(1);
    expect(await secretsState(database, other)).toEqual(good);
    const again = await rotateCallbackSecret(database, FIRST, other);
    expect(again[1]).toBe(rotated[0]);
  });

  test("a rotation that is repeated, also at the same time, drops no secret that signs", async () => {
    await takeSecretsKey(database, right);
    const [first] = await callbackSecrets(database, FIRST, right);
    const rotated = await Promise.all([1, 2].map(() => rotateCallbackSecret(database, FIRST, right)));
    rotated.push(await rotateCallbackSecret(database, FIRST, right));
    for (const secrets of rotated) expect(secrets).toEqual([rotated[0]?.[0], first]);
    expect(rotated[0]?.[0]).not.toBe(first);
    // Long after, the secret that receives the next one is the current one.
    await sql`update accounts set callback_secret_at = now() - interval '1 hour'`.execute(database);
    const [second] = rotated[0] as string[];
    expect((await rotateCallbackSecret(database, FIRST, right))[1]).toBe(second);
  });

  test("old and new key together: all secrets are sealed with the new one", async () => {
    await takeSecretsKey(database, right);
    for (const id of [FIRST, SECOND]) await callbackSecrets(database, id, right);
    const secrets = await rotateCallbackSecret(database, SECOND, right);
    await takeSecretsKey(database, new SecretSealer("new", "right"));
    const renewed = new SecretSealer("new");
    expect(await takeSecretsKey(database, renewed)).toEqual(good);
    expect(await callbackSecrets(database, SECOND, renewed)).toEqual(secrets);
    expect(await secretsState(database, right)).toMatchObject({ isKeyKnown: false });
    // Without a key, secrets are stored as they are.
    await takeSecretsKey(database, new SecretSealer("", "new"));
    expect(await takeSecretsKey(database, new SecretSealer(""))).toEqual(good);
    expect(await callbackSecrets(database, SECOND, new SecretSealer(""))).toEqual(secrets);
    await retireCallbackSecret(database, SECOND);
    expect(await callbackSecrets(database, SECOND, new SecretSealer(""))).toEqual(secrets.slice(0, 1));
  });
});

test("the service with the wrong key: callbacks wait, rotation works, the waiting ones are sent", {
  timeout: 240_000,
}, async () => {
  const receiver = await Receiver.start();
  const environment = { PARLANCE_WORKERS: "1" };
  let service = await startService({ environment: { ...environment, PARLANCE_SECRETS_KEY: "the right key" } });
  const { folder } = service;
  try {
    expect((await call(service, "GET", SECRET)).status).toBe(200);
    expect(service.log()).not.toMatch(/SECRETS_KEY/);
    await service.stop();
    service = await startService({ folder, environment });
    expect(service.log()).toMatch(/"level":"error".*PARLANCE_SECRETS_KEY is not set, but a key is needed.*default/);
    await ready(service);
    const callback = { callback: true, callback_config: { url: receiver.url } };
    const id = await submit(service, readFileSync(HELLO_MP3), callback);
    expect((await finished(service, id)).status).toBe("done");
    const locked = await call(service, "GET", SECRET);
    expect(locked.status).toBe(503);
    expect(locked.json.message).toMatch(/POST \/v2\/account\/callback-secret/);
    const rotated = await call(service, "POST", SECRET);
    expect(rotated.status).toBe(201);
    expect(rotated.json.previous_secret).toBeNull();
    await receiver.until(() => receiver.of(id).length > 0);
    const [request] = receiver.of(id);
    const headers = request?.headers as unknown as Record<string, string>;
    expect(new Webhook(rotated.json.secret).verify(request?.text ?? "", headers)).toMatchObject({ id });
  } finally {
    await service.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
