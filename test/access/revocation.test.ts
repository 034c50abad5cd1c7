// A revoked key ends what was made with it: live sessions and requests under way.
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveClient } from "../fixtures/live-client.ts";
import { parlance } from "../fixtures/parlance.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
  service = await startService({ environment: { PARLANCE_WORKERS: "1" } });
});
afterAll(() => service.remove());

async function makeKey(): Promise<{ id: string; key: string }> {
  return (await call(service, "POST", "/v2/account/keys", { body: { name: "short-lived" } })).json;
}

async function begin(key: string) {
  const { json } = await call(service, "POST", "/v2/live", { body: { sample_rate: 16_000 }, key });
  return { id: json.id as string, url: json.url as string, client: await LiveClient.connect(json.url) };
}

test.each([
  ["over HTTP", (id: string) => call(service, "DELETE", `/v2/account/keys/${id}`)],
  ["by the command line", (id: string) => parlance(service.folder, "keys", "revoke", id)],
])("a key revoked %s closes its sessions for good; what was acknowledged is transcribed", async (_, revoke) => {
  const { id: keyId, key } = await makeKey();
  const [connected, away, other] = [await begin(key), await begin(key), await begin(TEST_KEY)];
  const audio = Buffer.from(encodePcm([speech]));
  for (const { client } of [connected, away]) {
    client.send(audio);
    await client.message(({ type }) => type === "audio_chunk");
  }
  expect(connected.client.acknowledged).toBe(audio.length);
  await away.client.drop();
  await revoke(keyId);
  expect(await connected.client.closed).toMatchObject({ code: 4401, reason: expect.stringMatching(/revoked/) });
  for (const { id, url } of [connected, away]) {
    expect((await (await LiveClient.connect(url)).closed).code).toBe(4401);
    const job = await finished(service, id);
    expect(job.status).toBe("done");
    expect(job.result.transcription.full_transcript).not.toBe("");
    expect(job.result.metadata.audio_duration).toBeCloseTo(audio.length / 2 / 16_000, 2);
  }
  // A session of another key continues.
  other.client.send(audio);
  other.client.stop();
  expect((await other.client.closed).code).toBe(1000);
});

test("a session that was made and not used is not opened by its token any more", async () => {
  const { id: keyId, key } = await makeKey();
  const { json } = await call(service, "POST", "/v2/live", { body: {}, key });
  await call(service, "DELETE", `/v2/account/keys/${keyId}`);
  expect((await (await LiveClient.connect(json.url)).closed).code).toBe(4401);
});

test("a request of OpenAI's interface that waits ends, streamed or not, and keeps nothing", {
  timeout: 180_000,
}, async () => {
  const { id: keyId, key } = await makeKey();
  const long = wav([repeated(speech, 200, 0.3)]);
  const ask = (stream: boolean) => {
    const form = new FormData();
    form.append("file", new Blob([long as never]), "long.wav");
    form.append("model", "whisper-1");
    if (stream) form.append("stream", "true");
    return fetch(`${service.base}/v1/audio/transcriptions`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${key}` },
    });
  };
  const jobs = () =>
    call(service, "GET", "/v2/pre-recorded?status=queued,processing").then(({ json }) => json.items.length);
  const [plain, streamed] = [ask(false), ask(true)];
  await expect.poll(jobs, { timeout: 20_000 }).toBe(2);
  await call(service, "DELETE", `/v2/account/keys/${keyId}`);
  expect((await plain).status).toBe(401);
  expect(await (await streamed).text()).toMatch(/"type":"error".*revoked/s);
  await expect.poll(jobs, { timeout: 20_000 }).toBe(0);
});
