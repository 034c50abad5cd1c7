// Uploads that resume over several machines: processes with folders of their own, PostgreSQL and an S3 server between.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { randomOf } from "../fixtures/random.ts";
import { wav } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { begin, offsetOf, openPatch, patch, storedBytes, tus } from "../fixtures/tus.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

const MEGABYTE = 1_000_000;
const PART = 8 * 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(!hasPostgres || !VERSITYGW)(
  "uploads over many machines (skipped without PostgreSQL and versitygw)",
  () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let s3: S3Server;
    let first: RunningService;
    let second: RunningService;
    let bytes: Buffer;
    const machines: RunningService[] = [];

    const start = async () => {
      const environment = { DATABASE_URL: postgres.url, ...s3.environment, PARLANCE_ROLES: "api" };
      const service = await startService({ environment });
      machines.push(service);
      return service;
    };
    const content = async (place: string, from: RunningService) => {
      const { upload } = (await call(from, "GET", place)).json;
      const address = new URL(new URL(upload.audio_url).pathname, from.base);
      return new Uint8Array(await (await fetch(address, { headers: { "x-service-key": TEST_KEY } })).arrayBuffer());
    };
    const left = (place: string) =>
      readdirSync(s3.folder, { recursive: true })
        .map(String)
        .filter((name) => name.includes(`uploads/${place.split("/").at(-1)}/`));

    beforeAll(async () => {
      [postgres, s3] = [await startPostgres(), await startS3()];
      [first, second] = [await start(), await start()];
      const random = randomOf(11);
      bytes = wav([Float32Array.from({ length: 13 * MEGABYTE }, () => random() / 10)]);
    }, 120_000);
    afterAll(async () => {
      for (const machine of machines) await machine.remove();
      await s3?.remove();
      postgres?.stop();
    });

    test("each piece reaches another machine", async () => {
      const place = await begin(first, bytes.length);
      const size = Math.ceil(bytes.length / 5);
      for (let offset = 0, at = 0; offset < bytes.length; offset += size, at++) {
        const machine = at % 2 === 0 ? second : first;
        const answer = await patch(machine, place, offset, bytes.subarray(offset, offset + size));
        expect(answer.status, answer.text).toBe(204);
      }
      for (const machine of [first, second]) expect(sha256(await content(place, machine))).toBe(sha256(bytes));
      expect(left(place)).toEqual([]);
    });

    test("a request that is silent on one machine does not hold an upload back on another one, and adds nothing afterwards", async () => {
      const place = await begin(first, bytes.length);
      const silent = openPatch(first, place, 0, bytes.length);
      await silent.send(bytes.subarray(0, 12 * MEGABYTE));
      await expect.poll(() => storedBytes(second, place)).toBe(PART);
      const offset = await offsetOf(second, place);
      expect(offset).toBe(PART);
      // The first machine stores what it had received, after the second has given the offset: it is not counted.
      silent.cut();
      const rest = await patch(second, place, offset, bytes.subarray(offset));
      expect(rest.status, rest.text).toBe(204);
      expect(sha256(await content(place, first))).toBe(sha256(bytes));
      await expect.poll(() => left(place)).toEqual([]);
    });

    test("a machine that is killed during a request loses at most a part; another one continues", async () => {
      const place = await begin(first, bytes.length);
      const doomed = await start();
      const open = openPatch(doomed, place, 0, bytes.length);
      await open.send(bytes.subarray(0, 20 * MEGABYTE));
      await expect.poll(() => storedBytes(first, place)).toBe(2 * PART);
      await doomed.kill();
      const offset = await offsetOf(second, place);
      expect(offset).toBe(2 * PART);
      expect((await patch(second, place, offset, bytes.subarray(offset))).status).toBe(204);
      expect(sha256(await content(place, second))).toBe(sha256(bytes));
    });

    test("two machines that report a complete upload at once make its file once", async () => {
      const place = await begin(first, bytes.length);
      const completed = async () => {
        const metrics = await Promise.all([first, second].map((machine) => call(machine, "GET", "/metrics")));
        const count = /^parlance_resumable_uploads_total\{outcome="complete"\} (\d+)/m;
        return metrics.reduce((sum, { text }) => sum + Number(count.exec(text)?.[1] ?? 0), 0);
      };
      const before = await completed();
      const last = patch(first, place, 0, bytes);
      const asked = async (machine: RunningService) => {
        for (;;) {
          const { headers } = await tus(machine, "HEAD", place);
          if (headers["parlance-audio-url"]) return sha256(await content(place, machine));
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
      await expect.poll(() => storedBytes(second, place), { timeout: 60_000 }).toBe(bytes.length);
      const hashes = await Promise.all([asked(first), asked(second)]);
      expect(hashes).toEqual([sha256(bytes), sha256(bytes)]);
      expect((await last).status).toBe(204);
      expect(await completed()).toBe(before + 1);
      expect(left(place)).toEqual([]);
    });
  },
);
