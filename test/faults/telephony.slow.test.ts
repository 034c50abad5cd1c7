// Calls of telephony platforms in a service that is killed: their clients cannot reconnect, and what was received is transcribed.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { AudioSocketClient } from "../fixtures/audiosocket-client.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createSession } from "../fixtures/live-client.ts";
import { twilioCall } from "../fixtures/media-streams.ts";
import { atRate, decodeSpeech, encodePcm, encodeUlaw } from "../fixtures/speech.ts";
import { call, newDataFolder, type RunningService, ready, startService, TEST_KEY, totalOf } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

let folder: string;
let port: number;
let service: RunningService;

async function start(): Promise<void> {
  service = await startService({ folder, environment: { PARLANCE_AUDIOSOCKET_PORT: String(port) } });
  await ready(service);
}

beforeAll(async () => {
  folder = await newDataFolder();
  port = await freePort();
  await start();
}, 120_000);
afterAll(() => service.remove());

const listed = async (query: string): Promise<AnyJson> =>
  (await call(service, "GET", `/v2/live?${query}`)).json.items[0];

/** Finals that were recognised since the start. */
const finals = () => totalOf(service, 'parlance_live_recognition_seconds_count{kind="final"}');

async function play(messages: object[]): Promise<WebSocket> {
  const socket = new WebSocket(`${service.base.replace("http", "ws")}/telephony/twilio`);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("open", resolve));
  for (const message of messages) socket.send(JSON.stringify(message));
  return socket;
}

test("after a kill, calls end with the audio so far; a session with a token continues on another stream", {
  timeout: 240_000,
}, async () => {
  const speech = atRate(await decodeSpeech(), 8_000);
  const ulaw = encodeUlaw(speech);
  const uuid = randomUUID();
  const session = await createSession(service, { encoding: "wav/ulaw", sample_rate: 8_000 });
  const token = new URL(session.url).searchParams.get("token") ?? "";
  const withKey = twilioCall({ tracks: { inbound: ulaw }, parameters: { key: TEST_KEY, customer: "killed" } });
  const withToken = twilioCall({ tracks: { inbound: ulaw }, parameters: { token } });
  // Without dtmf, mark and stop.
  await Promise.all([play(withKey.slice(0, -3)), play(withToken.slice(0, -3))]);
  const asterisk = await AudioSocketClient.connect(port);
  asterisk.id(uuid);
  asterisk.audio(encodePcm([speech]));
  const ids = async () => [
    (await listed("custom_metadata[customer]=killed"))?.id,
    (await listed(`custom_metadata[uuid]=${uuid}`))?.id,
  ];
  await expect.poll(ids).not.toContain(undefined);
  const [ofKey, ofAsterisk] = await ids();
  // All of the audio was received.
  await expect.poll(() => finals()).toBeGreaterThanOrEqual(3);
  await service.kill();
  await start();
  const job = async (id: string) => (await call(service, "GET", `/v2/live/${id}`)).json;
  for (const id of [ofKey, ofAsterisk]) {
    await expect.poll(async () => (await job(id)).status, { timeout: 90_000 }).toBe("done");
    expect((await job(id)).result.transcription.full_transcript).toMatch(/hello from the/i);
  }
  await play(withToken);
  await expect.poll(async () => (await job(session.id)).status, { timeout: 90_000 }).toBe("done");
  expect((await job(session.id)).result.transcription.full_transcript.match(/hello from the/gi)).toHaveLength(2);
});
