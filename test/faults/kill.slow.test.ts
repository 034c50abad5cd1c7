// The process is killed with -9 while jobs run, at every moment. Every accepted job ends once, with the same text as
// an undisturbed run, and stages that were kept are not repeated.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killChildren } from "../fixtures/processes.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

const debug = { PARLANCE_LOG_LEVEL: "debug" };

let folder: string;
let speech: Float32Array;
/** The tests kill it and start it again on its folder; the next test uses it as it is. */
let service: RunningService;

async function killAndStart(): Promise<void> {
  await service.kill();
  service = await startService({ folder, environment: debug });
}

beforeAll(async () => {
  speech = await decodeSpeech();
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-kill-"));
  service = await startService({ folder, environment: debug });
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Speech of that many times 2.5 seconds. */
const speechOf = (times: number) => wav([repeated(speech, times, 0.3)]);

/** Stages of a job that a process has logged. */
function stages(job: string, message: "stage starts" | "stage kept"): string[] {
  const lines = service
    .log()
    .split("\n")
    // The last line may be incomplete.
    .slice(0, -1)
    .filter((line) => line.startsWith("{"));
  return lines
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.job === job && entry.msg === message)
    .map((entry) => entry.stage);
}

test("a job continues after a kill at any moment and ends once", { timeout: 300_000 }, async () => {
  const { json: uploaded } = await upload(service, speechOf(12));
  const create = async () =>
    (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.audio_url } })).json.id as string;
  const undisturbed = await finished(service, await create());
  const killedIn = new Set<string>();
  for (const delay of isThorough ? [0, 50, 150, 300, 600, 1_000] : [0, 150, 600]) {
    const id = await create();
    await new Promise((resolve) => setTimeout(resolve, delay));
    killedIn.add(stages(id, "stage starts").at(-1) ?? "queued");
    await killAndStart();
    const job = await finished(service, id);
    expect(job.status).toBe("done");
    expect(job.result.transcription).toEqual(undisturbed.result.transcription);
  }
  // A job that had ended before the kills is as it was.
  expect(await finished(service, undisturbed.id)).toEqual(undisturbed);
  expect(killedIn.size).toBeGreaterThan(1);
});

test("a stage that was kept is not repeated after a kill", { timeout: 300_000 }, async () => {
  // Long enough that the output of recognition is stored, and that diarization still runs when the process is killed.
  const id = await submit(service, speechOf(80), { diarization: true });
  await expect.poll(() => stages(id, "stage kept"), { timeout: 60_000, interval: 20 }).not.toEqual([]);
  const [begun, last] = [stages(id, "stage starts"), stages(id, "stage kept").at(-1) as string];
  await killAndStart();
  expect((await finished(service, id, 200_000)).status).toBe("done");
  const begunAgain = stages(id, "stage starts");
  const kept = begun.slice(0, begun.indexOf(last) + 1);
  expect(kept.length).toBeGreaterThan(0);
  for (const stage of kept) expect(begunAgain).not.toContain(stage);
  expect(begunAgain).toContain("speakers");
});

test("a flood of jobs survives repeated kills: accepted and ended are the same", { timeout: 300_000 }, async () => {
  const { json: uploaded } = await upload(service, readFileSync(HELLO_MP3));
  const ids: string[] = [];
  for (let round = 0; round < (isThorough ? 3 : 2); round++) {
    for (let count = 0; count < 8; count++) {
      ids.push((await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.audio_url } })).json.id);
    }
    await new Promise((resolve) => setTimeout(resolve, 400 * round));
    await killAndStart();
  }
  const jobs = await Promise.all(ids.map((id) => finished(service, id, 200_000)));
  expect(jobs.map((job) => job.status)).toEqual(ids.map(() => "done"));
  expect(new Set(jobs.map((job) => job.result.transcription.full_transcript)).size).toBe(1);
});

test("a graceful stop gives running jobs back and the next start finishes them", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  expect(await service.stop()).toBe(0);
  service = await startService({ folder, environment: debug });
  expect((await finished(service, id)).status).toBe("done");
});

test("a first start that is killed while it makes the database does no harm to the next one", async () => {
  const data = mkdtempSync(path.join(os.tmpdir(), "parlance-first-start-"));
  for (const delay of isThorough ? [300, 600, 900, 1_200] : [300, 900]) {
    const child = spawn(process.execPath, ["bin/parlance.js", "serve"], {
      env: { PATH: process.env["PATH"] ?? "", PARLANCE_PORT: "0", PARLANCE_DATA_DIR: data },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill("SIGKILL");
    await ended;
  }
  let first = await startService({ folder: data });
  expect((await finished(first, await submit(first, readFileSync(HELLO_MP3)))).status).toBe("done");
  // What a killed one had begun may have been written to meanwhile: the next start removes it.
  await first.stop();
  first = await startService({ folder: data });
  expect(readdirSync(data).filter((name) => name.startsWith("database"))).toEqual(["database"]);
  await first.remove();
});

test.skipIf(process.platform !== "linux")(
  "a job whose worker process crashes repeatedly ends as an error, and the service continues",
  { timeout: 300_000 },
  async () => {
    await service.stop();
    service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
    await ready(service);
    // Half a minute of speech holds a worker long enough to be caught.
    const id = await submit(service, speechOf(12));
    let job = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
    while (job.status === "queued" || job.status === "processing") {
      const { text } = await call(service, "GET", "/metrics");
      const isWaiting = /^parlance_recognition_waiting_tasks [1-9]/m.test(text);
      job = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
      if (!isWaiting && job.status === "processing") killChildren(service.processId, "inference");
    }
    expect(job).toMatchObject({ status: "error", error_code: 500, result: null });
    expect(job.error_message).toMatch(/ended its worker process three times/);
    const next = await finished(service, await submit(service, speechOf(1)));
    expect(next.status).toBe("done");
  },
);
