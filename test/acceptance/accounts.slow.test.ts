// Accounts: the command line without the service, jobs beyond a limit, fair turns, retention.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import { Tenant } from "../fixtures/tenant.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

describe("limits and keys", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ environment: { PARLANCE_CONCURRENT_JOBS: "2" } });
  });
  afterAll(() => service.remove());

  test("jobs over the limit wait; accounts take turns", { timeout: 240_000 }, async () => {
    const narrow = await Tenant.create(service, "narrow");
    const wide = await Tenant.create(service, "wide");
    await parlance(service.folder, "accounts", "limit", "narrow", "--concurrent-jobs", "1");
    const long = wav([repeated(await decodeSpeech(), 6, 0.3)]);
    const [ofNarrow, ofWide] = [await narrow.upload(long), await wide.upload(long)];
    const many: string[] = [];
    for (let count = 0; count < 6; count++) many.push(await narrow.transcribe(ofNarrow));
    const one = await wide.transcribe(ofWide);
    const place = (await narrow.job(many[5] as string)).progress;
    expect(place.queue_position).toBeGreaterThan(3);
    let most = 0;
    for (;;) {
      const { json } = await narrow.call("GET", "/v2/pre-recorded?status=processing");
      most = Math.max(most, json.items.length);
      const left = await narrow.call("GET", "/v2/pre-recorded?status=queued,processing");
      if (left.json.items.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(most).toBe(1);
    const jobs = await Promise.all(many.map((id) => narrow.until(id)));
    const other = await wide.until(one);
    expect(jobs.every(({ status }) => status === "done")).toBe(true);
    // It came last and was served long before the others were through.
    const earlier = jobs.filter(({ completed_at }) => completed_at < other.completed_at);
    expect(earlier.length).toBeLessThan(4);
  });

  test("keys are made and limits set without the service, too", async () => {
    const { folder } = service;
    await service.stop();
    const key = await parlance(folder, "keys", "create", "--name", "offline");
    service = await startService({ folder });
    expect((await call(service, "GET", "/v2/account", { key })).json.name).toBe("default");
  });
});

describe("retention", () => {
  const DAYS_OF_SECONDS = 1 / 86_400;

  async function gone(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error("it stayed");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  test("audio goes and the result stays; then all of the job goes", async () => {
    let service = await startService();
    const id = await submit(service, wav([silence(0.5)]));
    const job = await finished(service, id);
    const unused = (await upload(service, wav([silence(0.5)]))).json.audio_metadata.id;
    const objects = () => storedObjects(service.folder).length;
    // The folder of working files is removed after the end of the job is stored, and an object after its row.
    await expect.poll(objects).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await service.stop();
    const { folder } = service;
    service = await startService({
      folder,
      environment: { PARLANCE_AUDIO_RETENTION_DAYS: String(DAYS_OF_SECONDS) },
    });
    await gone(async () => (await call(service, "GET", `/v2/transcription/${id}/file`)).status === 404);
    await gone(async () => (await call(service, "GET", `/file/${unused}`)).status === 404);
    const kept = (await call(service, "GET", `/v2/transcription/${id}`)).json;
    expect(kept.result).toEqual(job.result);
    expect(kept.file).toEqual(job.file);
    const again = await call(service, "POST", "/v2/pre-recorded", {
      body: { audio_url: `${service.base}${new URL(job.request_params.audio_url).pathname}` },
    });
    expect(again.status).toBe(422);
    await expect.poll(objects).toBe(1);
    await service.stop();
    service = await startService({
      folder,
      environment: { PARLANCE_RESULT_RETENTION_DAYS: String(DAYS_OF_SECONDS) },
    });
    await gone(async () => (await call(service, "GET", `/v2/transcription/${id}`)).status === 404);
    await gone(async () => objects() === 0);
    await service.remove();
  });
});
