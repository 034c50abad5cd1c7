import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { callbackSecrets, takeSecretsKey } from "../../platform/storage/db/accounts/callback-secrets.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { deploymentFact } from "../../platform/storage/db/deployment.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { SecretSealer } from "../callbacks/secret-sealer.ts";
import { ClientSecrets } from "./client-secrets.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const CONFIGURATION = { audio: { input: { turn_detection: null } } };
const sealer = new SecretSealer("a key of the operator");
let folder: string;
let database: Database;
let account: Account;
let now = NOW;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-client-secrets-"));
  database = await openDatabase("", folder, new Disk(false));
  account = await ensureAccount(
    database,
    { id: "01900000-0000-7000-8000-000000000001", name: "one" },
    clientTime(new Date(NOW)),
  );
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const secrets = (keeper = sealer) => new ClientSecrets(database, keeper, () => now);

test("a secret opens its account with its configuration, until it expires", async () => {
  now = NOW;
  const made = await secrets().make(account.id, null, 60, CONFIGURATION);
  expect(made?.expiresAt).toBe(NOW / 1000 + 60);
  const value = made?.value ?? "";
  expect(await secrets().open(value)).toMatchObject({ account: { id: account.id }, configuration: CONFIGURATION });
  expect(await secrets().open(`${value}x`)).toBeUndefined();
  now = NOW + 60_000;
  expect(await secrets().open(value)).toBeUndefined();
});

test("neither the callback secret of the account nor any other key makes one", async () => {
  now = NOW;
  const payload = (until: number) =>
    Buffer.from(JSON.stringify({ account: account.id, key: null, until, configuration: {} })).toString("base64url");
  for (const key of [...(await callbackSecrets(database, account.id, sealer)), "", "a key of the operator"]) {
    for (const purpose of ["", "parlance client secret\0"]) {
      const text = payload(NOW + 60_000);
      const signature = createHmac("sha256", key).update(`${purpose}${text}`).digest("base64url");
      expect(await secrets().open(`ek_${text}.${signature}`)).toBeUndefined();
    }
  }
});

test("a process with another key opens and makes no secrets, and leaves the key of the deployment as it is", async () => {
  now = NOW;
  await takeSecretsKey(database, sealer);
  await callbackSecrets(database, account.id, sealer);
  const made = (await secrets().make(account.id, null, 60, {}))?.value ?? "";
  for (const wrong of [new SecretSealer("a mistyped key"), new SecretSealer("")]) {
    expect(await secrets(wrong).open(made)).toBeUndefined();
    await expect(secrets(wrong).make(account.id, null, 60, {})).rejects.toMatchObject({
      code: "callbacks.secrets_locked",
    });
  }
  expect(await secrets().open(made)).toBeDefined();
});

test("after a change of the operator's key, secrets stay valid; after its loss, new ones work", async () => {
  now = NOW;
  const former = (await secrets().make(account.id, null, 60, {}))?.value ?? "";
  const other = new SecretSealer("another key of the operator");
  await takeSecretsKey(database, new SecretSealer("another key of the operator", "a key of the operator"));
  expect(await secrets(other).open(former)).toBeDefined();
  const lost = new SecretSealer("a key after the loss");
  await database.updateTable("accounts").set({ callback_secret: null, previous_callback_secret: null }).execute();
  await takeSecretsKey(database, lost);
  expect(await secrets(lost).open(former)).toBeUndefined();
  const made = (await secrets(lost).make(account.id, null, 60, {}))?.value ?? "";
  expect(await secrets(lost).open(made)).toBeDefined();
  await takeSecretsKey(database, new SecretSealer("", "a key after the loss"));
});

test("a key that was stored without a key of the operator is sealed when there is one", async () => {
  now = NOW;
  const former = (await secrets(new SecretSealer("")).make(account.id, null, 60, {}))?.value ?? "";
  const stored = () => deploymentFact(database, "client_secret_key");
  const plain = await stored();
  expect(await secrets(sealer).open(former)).toBeDefined();
  expect(await stored()).not.toBe(plain);
  expect(await secrets(sealer).open(former)).toBeDefined();
});
