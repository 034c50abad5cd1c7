// Callbacks survive: the service is killed between the end of a job and its callback, while the receiver is away, and
// in the middle of a live session. Every event arrives at least once, those of a session in their order.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, upload } from "../service.ts";

let folder: string;
let service: RunningService;
const environment = { PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.2" };

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-callbacks-"));
  service = await startService({ folder, environment });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await service.kill();
  service = await startService({ folder, environment });
}

test("the receiver is unavailable, the service is killed repeatedly: each job is delivered", {
  timeout: 300_000,
}, async () => {
  const port = await freePort();
  const { json } = await upload(service, readFileSync(HELLO_MP3));
  const config = { callback: true, callback_config: { url: `http://127.0.0.1:${port}/hook` } };
  const ids: string[] = [];
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 4; count++) {
      const created = await call(service, "POST", "/v2/pre-recorded", {
        body: { audio_url: json.audio_url, ...config },
      });
      ids.push(created.json.id);
    }
    await new Promise((resolve) => setTimeout(resolve, 300 * round));
    await restart();
  }
  for (const id of ids) await finished(service, id);
  await restart();
  const receiver = await Receiver.start(port);
  await receiver.until(() => ids.every((id) => receiver.of(id).length > 0), 60_000);
  expect(receiver.received.every(({ body }) => body.event === "transcription.success")).toBe(true);
  await receiver.stop();
});

test("a live session's messages continue in order after a kill", { timeout: 300_000 }, async () => {
  const receiver = await Receiver.start();
  const port = new URL(service.base).port;
  const sameAddress = { PARLANCE_PORT: port };
  const session = await createSession(service, {
    endpointing: 0.3,
    callback: true,
    callback_config: { url: receiver.url },
  });
  const audio = encodePcm([repeated(await decodeSpeech(), 4, 1)]);
  let client = await LiveClient.connect(session.url);
  client.send(audio.subarray(0, audio.length / 2));
  await client.message(({ type, data }) => type === "transcript" && data.is_final);
  const acknowledged = client.acknowledged;
  await service.kill();
  service = await startService({ folder, environment: { ...environment, ...sameAddress } });
  client = await LiveClient.connect(session.url);
  client.send(audio.subarray(acknowledged));
  client.stop();
  await client.closed;
  const job = await finished(service, session.id);
  await receiver.until(() => receiver.received.some(({ body }) => body.event === "live.end_session"));
  const distinct = new Map(receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]));
  const texts = [...distinct.values()].filter(({ event }) => event === "live.transcript");
  expect(
    texts
      .map(({ payload }) => payload.data.utterance.text)
      .join("")
      .trim(),
  ).toBe(job.result.transcription.full_transcript);
  const events = [...distinct.values()].map(({ event }) => event);
  expect(events[0]).toBe("live.start_session");
  expect(events.at(-1)).toBe("live.end_session");
  await receiver.stop();
});
