// Processes on one database with an object store each: a copied compose file, a second machine without S3.
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlanceWith } from "../fixtures/parlance.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

const OTHER_STORE = /in another object store than the folder .*PARLANCE_S3_BUCKET.*parlance store adopt/;

describe.skipIf(!hasPostgres)("one database and two object stores (skipped without PostgreSQL)", () => {
  let postgres: PostgresServer;
  let service: RunningService;
  let environment: Record<string, string>;
  let second: string;
  let done: string;

  const findings = async (folder: string): Promise<{ what: string; level: string; detail: string }[]> => {
    const settings = { ...environment, PARLANCE_DATA_DIR: folder, PARLANCE_PORT: "0" };
    const output = await parlanceWith(settings, "doctor", "--json").catch((error: { stdout: string }) => error.stdout);
    return JSON.parse(output).findings;
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    environment = { DATABASE_URL: postgres.url };
    second = mkdtempSync(path.join(os.tmpdir(), "parlance-second-"));
    service = await startService({ environment: { ...environment, PARLANCE_WORKERS: "1" } });
    await ready(service);
    done = await submit(service, readFileSync(HELLO_MP3));
    expect((await finished(service, done)).status).toBe("done");
  });
  afterAll(async () => {
    await service?.remove();
    postgres?.stop();
    rmSync(second, { recursive: true, force: true });
  });

  test("a process with an empty folder does not start, and doctor names the problem", async () => {
    const start = await startService({ folder: second, environment }).catch(String);
    expect(start).toMatch(OTHER_STORE);
    expect(start).not.toMatch(/\n\s+at /);
    expect(existsSync(path.join(second, "objects", "store-identity"))).toBe(false);
    expect(await findings(second)).toContainEqual({
      what: "object store",
      level: "bad",
      detail: expect.stringMatching(OTHER_STORE),
    });
    expect((await finished(service, done)).status).toBe("done");
  });

  test("a folder that is out of reach: no job is claimed until it is back", async () => {
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    const [objects, away] = [path.join(service.folder, "objects"), path.join(service.folder, "away")];
    renameSync(objects, away);
    // What an earlier look found counts for a second.
    await pause(1_500);
    const { id } = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } })).json;
    await expect.poll(() => service.log()).toMatch(/out of reach; no job is claimed/);
    expect((await call(service, "GET", `/v2/pre-recorded/${id}`)).json.status).toBe("queued");
    rmSync(objects, { recursive: true, force: true });
    renameSync(away, objects);
    expect((await finished(service, id)).status).toBe("done");
  });

  test("objects that were moved are adopted; the same identity in another folder is accepted", async () => {
    await service.stop();
    cpSync(path.join(service.folder, "objects"), path.join(second, "objects"), { recursive: true });
    rmSync(path.join(second, "objects", "store-identity"));
    // Without its identity, the store is recognised by its recordings.
    const moved = await startService({ folder: second, environment });
    expect((await finished(moved, done)).result.transcription.full_transcript).toMatch(/hello/i);
    await moved.stop();
    const third = mkdtempSync(path.join(os.tmpdir(), "parlance-third-"));
    await expect(startService({ folder: third, environment })).rejects.toThrow(OTHER_STORE);
    await parlanceWith({ ...environment, PARLANCE_DATA_DIR: third }, "store", "adopt");
    const adopted = await startService({ folder: third, environment });
    await adopted.remove();
    await expect(startService({ folder: second, environment })).rejects.toThrow(OTHER_STORE);
  });
});
