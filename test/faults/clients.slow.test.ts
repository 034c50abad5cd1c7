// Clients that do nothing. A client that never reads delays no other client, fills no memory, and receives all messages when it
// reconnects. A receiver that never answers delays only the callbacks to its address.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { residentBytes } from "../../src/platform/process/resident-memory.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult, undisturbed } from "../fixtures/live-invariants.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { call, finished, type RunningService, ready, startService, upload } from "../service.ts";

let service: RunningService;
let audio: Buffer;
let words: string[];

beforeAll(async () => {
  service = await startService();
  await ready(service);
  ({ audio, words } = await undisturbed(service, 3));
}, 60_000);
afterAll(async () => service.remove());

const memory = () => residentBytes(service.processId) ?? Number.NaN;

test.skipIf(process.platform !== "linux")(
  "a client that reads nothing while it sends",
  { timeout: 180_000 },
  async () => {
    const { id, url } = await createSession(service, {
      endpointing: 0.05,
      messages_config: { receive_partial_transcripts: true, receive_speech_events: true },
    });
    const deaf = new WebSocket(url);
    await new Promise((resolve) => deaf.once("open", resolve));
    (deaf as unknown as { _socket: Socket })._socket.pause();
    const before = memory();
    // A message for each millisecond of audio: acknowledgments pile up unread.
    const SLICE = 32;
    for (let at = 0; at < audio.length; at += SLICE) deaf.send(audio.subarray(at, at + SLICE));
    for (let count = 0; count < 20_000; count++) deaf.send(Buffer.alloc(0));
    deaf.send(JSON.stringify({ type: "stop_recording" }));
    // Somebody else speaks meanwhile.
    for (let round = 0; round < 3; round++) {
      const other = await LiveClient.connect((await createSession(service, { endpointing: 0.3 })).url);
      other.send(audio);
      other.stop();
      expect((await other.closed).code).toBe(1000);
      expect(normalizedWords(other.text())).toEqual(words);
    }
    expect(memory() - before).toBeLessThan(200e6);
    // It is found out by the answers to pings that it does not give.
    const job = await sessionResult(service, id);
    expect(job.status).toBe("done");
    const heard = normalizedWords(job.result.transcription.full_transcript);
    // Letters: "AI SDK" may be two words or five, depending on where a final ends.
    expect(heard.join("").length).toBeGreaterThan(words.join("").length * 0.8);
    deaf.terminate();
    const back = await LiveClient.connect(url);
    // 4403 if the service disconnected it before it had read the stop: the result is not complete then.
    expect([1000, 4403]).toContain((await back.closed).code);
    expect(normalizedWords(back.text())).toEqual(heard);
  },
);

test("receivers of callbacks that never answer", { timeout: 180_000 }, async () => {
  const [stalled, other] = [await Receiver.start(), await Receiver.start()];
  stalled.answer = () => "hang";
  const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
  const submitted = async (url: string) => {
    const body = { audio_url, callback: true, callback_config: { url } };
    return (await call(service, "POST", "/v2/pre-recorded", { body })).json.id as string;
  };
  const ids = [];
  for (let count = 0; count < 12; count++) ids.push(await submitted(stalled.url));
  for (const id of ids) await finished(service, id);
  await stalled.until(() => stalled.received.length >= 4);
  const id = await submitted(other.url.replace("127.0.0.1", "localhost"));
  await finished(service, id);
  await other.until(() => other.of(id).length === 1);
  await Promise.all([stalled.stop(), other.stop()]);
});
