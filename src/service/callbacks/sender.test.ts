// Retries of callbacks on the embedded database, with a receiver that refuses each request.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { NO_TRACING } from "../../platform/observability/tracing.ts";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { statementTime } from "../../platform/storage/db/database-time.ts";
import { insertDeliveries } from "../../platform/storage/db/deliveries/deliveries.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { SecretSealer } from "./secret-sealer.ts";
import { CallbackSender, type SenderOptions } from "./sender.ts";

let folder: string;
let database: Database;
let accountId: string;
let sender: CallbackSender;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-sender-"));
  database = await openDatabase("", path.join(folder, "data"));
  accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
  sender = senderWith(async () => ({ status: 500, detail: "no" }));
  await sender.start();
});
const senderWith = (send: SenderOptions["send"]) =>
  new CallbackSender({
    database,
    resultOf: async () => "{}",
    send,
    timeoutSeconds: 5,
    firstRetrySeconds: 0.2,
    spanSeconds: 1.5,
    allowPrivateAddresses: true,
    isOnlyProcess: true,
    duties: { holds: async () => true },
    signals: { on: () => undefined },
    secrets: new SecretSealer("key"),
    tracing: NO_TRACING,
    logger: pino({ level: "silent" }),
  });
afterAll(async () => {
  await sender.stop();
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function jobWith(params: object, events: string[]): Promise<string> {
  const id = uuid();
  await insertJob(database, recordedJob(accountId, { id, params }));
  const deliveries = events.map((event, sequence) => ({ id: uuid(), sequence, event, payload: "{}" }));
  await insertDeliveries(
    database,
    { jobId: id, url: "http://127.0.0.1:9/", method: "POST" },
    deliveries,
    statementTime,
  );
  sender.wake();
  return id;
}

const deliveriesOf = (job: string) =>
  database.selectFrom("deliveries").selectAll().where("job_id", "=", job).orderBy("sequence").execute();

async function ended(job: string) {
  await expect.poll(async () => (await deliveriesOf(job)).map(({ status }) => status)).not.toContain("pending");
  return deliveriesOf(job);
}

test("a callback that waited for a failing one of its job has as many retries", async () => {
  const [first, second] = await ended(await jobWith({}, ["live.start_session", "live.end_session"]));
  expect(first).toMatchObject({ status: "failed" });
  expect(second).toMatchObject({ status: "failed" });
  expect(first?.attempts).toBeGreaterThan(1);
  expect(second?.attempts).toBeGreaterThan(1);
});

test("a webhook whose header no key opens fails after its retries, with the reason", async () => {
  const webhook = { name: "X-Key", value: new SecretSealer("lost").seal("open sesame") };
  const form = { punctuates: true, formats: true, multichannel: false };
  const job = await jobWith({ assemblyai: { form, shown: {}, webhook } }, ["transcript.completed"]);
  const [delivery] = await ended(job);
  expect(delivery).toMatchObject({ status: "failed" });
  const attempts = await database
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "=", delivery?.id as string)
    .execute();
  expect(attempts.length).toBeGreaterThan(1);
  for (const attempt of attempts) {
    expect(attempt.response_status).toBeNull();
    expect(attempt.detail).toContain("webhook_auth_header_value");
    expect(attempt.detail).toContain("PARLANCE_SECRETS_KEY");
  }
});

test("a sender that drains leaves new callbacks to other processes", async () => {
  sender.drain();
  const job = await jobWith({}, ["live.start_session"]);
  const other = senderWith(async () => ({ status: 200, detail: "ok" }));
  try {
    await other.start();
    const [delivery] = await ended(job);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 1 });
  } finally {
    await other.stop();
  }
});
