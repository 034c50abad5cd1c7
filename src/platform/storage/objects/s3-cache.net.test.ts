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

  test("they are removed when nobody uses them, if the store has them", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const place = { ...server, region: "us-east-1", prefix: "some/place/", pathStyle: true };
    const store = new S3Store({ ...place, cache, cacheBytes: 10, disk: new Disk(false) });
    const fileOf = (key: string) => path.join(cache, key);
    try {
      for (const key of ["audio/old", "audio/used", "results/read"]) await store.put(key, "eleven bytes");
      const hour = new Date(Date.now() - 3_600_000);
      for (const key of ["audio/old", "audio/used", "results/read"]) utimesSync(fileOf(key), hour, hour);
      // The store was unavailable when the work ended.
      writeFileSync(await store.localPath("results/unkept"), "eleven bytes");
      await store.localPath("audio/used");
      await store.whileCopied("results/read", async () => {
        await vi.advanceTimersByTimeAsync(60_000);
        await vi.waitFor(() => expect(existsSync(fileOf("audio/old"))).toBe(false), { timeout: 20_000 });
        for (const key of ["audio/used", "results/read", "results/unkept"])
          expect(existsSync(fileOf(key)), key).toBe(true);
      });
      expect(await text(await store.read("audio/old"))).toBe("eleven bytes");
      await vi.advanceTimersByTimeAsync(60_000);
      await vi.waitFor(() => expect(existsSync(fileOf("results/read"))).toBe(false), { timeout: 20_000 });
      for (const key of ["audio/used", "results/unkept"]) expect(existsSync(fileOf(key)), key).toBe(true);
    } finally {
      vi.useRealTimers();
      await store.stop();
    }
  });
});
