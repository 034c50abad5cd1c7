// Callbacks arrive: shapes, signatures, retries, orders to stop, replay, and live messages by their own flags.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, upload } from "../service.ts";

let service: RunningService;
let receiver: Receiver;
let speechUrl: string;
beforeAll(async () => {
  service = await startService({
    environment: {
      PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.05",
      PARLANCE_CALLBACK_TIMEOUT_SECONDS: "1",
      PARLANCE_CALLBACK_RETRY_SECONDS: "60",
    },
  });
  speechUrl = (await upload(service, readFileSync(HELLO_MP3))).json.audio_url;
});
afterAll(() => service.remove());
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());

async function submitted(params: object): Promise<string> {
  const { status, json } = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url: speechUrl, custom_metadata: { order: '№ 7 "a\'b"' }, ...params },
  });
  expect(status).toBe(201);
  return json.id;
}

const toReceiver = (config: object = {}) => ({ callback: true, callback_config: { url: receiver.url, ...config } });

async function deliveries(id: string, isSettled: (items: { status: string }[]) => boolean) {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { json } = await call(service, "GET", `/v2/transcription/${id}/deliveries`);
    if (isSettled(json.items)) return json.items;
    if (Date.now() > deadline) throw new Error(JSON.stringify(json));
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
const ended = (items: { status: string }[]) => items.length > 0 && items.every(({ status }) => status !== "pending");

describe("a recorded job", () => {
  test("success: the result itself, with the caller's metadata, signed as Standard Webhooks says", async () => {
    const id = await submitted(toReceiver());
    await receiver.until(() => receiver.received.length === 1);
    const [request] = receiver.received;
    const job = await finished(service, id);
    expect(request?.method).toBe("POST");
    expect(request?.headers["content-type"]).toMatch(/application\/json/);
    expect(request?.body).toEqual({
      id,
      event: "transcription.success",
      payload: job.result,
      custom_metadata: job.custom_metadata,
    });
    const { secret } = (await call(service, "GET", "/v2/account/callback-secret")).json;
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.text ?? "", headers)).toMatchObject({ id });
    expect(() => new Webhook(secret).verify(`${request?.text} `, headers)).toThrow();
  });

  test("PUT, and the deprecated callback_url", async () => {
    await submitted(toReceiver({ method: "PUT" }));
    await submitted({ callback_url: receiver.url });
    await receiver.until(() => receiver.received.length === 2);
    expect(receiver.received.map(({ method }) => method).sort()).toEqual(["POST", "PUT"]);
  });

  test("an error is delivered with its code; without a callback nothing is delivered", async () => {
    const uploaded = await upload(service, wav([silence(0.2)]));
    const quiet = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.json.audio_url } });
    await finished(service, quiet.json.id);
    receiver.answer = ({ method }) => ({ status: method === "GET" ? 404 : 200 });
    const id = await submitted({ audio_url: `${receiver.url}.mp3`, ...toReceiver() });
    const job = await finished(service, id);
    expect(job.status).toBe("error");
    await receiver.until(() => receiver.of(id).length === 1);
    expect(receiver.of(id)[0]?.body).toEqual({
      id,
      event: "transcription.error",
      error: { code: job.error_code, message: job.error_message },
      custom_metadata: job.custom_metadata,
    });
    expect(receiver.of(quiet.json.id)).toHaveLength(0);
  });

  test("two signatures while the secret is being changed, one after the old one is retired", async () => {
    const { secret: old } = (await call(service, "GET", "/v2/account/callback-secret")).json;
    const changed = await call(service, "POST", "/v2/account/callback-secret");
    expect(changed.status).toBe(201);
    expect(changed.json.previous_secret).toBe(old);
    await submitted(toReceiver());
    await receiver.until(() => receiver.received.length === 1);
    const verified = (secret: string, at: number) =>
      new Webhook(secret).verify(
        receiver.received[at]?.text ?? "",
        receiver.received[at]?.headers as Record<string, string>,
      );
    verified(old, 0);
    verified(changed.json.secret, 0);
    expect((await call(service, "DELETE", "/v2/account/callback-secret/previous")).status).toBe(202);
    await submitted(toReceiver());
    await receiver.until(() => receiver.received.length === 2);
    verified(changed.json.secret, 1);
    expect(() => verified(old, 1)).toThrow();
  });
});

