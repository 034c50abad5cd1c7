// parlance backup while the service works, and parlance restore: next to the original, in its place, of the database alone.
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

const run = promisify(execFile);

describe("backup and restore", () => {
  let place: string;
  let service: RunningService;
  let done: string;
  const at = (name: string) => path.join(place, name);
  const hello = readFileSync(HELLO_MP3);
  const environment = { PARLANCE_WORKERS: "1" };

  /** What the command prints to standard error when it fails. */
  const refused = async (folder: string, ...args: string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"] ?? "", PARLANCE_DATA_DIR: folder };
    const failure = await run(process.execPath, ["bin/parlance.js", ...args], { env }).catch((error) => error);
    expect(failure.code).toBe(1);
    expect(failure.stderr).not.toMatch(/\n\s+at /);
    return failure.stderr;
  };

  beforeAll(async () => {
    place = mkdtempSync(path.join(os.tmpdir(), "parlance-backup-"));
    service = await startService({ folder: at("data"), environment });
    await ready(service);
    done = await submit(service, hello, { custom_metadata: { kept: true } });
    expect((await finished(service, done)).status).toBe("done");
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  test("taken while jobs are created and deleted, it is whole: every row has its object", {
    timeout: 180_000,
  }, async () => {
    let isWorking = true;
    const created: string[] = [];
    const work = (async () => {
      while (isWorking) {
        const id = await submit(service, hello);
        await finished(service, id);
        if (created.length % 2 === 0)
          expect((await call(service, "DELETE", `/v2/pre-recorded/${id}`)).status).toBe(202);
        created.push(id);
      }
    })();
    const printed = await parlance(at("data"), "backup", at("backup"));
    isWorking = false;
    await work;
    expect(created.length).toBeGreaterThan(0);
    expect(printed).toMatch(/^The backup is in .*: \d+ jobs, \d+ recordings\.$/);
    expect(readdirSync(place).sort()).toEqual(["backup", "data"]);

    // Next to the original, which runs.
    expect(await parlance(at("second"), "restore", at("backup"))).toMatch(/^Restored \d+ jobs of /);
    const second = await startService({ folder: at("second"), environment });
    await ready(second);
    const { items } = (await call(second, "GET", "/v2/pre-recorded?limit=100")).json;
    expect(items.map(({ id }: { id: string }) => id)).toContain(done);
    for (const { id } of items) {
      const job = await finished(second, id);
      expect(job.status).toBe("done");
      expect(job.result.transcription.full_transcript).toMatch(/hello/i);
      expect((await call(second, "GET", `/v2/pre-recorded/${id}/file`)).status).toBe(200);
    }
    const fresh = await submit(second, hello);
    expect((await finished(second, fresh)).status).toBe("done");
    expect(second.log()).not.toMatch(/"level":"error"/);
    await second.stop();
    expect((await finished(service, done)).status).toBe("done");
  });

  test("a target that cannot take it is refused, and so is a folder that is no backup", async () => {
    mkdirSync(at("full"), { recursive: true });
    writeFileSync(at("full/file"), "other");
    expect(await refused(at("data"), "backup", at("full"))).toMatch(/full: it is not empty/);
    expect(await refused(at("data"), "backup", at("full/file"))).toMatch(/it is a file/);
    expect(await refused(at("data"), "backup", at("data/inside"))).toMatch(/it is inside the data folder/);
    expect(await refused(at("third"), "restore", at("full"))).toMatch(/is not a complete backup.*no backup\.json/);
    expect(await refused(at("data"), "restore", at("backup"))).toMatch(/is in use by process/);
    // A damaged backup changes nothing.
    cpSync(at("backup"), at("damaged"), { recursive: true });
    truncateSync(at("damaged/database/global/pg_control"), 100);
    expect(await refused(at("third"), "restore", at("damaged"))).toMatch(/is damaged: .*pg_control has 100 of/);
    expect(existsSync(at("third/database"))).toBe(false);
    expect(readdirSync(at("third"))).not.toContain("restore.unfinished");
  });

  test("a stopped service is backed up, too; a damaged database is replaced and newer objects stay", async () => {
    await service.stop();
    expect(await parlance(at("data"), "backup", at("stopped"))).toMatch(/jobs/);
    const results = readdirSync(at("data/objects/results"));
    const files = readdirSync(at("data/database/base"), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) truncateSync(path.join(file.parentPath, file.name), 10);
    truncateSync(at("data/database/global/pg_control"), 0);
    const start = await startService({ folder: at("data"), environment }).catch(String);
    expect(start).toMatch(
      /is damaged.*Recordings and transcripts .* were not changed.*parlance restore FOLDER --database-only/s,
    );
    const doctor = await run(process.execPath, ["bin/parlance.js", "doctor"], {
      env: { PATH: process.env["PATH"] ?? "", PARLANCE_DATA_DIR: at("data"), PARLANCE_PORT: "0" },
    }).catch((error) => error);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^NO {2}database +.*is damaged/m);
    expect(await refused(at("data"), "restore", at("stopped"))).toMatch(/already has database and objects.*--replace/);
    expect(await parlance(at("data"), "restore", at("stopped"), "--database-only", "--replace")).toMatch(
      /What was there is in .*replaced-/,
    );
    expect(readdirSync(at("data/objects/results"))).toEqual(results);
    service = await startService({ folder: at("data"), environment });
    expect((await finished(service, done)).result.transcription.full_transcript).toMatch(/hello/i);
    expect((await call(service, "GET", "/metrics")).text).toMatch(/^parlance_database_bytes [1-9]\d{6,}$/m);
  });
});
