// Lost connections and kills of the server in the middle of compressed live streams: the recording and the finals are those of an
// undisturbed session.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressed, packetsOf } from "../fixtures/compressed.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { type Random, randomOf } from "../fixtures/random.ts";
import { noise } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, repeated } from "../fixtures/speech.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

const CHUNK_BYTES = 700;
let folder: string;
let environment: Record<string, string>;
let service: RunningService;
let speech: Float32Array;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-streams-"));
  environment = { PARLANCE_PORT: String(await freePort()) };
  service = await startService({ folder, environment });
  const sentences = repeated(await decodeSpeech(), 3, 0.8);
  const hiss = noise(Math.ceil(sentences.length / 16_000), 0.0005);
  speech = sentences.map((sample, at) => sample + (hiss[at] ?? 0));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const chunksOf = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) =>
    bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  );

const STREAMS = {
  opus: async () => packetsOf(await compressed("ogg/opus", [atRate(speech, 48_000)])),
  "ogg/opus": async () => chunksOf(await compressed("ogg/opus", [atRate(speech, 48_000)])),
  "webm/opus": async () => chunksOf(await compressed("webm/opus", [atRate(speech, 48_000)])),
  aac: async () => chunksOf(await compressed("aac", [atRate(speech, 44_100)])),
  mp3: async () => chunksOf(await compressed("mp3", [atRate(speech, 24_000)])),
};

async function outcomeOf(id: string) {
  const job = await sessionResult(service, id);
  const file = await fetch(`${service.base}/v2/live/${id}/file`, { headers: { "x-service-key": TEST_KEY } });
  const finals = job.result.messages
    .map((text: string) => JSON.parse(text))
    .filter(({ type }: { type: string }) => type === "transcript");
  return {
    recording: Buffer.from(await file.arrayBuffer()),
    finals: finals.map(({ data }: { data: object }) => data),
    warnings: job.result.metadata.warnings,
  };
}

const begin = (encoding: string) => createSession(service, { endpointing: 0.3, encoding });

/** Chunks of a session that break off at these places. A client resends what was not acknowledged. */
async function streamThroughBreaks(
  url: string,
  chunks: readonly Buffer[],
  breaks: readonly { at: number; breakOff: (client: LiveClient) => Promise<void> }[],
  random: Random,
): Promise<void> {
  const ends: number[] = [];
  for (const { length } of chunks) ends.push((ends.at(-1) ?? 0) + length);
  let next = 0;
  let acknowledged = 0;
  let client = await LiveClient.connect(url);
  for (const one of [...breaks, undefined]) {
    const until = one?.at ?? chunks.length;
    for (; next < until; next++) {
      client.send(chunks[next] as Buffer);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (!one) break;
    await one.breakOff(client);
    // Acknowledgments may be lost with the connection.
    const acks = client.of("audio_chunk").slice(0, -Math.floor(random() * 4) || undefined);
    acknowledged = acks.at(-1)?.data.byte_range[1] ?? acknowledged;
    next = ends.findIndex((end) => end > acknowledged);
    client = await LiveClient.connect(url);
  }
  client.stop();
  expect(await client.closed).toMatchObject({ code: 1000 });
}

const dropped = (client: LiveClient) => client.drop();

async function killed(client: LiveClient): Promise<void> {
  await service.kill();
  await client.closed;
  service = await startService({ folder, environment });
}

test.each(Object.keys(STREAMS) as (keyof typeof STREAMS)[])(
  "%s: a cut and a kill change nothing",
  { timeout: 240_000 },
  async (name) => {
    const random = randomOf(20_261_128 + name.length);
    const chunks = await STREAMS[name]();
    const undisturbed = await begin(name);
    await streamThroughBreaks(undisturbed.url, chunks, [], random);
    const expected = await outcomeOf(undisturbed.id);
    expect(expected.finals.length).toBeGreaterThanOrEqual(3);
    const session = await begin(name);
    const places = [random(), random()].sort().map((share) => Math.floor((0.03 + 0.94 * share) * chunks.length));
    const kinds = [dropped, killed];
    const breaks = places.map((at, index) => ({ at, breakOff: kinds[index] as (client: LiveClient) => Promise<void> }));
    await streamThroughBreaks(session.url, chunks, breaks, random);
    const outcome = await outcomeOf(session.id);
    expect(outcome.warnings).toBeUndefined();
    expect(outcome.recording.equals(expected.recording)).toBe(true);
    expect(outcome.finals).toEqual(expected.finals);
  },
);

test("a server that is killed after the end of the stream decodes it again and completes the session", {
  timeout: 120_000,
}, async () => {
  const chunks = await STREAMS["webm/opus"]();
  const undisturbed = await begin("webm/opus");
  await streamThroughBreaks(undisturbed.url, chunks, [], Math.random);
  const session = await begin("webm/opus");
  const client = await LiveClient.connect(session.url);
  for (const chunk of chunks) client.send(chunk);
  client.stop();
  await client.message(({ type }) => type === "stop_recording");
  await killed(client);
  expect(await outcomeOf(session.id)).toEqual(await outcomeOf(undisturbed.id));
});
