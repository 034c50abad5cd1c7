import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { Disk } from "../disk/disk.ts";
import { S3Store } from "./s3-store.ts";

test("the store starts without a warning about the version of Node", async () => {
  const cache = mkdtempSync(path.join(os.tmpdir(), "parlance-s3-"));
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on("warning", note);
  const options = { endpoint: "http://127.0.0.1:9", region: "none", bucket: "none", prefix: "", pathStyle: true };
  const keys = { accessKeyId: "id", secretAccessKey: "secret" };
  const store = new S3Store({ ...options, ...keys, cache, cacheBytes: 1_000_000, disk: new Disk(false) });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  await store.stop();
  rmSync(cache, { recursive: true });
  expect(warnings).toEqual([]);
});
