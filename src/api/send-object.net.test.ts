// Downloads from a bucket whose addresses clients receive (PARLANCE_S3_REDIRECT).
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3, VERSITYGW } from "../../test/fixtures/s3.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { ParlanceError } from "../platform/errors.ts";
import type { DatabaseTime } from "../platform/storage/db/database-time.ts";
import { Disk } from "../platform/storage/disk/disk.ts";
import { S3Store } from "../platform/storage/objects/s3-store.ts";
import { sendRecording } from "./send-object.ts";

describe.skipIf(!VERSITYGW)("downloads with PARLANCE_S3_REDIRECT (skipped without versitygw)", () => {
  let server: S3Server;
  let objects: S3Store;
  let app: FastifyInstance;
  const cache = mkdtempSync(path.join(os.tmpdir(), "parlance-redirect-"));
  const files = {
    whole: { object_key: "audio/whole", filename: "a.wav", size: 7, audio_deleted_at: null },
    missing: { object_key: "audio/missing", filename: "a.wav", size: 7, audio_deleted_at: null },
    deleted: { object_key: "audio/whole", filename: "a.wav", size: 7, audio_deleted_at: new Date() as DatabaseTime },
    damaged: { object_key: "audio/whole", filename: "a.wav", size: 8, audio_deleted_at: null },
  };

  beforeAll(async () => {
    server = await startS3();
    const place = { ...server, region: "us-east-1", prefix: "", pathStyle: true };
    objects = new S3Store({ ...place, cache, cacheBytes: 1e9, disk: new Disk(false) });
    await objects.put("audio/whole", "content");
    const settings = loadSettings({ PARLANCE_S3_REDIRECT: "true" });
    app = Fastify({ exposeHeadRoutes: true });
    app.setErrorHandler((error: ParlanceError, _, reply) => reply.code(error.status ?? 500).send({}));
    app.get<{ Params: { name: keyof typeof files } }>("/:name", (request, reply) =>
      sendRecording(request, reply, files[request.params.name], { objects, settings }),
    );
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    await objects.stop();
    await server.remove();
    rmSync(cache, { recursive: true });
  });

  const statusOf = async (name: string) => (await app.inject({ method: "GET", url: `/${name}` })).statusCode;

  test("a recording is sent by the store", async () => {
    const { statusCode, headers } = await app.inject({ method: "GET", url: "/whole" });
    expect(statusCode).toBe(302);
    expect(await (await fetch(headers.location as string)).text()).toBe("content");
  });

  test("a recording that is missing, deleted or damaged is no address of the store", async () => {
    expect([await statusOf("missing"), await statusOf("deleted"), await statusOf("damaged")]).toEqual([404, 404, 500]);
  });

  test("HEAD is answered without an address, which is valid for GET alone", async () => {
    const { statusCode, headers } = await app.inject({ method: "HEAD", url: "/whole" });
    expect([statusCode, headers["content-length"], headers["accept-ranges"]]).toEqual([200, "7", "bytes"]);
    const part = await app.inject({ method: "HEAD", url: "/whole", headers: { range: "bytes=2-4" } });
    expect([part.statusCode, part.headers["content-length"]]).toEqual([206, "3"]);
  });
});
