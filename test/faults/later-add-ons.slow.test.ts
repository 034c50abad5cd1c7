// The process is killed with -9 while add-ons are made for a finished transcript. They are made after the restart, once, and nothing is lost.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../fixtures/language-model.ts";
import { addOnsOf, endedAddOns, requestAddOns } from "../fixtures/later-add-ons.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

let folder: string;
let provider: ProviderServer;
let service: RunningService;
const start = () =>
  startService({ folder, environment: { PARLANCE_LLM_URL: `${provider.base}/v1`, PARLANCE_LLM_MODEL: "small" } });
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-killed-add-ons-"));
  provider = await ProviderServer.start();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const results = () => readdirSync(path.join(folder, "objects", "results"));

test("a kill while the model answers: the summary is made after the restart", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3), { sentiment_analysis: true });
  const before = await finished(service, id);
  provider.answer = () => new Promise(() => undefined);
  expect((await requestAddOns(service, id, { summarization: true })).status).toBe(202);
  await until(() => provider.asked.length > 0);
  await service.kill();
  provider.answer = () => ({ content: "After the kill" });
  service = await start();
  const ended = await endedAddOns(service, id);
  expect(ended).toMatchObject({ status: "done", error_message: null });
  const { result } = (await call(service, "GET", `/v2/transcription/${id}`)).json;
  expect(result.summarization.results).toBe("After the kill");
  expect(result.sentiment_analysis).toEqual(before.result.sentiment_analysis);
  expect(result.transcription).toEqual(before.result.transcription);
  expect(await addOnsOf(service, id)).toHaveLength(1);
});

test("kills at every moment leave a whole result, with or without the summary", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3), {});
  const { result: before } = await finished(service, id);
  for (const milliseconds of [0, 50, 150, 400]) {
    expect((await requestAddOns(service, id, { summarization: true })).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await service.kill();
    service = await start();
    expect(await endedAddOns(service, id)).toMatchObject({ status: "done" });
    const { result } = (await call(service, "GET", `/v2/transcription/${id}`)).json;
    expect(result.summarization.success).toBe(true);
    expect(result.transcription).toEqual(before.transcription);
  }
  await call(service, "DELETE", `/v2/transcription/${id}`);
  expect(results().filter((name) => name.startsWith(id))).toEqual([]);
});
