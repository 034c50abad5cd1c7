// The process is killed with -9 while jobs run, in every stage. Every accepted job ends once, with the same text as
// an undisturbed run, and finished stages are not repeated.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

const STAGES = ["fetch", "decode", "segment", "recognize", "assemble"];
let folder: string;
let service: RunningService;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-kill-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

afterEach(() => service.stop());

/** How often a job was seen in each stage, from the log of one process. */
async function waitForStage(id: string, stage: string): Promise<boolean> {
  for (;;) {
    const { json } = await call(service, "GET", `/v2/pre-recorded/${id}`);
    if (json.status === "done" || json.status === "error") return false;
    if (json.progress?.stage === stage) return true;
  }
}

test("a job goes on after a kill in any stage and ends once", { timeout: 300_000 }, async () => {
  service = await startService({ folder });
  // Speech with long pauses between: several segments, so that a kill can fall between two of them.
  const { json: uploaded } = await upload(service, readFileSync(HELLO_MP3));
  const create = async () =>
    (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.audio_url } })).json.id as string;
  const expected = (await finished(service, await create())).result.transcription;
  const killedIn: string[] = [];
  for (const stage of STAGES) {
    const id = await create();
    if (await waitForStage(id, stage)) killedIn.push(stage);
    await service.kill();
    service = await startService({ folder });
    const job = await finished(service, id);
    expect(job.status).toBe("done");
    expect(job.result.transcription).toEqual(expected);
  }
  expect(killedIn.length).toBeGreaterThan(1);
});

test("a flood of jobs survives repeated kills: accepted and ended are the same", { timeout: 300_000 }, async () => {
  service = await startService({ folder });
  const { json: uploaded } = await upload(service, readFileSync(HELLO_MP3));
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 10; count++) {
      ids.push((await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.audio_url } })).json.id);
    }
    await new Promise((resolve) => setTimeout(resolve, 400 * round));
    await service.kill();
    service = await startService({ folder });
  }
  const jobs = await Promise.all(ids.map((id) => finished(service, id, 200_000)));
  expect(jobs.map((job) => job.status)).toEqual(ids.map(() => "done"));
  expect(new Set(jobs.map((job) => job.result.transcription.full_transcript)).size).toBe(1);
});

test("a graceful stop gives running jobs back and the next start finishes them", async () => {
  service = await startService({ folder });
  const id = await submit(service, readFileSync(HELLO_MP3));
  expect(await service.stop()).toBe(0);
  service = await startService({ folder });
  expect((await finished(service, id)).status).toBe("done");
});

test("a finished job is still there after a kill", async () => {
  service = await startService({ folder });
  const id = await submit(service, wav([silence(0.3)]));
  const before = await finished(service, id);
  await service.kill();
  service = await startService({ folder });
  expect(await finished(service, id)).toEqual(before);
});

/** Kills every recogniser process of the service. */
function killRecognisers(): void {
  const tasks = `/proc/${service.processId}/task`;
  const children = readdirSync(tasks).flatMap((task) => readFileSync(`${tasks}/${task}/children`, "utf8").split(" "));
  for (const id of children.filter((child) => child !== "")) {
    if (readFileSync(`/proc/${id}/cmdline`, "utf8").includes("recognition")) process.kill(Number(id), "SIGKILL");
  }
}

test.skipIf(process.platform !== "linux")(
  "a job whose worker process dies twice ends as an error, and the service goes on",
  { timeout: 300_000 },
  async () => {
    service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
    const speech = readFileSync(HELLO_MP3);
    // Frames of an mp3 can be joined: half a minute of speech holds a worker long enough to be caught.
    const id = await submit(service, Buffer.concat(new Array<Buffer>(12).fill(speech)));
    let job = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
    while (job.status === "queued" || job.status === "processing") {
      const { text } = await call(service, "GET", "/metrics");
      const isWaiting = /^parlance_recognition_waiting_tasks [1-9]/m.test(text);
      job = (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;
      if (!isWaiting && job.status === "processing") killRecognisers();
    }
    expect(job).toMatchObject({ status: "error", error_code: 500, result: null });
    expect(job.error_message).toMatch(/ended its worker process twice/);
    const next = await finished(service, await submit(service, speech));
    expect(next.status).toBe("done");
  },
);
