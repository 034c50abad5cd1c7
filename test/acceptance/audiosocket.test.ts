// Asterisk's AudioSocket over a real socket: what Asterisk sends, sessions of POST /v2/live, bad input, limits, and who may connect.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AUDIO_8K, AudioSocketClient } from "../fixtures/audiosocket-client.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { wav } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, totalOf } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

const [HANGUP, ERROR] = [0x00, 0xff];
const ENDED = [{ type: HANGUP, payload: Buffer.alloc(0) }];
const [BUSY, INVALID, TIMEOUT] = [0x11, 0x12, 0x13];
const failed = (code: number) => [{ type: ERROR, payload: Buffer.from([code]) }];
const IDLE_SECONDS = 2;

let service: RunningService;
let port: number;
let speech: Float32Array;
let pcm: Buffer;
let ownFinals: string[];

beforeAll(async () => {
  port = await freePort();
  service = await startService({
    environment: {
      PARLANCE_AUDIOSOCKET_PORT: String(port),
      PARLANCE_LIVE_IDLE_SECONDS: String(IDLE_SECONDS),
      PARLANCE_LIVE_GRACE_SECONDS: "2",
      PARLANCE_ACCOUNT_LIVE_SESSIONS: "4",
      PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true",
    },
  });
  speech = repeated(await decodeSpeech(), 2, 1);
  pcm = encodePcm([atRate(speech, 8_000)]);
  await ready(service);
  const session = await createSession(service, { sample_rate: 8_000 });
  const own = await LiveClient.connect(session.url);
  own.send(pcm);
  own.stop();
  await own.closed;
  ownFinals = own.finals().map(({ data }) => data.utterance.text);
}, 120_000);
afterAll(() => service.remove());

async function jobOf(uuid: string): Promise<AnyJson> {
  const find = async () =>
    (await call(service, "GET", `/v2/live?custom_metadata[uuid]=${uuid}`)).json.items[0] as AnyJson;
  await expect.poll(async () => (await find())?.status).toBe("done");
  return (await call(service, "GET", `/v2/live/${(await find()).id}`)).json;
}

const textsOf = (job: AnyJson) => job.result.transcription.utterances.map(({ text }: AnyJson) => text);

test("a call has the finals of the service's own protocol, whatever the split of its packets", async () => {
  const uuid = randomUUID();
  const client = await AudioSocketClient.connect(port);
  client.send(0x03, Buffer.from("5"));
  client.id(uuid);
  client.audio(pcm, AUDIO_8K, 1_002);
  client.send(0x03, Buffer.from("6"));
  client.send(0x42, Buffer.from("?"));
  client.hangUp();
  expect(await client.ended).toEqual(ENDED);
  const job = await jobOf(uuid);
  expect(textsOf(job)).toEqual(ownFinals);
  expect(job.custom_metadata).toEqual({ platform: "asterisk", uuid });
  expect(job.result.metadata.warnings).toEqual([
    "dtmf has no effect: digits are no part of a transcript",
    "packets of the type 66 have no effect",
  ]);
});

test("a call with the id of a session of POST /v2/live has its options and callbacks", async () => {
  const receiver = await Receiver.start();
  try {
    const { id } = await createSession(service, {
      ...{ sample_rate: 16_000, callback: true, callback_config: { url: receiver.url }, endpointing: 0.3 },
    });
    const client = await AudioSocketClient.connect(port);
    client.id(id);
    client.audio(encodePcm([speech]), 0x12, 640);
    // Asterisk closes the connection without a hangup, too.
    client.socket.end();
    expect(await client.ended).toEqual(ENDED);
    const job = async () => (await call(service, "GET", `/v2/live/${id}`)).json;
    await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe("done");
    expect(await job()).toMatchObject({ request_params: { endpointing: 0.3 } });
    await receiver.until(() => receiver.of(id).some(({ body }) => body.event === "live.end_session"));
    const other = await createSession(service, { sample_rate: 16_000 });
    const wrong = await AudioSocketClient.connect(port);
    wrong.id(other.id);
    wrong.audio(Buffer.alloc(320));
    expect(await wrong.ended).toEqual(failed(INVALID));
  } finally {
    await receiver.stop();
  }
});

test("the example of the documentation works", async () => {
  const page = readFileSync("docs/telephony.md", "utf8");
  const [, program = ""] = /```js no-run\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-audiosocket-"));
  try {
    writeFileSync(path.join(folder, "example.mjs"), program);
    writeFileSync(path.join(folder, "recording.wav"), wav([speech]));
    const environment = {
      PORT: String(port),
      SERVICE: service.base,
      KEY: process.env["PARLANCE_TEST_KEY"] ?? "a-key-for-tests",
    };
    const child = spawn(process.execPath, ["example.mjs"], { cwd: folder, env: environment });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
    await new Promise((resolve) => child.once("close", resolve));
    expect(output).toMatch(/hello from the/i);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const BAD: [string, (client: AudioSocketClient) => void, number][] = [
  ["HTTP", ({ socket }) => socket.write("GET / HTTP/1.1\r\n\r\n".padEnd(70_000)), INVALID],
  ["audio without an id", (client) => client.audio(Buffer.alloc(320)), INVALID],
  ["an id of 15 bytes", (client) => client.send(0x01, Buffer.alloc(15)), INVALID],
  ["two ids", (client) => [client.id(randomUUID()), client.id(randomUUID())], INVALID],
  ["half a sample", (client) => [client.id(randomUUID()), client.audio(Buffer.alloc(321), AUDIO_8K, 321)], INVALID],
  ["12 kHz", (client) => [client.id(randomUUID()), client.audio(Buffer.alloc(320), 0x11)], INVALID],
  [
    "a rate that changes",
    (client) => [client.id(randomUUID()), client.audio(Buffer.alloc(320)), client.audio(Buffer.alloc(640), 0x12)],
    INVALID,
  ],
  ["nothing", () => undefined, TIMEOUT],
  ["half a packet", ({ socket }) => socket.write(Buffer.from([0x01, 0])), TIMEOUT],
  ["audio without an end", (client) => [client.id(randomUUID()), client.audio(Buffer.alloc(320))], TIMEOUT],
];
test.each(BAD)("%s ends the connection with an error", async (_, send, code) => {
  const client = await AudioSocketClient.connect(port);
  send(client);
  expect(await client.ended).toEqual(failed(code));
});

test("limits of the account apply; a crowd leaves nothing behind", async () => {
  const clients = await Promise.all(Array.from({ length: 6 }, () => AudioSocketClient.connect(port)));
  for (const client of clients) {
    client.id(randomUUID());
    client.audio(Buffer.alloc(320));
  }
  const ends = await Promise.all(clients.map(({ ended }) => ended));
  // Those within the limit are idle in the end.
  expect(ends.filter(([packet]) => packet?.payload[0] === BUSY).length).toBeGreaterThanOrEqual(2);
  const crowd = await Promise.all(Array.from({ length: 300 }, () => AudioSocketClient.connect(port)));
  for (const client of crowd) client.socket.destroy();
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(0);
});
