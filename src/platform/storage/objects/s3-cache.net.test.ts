// Copies of objects on this machine: those beyond the limit go, but none that is in use or not stored yet.
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3, VERSITYGW } from "../../../../test/fixtures/s3.ts";
import { Disk } from "../disk/disk.ts";
import { S3Store } from "./s3-store.ts";

describe.skipIf(!VERSITYGW)("copies beyond the limit (skipped without versitygw)", () => {
  let server: S3Server;
  const cache = mkdtempSync(path.join(os.tmpdir(), "parlance-s3-cache-"));
  beforeAll(async () => {
    server = await startS3();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(cache, { recursive: true });
  });

  test("they are removed some minutes after their last use, if the store has them", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const place = { ...server, region: "us-east-1", prefix: "some/place/", pathStyle: true };
    const store = new S3Store({ ...place, cache, cacheBytes: 10, disk: new Disk(false) });
    const fileOf = (key: string) => path.join(cache, key);
    const lastUsed = (key: string, minutes: number) => {
      const time = new Date(Date.now() - minutes * 60_000);
      utimesSync(fileOf(key), time, time);
    };
    try {
      for (const key of ["audio/old", "audio/used", "results/young"]) await store.put(key, "eleven bytes");
      // The store was unavailable when the work ended.
      writeFileSync(await store.localPath("results/unkept"), "eleven bytes");
      for (const key of ["audio/old", "audio/used", "results/unkept"]) lastUsed(key, 11);
      lastUsed("results/young", 9);
      await store.localPath("audio/used");
      await vi.advanceTimersByTimeAsync(60_000);
      await vi.waitFor(() => expect(existsSync(fileOf("audio/old"))).toBe(false), { timeout: 20_000 });
      for (const key of ["audio/used", "results/young", "results/unkept"]) expect(existsSync(fileOf(key))).toBe(true);
      expect(await text(await store.read("audio/old"))).toBe("eleven bytes");
    } finally {
      vi.useRealTimers();
      await store.stop();
    }
  });
});
