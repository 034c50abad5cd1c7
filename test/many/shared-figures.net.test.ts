// What several processes count together: requests a second of an account, and the figures of the whole fleet.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlanceWith } from "../fixtures/parlance.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

const RATE = 20;
/** A tenth of a second's worth, which each process may have leased (service/accounts/request-rate.ts). */
const LEASE = RATE / 10;
const SENDING_MILLISECONDS = 3_000;
const SENDERS = 8;

describe.skipIf(!hasPostgres || !VERSITYGW)(
  "two processes that answer requests (skipped without PostgreSQL and versitygw)",
  () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let s3: S3Server;
    const processes: RunningService[] = [];
    beforeAll(async () => {
      [postgres, s3] = [await startPostgres(), await startS3()];
      for (let count = 0; count < 2; count++) {
        const environment = {
          DATABASE_URL: postgres.url,
          ...s3.environment,
          PARLANCE_ROLES: "api",
          PARLANCE_ACCOUNT_REQUESTS_PER_SECOND: String(RATE),
        };
        const service = await startService({ environment });
        processes.push(service);
        await ready(service);
      }
    });
    afterAll(async () => {
      for (const one of processes) await one.remove();
      await s3?.remove();
      postgres?.stop();
    });

    test("together they allow an account no more requests than its limit, and no fewer", async () => {
      const own = (...words: string[]) => parlanceWith({ DATABASE_URL: postgres.url }, ...words);
      await own("accounts", "create", "busy");
      const key = await own("keys", "create", "--account", "busy");
      const statuses: number[] = [];
      const began = performance.now();
      const send = async (index: number) => {
        const service = processes[index % processes.length] as RunningService;
        while (performance.now() - began < SENDING_MILLISECONDS) {
          statuses.push((await call(service, "GET", "/v2/account", { key })).status);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, (_, index) => send(index)));
      const seconds = (performance.now() - began) / 1000;
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      const allowed = statuses.filter((status) => status === 200).length;
      // A second's worth at once, and what is due meanwhile.
      expect(allowed).toBeLessThanOrEqual(RATE + Math.ceil(seconds * RATE) + processes.length * LEASE);
      // Slow senders do not use the whole limit.
      expect(allowed).toBeGreaterThanOrEqual(Math.min((SENDING_MILLISECONDS / 1000) * RATE, statuses.length / 3));
    });

    test("one of them reports the size of the queue, and after it stops, the other one", async () => {
      const reports = async (one: RunningService) =>
        (await call(one, "GET", "/metrics")).text.includes("\nparlance_jobs_unfinished{");
      const before = [await reports(processes[0] as RunningService), await reports(processes[1] as RunningService)];
      expect(before.filter(Boolean)).toHaveLength(1);
      const [holder, other] = before[0] ? processes : [...processes].reverse();
      expect(await reports(holder as RunningService)).toBe(true);
      await (holder as RunningService).stop();
      await expect.poll(() => reports(other as RunningService)).toBe(true);
    });
  },
);
