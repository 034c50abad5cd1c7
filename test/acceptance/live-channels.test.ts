// Sessions with channels that share a source at first: how fast the client sends changes no message about speech.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { silence } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, inSequence } from "../fixtures/speech.ts";
import { type RunningService, ready, startService } from "../service.ts";

const PIECE_BYTES = 12_800;

let service: RunningService;
let pcm: Buffer;

beforeAll(async () => {
  service = await startService();
  await ready(service);
  const hello = await decodeSpeech();
  const shared = inSequence(hello, silence(1), hello, silence(1));
  const pause = silence(hello.length / 16_000);
  // Two sentences in both channels, then one in each of them.
  pcm = encodePcm([
    inSequence(shared, hello, silence(1), pause, silence(1)),
    inSequence(shared, pause, silence(1), hello, silence(1)),
  ]);
});
afterAll(() => service.remove());

/** @param milliseconds  between two frames of 0.2 s */
async function messages(milliseconds: number) {
  const receive = {
    receive_partial_transcripts: false,
    receive_lifecycle_events: false,
    receive_acknowledgments: false,
  };
  const { id, url } = await createSession(service, {
    channels: 2,
    endpointing: 0.3,
    messages_config: receive,
  });
  const client = await LiveClient.connect(url);
  for (let at = 0; at < pcm.length; at += PIECE_BYTES) {
    client.send(pcm.subarray(at, at + PIECE_BYTES));
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
  client.stop();
  await client.closed;
  const job = await sessionResult(service, id);
  const data = (type: string) =>
    client
      .of(type)
      .map((message) => message.data)
      .sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  return {
    starts: data("speech_start"),
    ends: data("speech_end"),
    unrecognized: data("unrecognized_speech"),
    finals: data("transcript").map(({ utterance }) => [utterance.channel, utterance.start, utterance.text]),
    warnings: job.result.warnings,
  };
}

test("sentences that two channels share stand in one of them, however fast they are sent", async () => {
  const slow = await messages(100);
  const fast = await messages(0);
  expect(slow.finals).toHaveLength(4);
  expect(fast).toEqual(slow);
});
