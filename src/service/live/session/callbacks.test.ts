import { pino } from "pino";
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { NewDelivery } from "../../../platform/storage/db/deliveries/deliveries.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import { LiveCallbacks, type StoreDeliveries } from "./callbacks.ts";

const TARGET = { jobId: "job", url: "http://localhost/", method: "POST" };
const SUBSCRIPTION = new Set(["lifecycle"] as const);
const AT = "2026-01-01T00:00:00.000Z";

function callbacks(store: StoreDeliveries) {
  return new LiveCallbacks(TARGET, SUBSCRIPTION, RECORD_FORMAT, store, pino({ level: "silent" }));
}
const add = (to: LiveCallbacks, sequence: number) =>
  to.add(sequence, { sessionId: "id", at: AT, event: { kind: "recordingStarted" } });

test("a callback that the database rejects does not block the others, and is not retried forever", async () => {
  const stored: number[] = [];
  const refused = callbacks(async (_, deliveries: NewDelivery[]) => {
    if (deliveries.some(({ sequence }) => sequence === 2)) throw new Error("value is out of range for type bigint");
    stored.push(...deliveries.map(({ sequence }) => sequence));
  });
  for (const sequence of [1, 2, 3]) add(refused, sequence);
  await refused.settled();
  expect(stored).toEqual([1, 3]);
});

test("callbacks wait while the database does not answer", async () => {
  const stored: number[] = [];
  let isAway = true;
  const away = callbacks(async (_, deliveries) => {
    if (isAway) throw errors.databaseUnavailable(undefined);
    stored.push(...deliveries.map(({ sequence }) => sequence));
  });
  add(away, 1);
  setTimeout(() => {
    isAway = false;
  }, 100);
  await away.settled();
  expect(stored).toEqual([1]);
});

test("more than 20,000 waiting callbacks apply back-pressure, until half of them are stored or the session stops", async () => {
  let release = () => {};
  const slow = callbacks(() => new Promise((resolve) => (release = resolve)));
  for (let sequence = 0; sequence <= 20_000; sequence++) add(slow, sequence);
  expect(slow.hasRoom).toBe(false);
  const room = slow.room();
  slow.stop();
  await room;
  expect(slow.hasRoom).toBe(true);
  release();
  const fast = callbacks(async () => undefined);
  for (let sequence = 0; sequence <= 20_000; sequence++) add(fast, sequence);
  await fast.room();
  expect(fast.hasRoom).toBe(true);
});
