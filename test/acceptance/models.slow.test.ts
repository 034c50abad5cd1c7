// The service fetches a model when it is first needed; the hub of the test serves a tiny checkpoint. Tests the answers to jobs and live
// sessions during the fetch, after a fetch that failed, and after a removal.
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { type Hub, startHub } from "../fixtures/hub.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { moonshineForSherpa } from "../fixtures/moonshine-for-sherpa.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, hasShared, SHARED } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { tinyWhisper } from "../fixtures/tiny-whisper.ts";
import { call, finished, newDataFolder, type RunningService, ready, startService, submit } from "../service.ts";

const SPANISH = { language_config: { languages: ["es"] } };

let hub: Hub;
let folder: string;
let service: RunningService;
const hello = readFileSync(HELLO_MP3);
const checkpoint = tinyWhisper();
const weights = checkpoint.get("model.safetensors")?.length ?? 0;

beforeAll(async () => {
  hub = await startHub({ "openai/whisper-tiny": checkpoint });
});
afterAll(() => hub.close());
afterEach(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}, data?: string): Promise<void> {
  folder = data ?? (await newDataFolder());
  service = await startService({
    folder,
    environment: {
      PARLANCE_FETCH_MODELS: "true",
      PARLANCE_MULTILINGUAL_MODEL: "whisper-tiny",
      PARLANCE_MODELS_URL: hub.url,
      // With several processes, a folder for each of them.
      PARLANCE_MODELS_DIR: "",
      ...environment,
    },
  });
  await ready(service);
}

const progressOf = async (id: string) => (await call(service, "GET", `/v2/pre-recorded/${id}`)).json;

