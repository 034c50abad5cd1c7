// The disk is full: the service refuses new work and says what to do. Accepted work is neither lost nor damaged, and continues when there
// is room again. The test mounts a small disk, which requires root on Linux; it is skipped elsewhere.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { constantFlac } from "../fixtures/constant-flac.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

const DISK_MEGABYTES = 400;
const RESERVE_BYTES = 40_000_000;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-disk-"));
const canMount = (() => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MEGABYTES}m,mode=0777`, "tmpfs", folder], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
})();

const ballast = path.join(folder, "ballast");
const freeBytes = () => Number(execFileSync("df", ["--output=avail", "-B1", folder]).toString().split("\n")[1]);
/** Leaves so many bytes free. */
function fill(left: number): void {
  rmSync(ballast, { force: true });
  const size = Math.max(0, freeBytes() - left);
  for (let at = 0, chunk = Buffer.alloc(1_000_000); at < size; at += chunk.length) {
    try {
      writeFileSync(ballast, chunk.subarray(0, Math.min(chunk.length, size - at)), { flag: "a" });
    } catch {
      // The service writes, too: then it is full already.
      return;
    }
  }
}
const makeRoom = () => {
  truncateSync(ballast);
  return new Promise((resolve) => setTimeout(resolve, 400));
};

describe.skipIf(!canMount)("a full disk (skipped where no disk can be mounted)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      folder: path.join(folder, "data"),
      environment: { PARLANCE_RESERVE_BYTES: String(RESERVE_BYTES), PARLANCE_WORKERS: "1" },
    });
    await ready(service);
  });
  afterAll(async () => {
    await service?.stop();
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("new work is answered 507 with what to do; everything that only reads is answered", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3));
    await finished(service, id);
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    fill(RESERVE_BYTES / 2);
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const refused of [
      await upload(service, readFileSync(HELLO_MP3)),
      await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } }),
      await call(service, "POST", "/v2/live", { body: {} }),
    ]) {
      expect(refused.status).toBe(507);
      expect(refused.json.message).toMatch(/PARLANCE_AUDIO_RETENTION_DAYS/);
      expect(refused.text).not.toContain(service.folder);
      expect(refused.headers.get("retry-after")).toBe("60");
    }
    expect((await finished(service, id)).status).toBe("done");
    expect((await call(service, "GET", "/v2/transcription")).status).toBe(200);
    // Deleting makes room, so it must work.
    expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
    await makeRoom();
    expect((await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } })).status).toBe(201);
  });

  test("a recording that takes more room than the disk has ends as an error, and others are served", {
    timeout: 200_000,
  }, async () => {
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    const before = freeBytes();
    // 50 kB, of which 640 MB of samples are made.
    const id = await submit(service, constantFlac(20_000));
    const other: { id?: string } = {};
    // New work is refused for the moments in which the disk is nearly full.
    await expect
      .poll(
        async () => {
          const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
          other.id = created.json.id;
          return created.status;
        },
        { timeout: 30_000 },
      )
      .toBe(201);
    expect((await finished(service, other.id as string)).status).toBe("done");
    const job = await finished(service, id, 120_000);
    expect(job).toMatchObject({ status: "error", error_code: 507 });
    expect(job.error_message).toMatch(/takes more room on the disk/);
    expect((await call(service, "GET", `/v2/transcription/${id}/peaks`)).status).toBe(507);
    // The folder of working files is removed after the end of the job is stored.
    await expect.poll(() => readdirSync(path.join(folder, "data", "objects", "jobs"))).not.toContain(id);
    await expect.poll(freeBytes).toBeGreaterThan(before - 20_000_000);
    expect(service.log()).not.toMatch(/ENOSPC/);
  });

  test("an upload that fills the disk is refused, leaves nothing behind, and the connection stays usable", async () => {
    fill(RESERVE_BYTES + 20_000_000);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const before = freeBytes();
    const large = await upload(service, new Uint8Array(RESERVE_BYTES + 60_000_000));
    expect(large.status).toBe(507);
    await expect.poll(freeBytes).toBeGreaterThan(before - 8_000_000);
    await makeRoom();
    expect((await upload(service, readFileSync(HELLO_MP3))).status).toBe(200);
  });

  test("a live session waits for space and resumes: acknowledged audio is recognised once, without a gap", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const client = await LiveClient.connect(session.url);
    const speech = encodePcm([await decodeSpeech()]);
    const pause = Buffer.alloc(32_000);
    client.send(Buffer.concat([speech, pause]));
    await client.message(({ type, data }) => type === "transcript" && data.is_final);
    fill(1_000_000);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const acknowledged = client.acknowledged;
    client.send(Buffer.concat([speech, pause]));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(client.acknowledged).toBe(acknowledged);
    await makeRoom();
    client.stop();
    await client.closed;
    expect(client.finals()).toHaveLength(2);
    expect(client.acknowledged).toBe(2 * (speech.length + pause.length));
    expect((await finished(service, session.id)).result.transcription.utterances).toHaveLength(2);
  });

  test("a job that meets a full disk waits and is done when there is room; so does one over a restart", async () => {
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    fill(RESERVE_BYTES + 2_000_000);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
    expect(created.status).toBe(201);
    fill(0);
    await service.kill();
    await makeRoom();
    service = await startService({
      folder: path.join(folder, "data"),
      environment: { PARLANCE_RESERVE_BYTES: String(RESERVE_BYTES), PARLANCE_WORKERS: "1" },
    });
    await ready(service);
    const job = await finished(service, created.json.id);
    expect(job.status).toBe("done");
    expect(job.result.transcription.full_transcript).toMatch(/hello/i);
  });
});