describe("a receiver that does not take it", () => {
  test("fails, hangs, redirects and breaks off: tried again under the same id until it is taken; every attempt is shown", async () => {
    const answers = [{ status: 500 }, "hang", { status: 302, headers: { location: "/elsewhere" } }, "break"] as const;
    receiver.answer = (_, count) => answers[count] ?? { status: 204 };
    const id = await submitted(toReceiver());
    const [delivery] = await deliveries(id, ended);
    expect(delivery.status).toBe("delivered");
    expect(delivery.attempts.map((attempt: { response_status: number }) => attempt.response_status)).toEqual([
      500,
      null,
      302,
      null,
      204,
    ]);
    expect(delivery.attempts[1].detail).toMatch(/too slow/);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([delivery.id]));
  });

  test("410 stops at once; the delivery can be sent again by hand", async () => {
    receiver.answer = (_, count) => ({ status: count === 0 ? 410 : 200 });
    const id = await submitted(toReceiver());
    const [gone] = await deliveries(id, ended);
    expect(gone).toMatchObject({ status: "failed", attempts: [{ number: 1, response_status: 410, detail: "heard" }] });
    const replay = await call(service, "POST", `/v2/pre-recorded/${id}/deliveries/${gone.id}/replay`);
    expect(replay.status).toBe(202);
    const [sent] = await deliveries(id, (items) => items[0]?.status === "delivered");
    expect(sent.attempts).toHaveLength(2);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([gone.id, gone.id]);
    const unknown = await call(service, "POST", `/v2/pre-recorded/${id}/deliveries/${id}/replay`);
    expect(unknown.status).toBe(404);
  });

  test("Retry-After is honoured", async () => {
    receiver.answer = (_, count) => (count === 0 ? { status: 503, headers: { "retry-after": "1" } } : { status: 200 });
    const id = await submitted(toReceiver());
    const [delivery] = await deliveries(id, ended);
    const [first, second] = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at));
    expect(second - first).toBeGreaterThan(950);
  });

  test("a dead receiver holds up no other", async () => {
    const dead = await Receiver.start();
    dead.answer = () => "hang";
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => submitted({ callback: true, callback_config: { url: dead.url } })),
    );
    for (const id of ids) await finished(service, id);
    await dead.until(() => dead.received.length >= 4);
    const id = await submitted(toReceiver());
    await finished(service, id);
    await receiver.until(() => receiver.received.length === 1);
    // The others still wait for the dead receiver.
    for (const stuck of ids) expect((await deliveries(stuck, () => true))[0].status).toBe("pending");
    await dead.stop();
    for (const stuck of ids) await call(service, "DELETE", `/v2/transcription/${stuck}`);
  });

  test("deleting the job ends its callbacks", async () => {
    receiver.answer = () => ({ status: 500 });
    const id = await submitted(toReceiver());
    await receiver.until(() => receiver.received.length > 0);
    expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const count = receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receiver.received.length).toBe(count);
  });
});

describe("a live session", () => {
  test("its messages arrive by the flags of callback_config, in order, as they were on the WebSocket", async () => {
    // The first answers are slow or failures: the order stays.
    receiver.answer = (_, count) => ({ status: count % 3 === 1 ? 500 : 200 });
    const session = await createSession(service, {
      ...toReceiver(),
      endpointing: 0.3,
      messages_config: { receive_lifecycle_events: true },
    });
    const client = await LiveClient.connect(session.url);
    client.send(encodePcm([await decodeSpeech()]));
    client.stop();
    expect((await client.closed).code).toBe(1000);
    await deliveries(session.id, ended);
    const taken: Record<string, unknown>[] = [];
    for (const { body } of receiver.received) {
      // A try that failed comes again at once: the same message twice in a row counts once.
      if (JSON.stringify(body) !== JSON.stringify(taken.at(-1))) taken.push(body);
    }
    expect(taken.every((body) => body["id"] === session.id)).toBe(true);
    const messages = taken.map((body) => body["payload"] as { type: string });
    expect(taken.map((body) => body["event"])).toEqual(messages.map(({ type }) => `live.${type}`));
    expect(messages.map(({ type }) => type)).toEqual([
      "start_session",
      "start_recording",
      "transcript",
      "end_recording",
      "post_transcript",
      "post_final_transcript",
      "end_session",
    ]);
    const onSocket = client.messages.filter(({ type }) => messages.some((message) => message.type === type));
    expect(messages.slice(1)).toEqual(onSocket);
  });

  test("a deleted session sends no more messages", async () => {
    const session = await createSession(service, { ...toReceiver(), endpointing: 0.3 });
    const client = await LiveClient.connect(session.url);
    client.send(encodePcm([await decodeSpeech()]));
    await receiver.until(() => receiver.received.some(({ body }) => body.event === "live.start_recording"));
    expect((await call(service, "DELETE", `/v2/live/${session.id}?cancel=true`)).status).toBe(202);
    await client.closed;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const count = receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receiver.received.length).toBe(count);
    expect(service.log()).not.toMatch(/could not be stored/);
  });

  test("flags that are off by default can be switched on", async () => {
    const session = await createSession(service, {
      callback: true,
      callback_config: {
        url: receiver.url,
        receive_acknowledgments: true,
        receive_speech_events: true,
        receive_partial_transcripts: true,
        receive_lifecycle_events: false,
        receive_post_processing_events: false,
      },
      messages_config: { receive_acknowledgments: false },
    });
    const client = await LiveClient.connect(session.url);
    const bytes = encodePcm([await decodeSpeech()]);
    client.send(bytes.subarray(0, 6_400));
    client.send(bytes.subarray(6_400));
    client.stop();
    await client.closed;
    await deliveries(session.id, ended);
    const types = receiver.received.map(({ body }) => body.payload.type as string);
    expect(types.filter((type) => type === "audio_chunk")).toHaveLength(2);
    expect(types).toContain("speech_start");
    expect(types).toContain("stop_recording");
    expect(types.some((type) => /session|recording$|post_/.test(type) && type !== "stop_recording")).toBe(false);
    expect(client.types()).not.toContain("audio_chunk");
  });
});