test("a job waits for its model and shows the progress; English is not delayed; live gets the time to retry; after a removal, jobs end with an error", async () => {
  hub.fault = { speed: weights / 4 };
  await start();
  const spanish = await submit(service, hello, SPANISH);
  let waiting = await progressOf(spanish);
  while (!(waiting.progress?.waits_for?.share > 0.2)) {
    expect(waiting).toMatchObject({ status: "queued", progress: { waits_for: { model: "whisper-tiny" } } });
    waiting = await progressOf(spanish);
  }
  // The fetch becomes slow, because it must outlast the job with the English model below.
  hub.fault = { speed: weights / 1000 };
  const live = await call(service, "POST", "/v2/live", { body: SPANISH });
  expect(live.status).toBe(503);
  expect(Number(live.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(live.json.message).toMatch(/whisper-tiny.*is being fetched \(\d+ %\)/);
  const english = await finished(service, await submit(service, hello));
  expect(english.result.transcription.full_transcript).toMatch(/^Hello/);
  expect((await progressOf(spanish)).status).toBe("queued");
  hub.fault = {};
  const done = await finished(service, spanish);
  expect(done.status).toBe("done");
  for (const { language } of done.result.transcription.utterances) expect(language).toBe("es");
  const created = () => call(service, "POST", "/v2/live", { body: SPANISH });
  // With several processes, those of live sessions copy the model.
  await expect.poll(async () => (await created()).status).not.toBe(503);
  expect((await created()).status).toBe(201);
  expect(hub.fetched.map(({ from }) => from)).toEqual([0]);

  hub.fault = { status: 404 };
  expect((await call(service, "DELETE", "/v2/models/whisper-tiny")).status).toBe(202);
  // What a process has loaded serves on until the service has seen that the model is gone.
  let job = await finished(service, await submit(service, hello, SPANISH));
  for (let tries = 0; tries < 20 && job.status === "done"; tries++) {
    job = await finished(service, await submit(service, hello, SPANISH));
  }
  expect(job).toMatchObject({ status: "error", error_code: 422 });
  expect(job.error_message).toMatch(/whisper-tiny is not installed/);
});

test("a fetch that was interrupted by a kill resumes, and so does its job", async () => {
  hub.fault = { speed: weights / 3 };
  hub.fetched = [];
  await start();
  const id = await submit(service, hello, SPANISH);
  while (!((await progressOf(id)).progress?.waits_for?.share > 0.2)) await new Promise((go) => setTimeout(go, 50));
  await service.kill();
  hub.fault = {};
  await start({}, folder);
  expect((await finished(service, id)).status).toBe("done");
  expect(hub.fetched.at(-1)?.from).toBeGreaterThan(0);
});

test("without a network the job and its callback end with the command that helps, also if the language is detected; English continues", async () => {
  const receiver = await Receiver.start();
  await start({ PARLANCE_MODELS_URL: "http://127.0.0.1:9" });
  const id = await submit(service, hello, { ...SPANISH, callback: true, callback_config: { url: receiver.url } });
  const job = await finished(service, id);
  expect(job).toMatchObject({ status: "error", error_code: 422 });
  expect(job.error_message).toMatch(
    /whisper-tiny is not installed.*could not be fetched.*npx --no-install parlance models add FOLDER/,
  );
  await receiver.until(() => receiver.of(id).length > 0);
  expect(receiver.of(id)[0]?.body.event).toBe("transcription.error");
  const live = await call(service, "POST", "/v2/live", { body: SPANISH });
  expect(live.status).toBe(422);
  expect(live.json.message).toMatch(/npx --no-install parlance models add FOLDER/);
  expect((await finished(service, await submit(service, hello))).status).toBe("done");
  if (hasShared) {
    const spanish = await submit(service, readFileSync(path.join(SHARED, "speech-es.flac")));
    expect(await finished(service, spanish)).toMatchObject({
      status: "error",
      error_code: 422,
      error_message: expect.stringMatching(/not in English.*whisper-tiny could not be fetched.*models add FOLDER/),
    });
  }
  await receiver.stop();
});

test("where nothing may be fetched the answer names the command, and a named model that is missing, too", async () => {
  await start({ PARLANCE_FETCH_MODELS: "false" });
  const create = async (body: object) =>
    call(service, "POST", "/v2/pre-recorded", { body: { audio_url: "https://example.com/a.mp3", ...body } });
  for (const answer of [await create(SPANISH), await call(service, "POST", "/v2/live", { body: SPANISH })]) {
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(
      /No installed model recognises es.*npx --no-install parlance models add whisper-tiny/,
    );
  }
  const named = await create({ model: "whisper-large-v3" });
  expect(named.status).toBe(422);
  expect(named.json.message).toMatch(/npx --no-install parlance models add whisper-large-v3/);
  const wrong = await create({ model: "moonshine-base-en", ...SPANISH });
  expect(wrong.status).toBe(422);
  expect(wrong.json.message).toMatch(/moonshine-base-en does not know es/);
  expect((await create({ model: "gpt-9" })).status).toBe(400);
});

if (isThorough) {
  test("a model that can be handed no settled words serves jobs and live sessions all the same", async () => {
    folder = await newDataFolder();
    const store = new ModelStore(path.join(folder, "models"));
    const from = moonshineForSherpa(path.join(folder, "moonshine-in-sherpa"));
    await installModel(from, store, { hub: { base: "" }, progress: () => undefined });
    await start({ PARLANCE_MODELS_DIR: store.folder }, folder);
    const model = "moonshine-in-sherpa";
    const job = await finished(service, await submit(service, hello, { model }));
    expect(job.result.transcription.full_transcript).toMatch(/^Hello from the/i);
    const speech = repeated(await decodeSpeech(), 3, 0.05);
    const { url, id } = await createSession(service, {
      model,
      endpointing: 0.8,
      messages_config: { receive_partial_transcripts: true },
    });
    const client = await LiveClient.connect(url);
    client.send(encodePcm([speech]));
    client.stop();
    expect((await client.closed).code).toBe(1000);
    const live = (await call(service, "GET", `/v2/live/${id}`)).json;
    const { full_transcript, utterances } = live.result.transcription;
    // A recording that is divided by its length has each sentence once.
    expect(full_transcript.match(/hello/gi)).toHaveLength(3);
    let last = 0;
    for (const { start: begin } of utterances.flatMap(({ words }: { words: { start: number }[] }) => words)) {
      expect(begin).toBeGreaterThanOrEqual(last);
      last = begin;
    }
  });
}
