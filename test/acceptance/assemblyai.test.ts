// AssemblyAI's streaming interface over the network, with plain WebSockets. Its own clients: npm run clients.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ListenClient } from "../fixtures/listen-client.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { atRate, decodeSpeech, encodePcm, encodeUlaw, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const ADDRESS = "/v3/ws";
const ENGLISH = "speech_model=universal-streaming-english&format_turns=true";
/** Silence alone ends turns, as in the session of the service's own protocol. */
const SILENCE = `${ENGLISH}&min_turn_silence=300&max_turn_silence=300`;
const KEY = { headers: { authorization: TEST_KEY } };

let service: RunningService;
let speech: Float32Array;
/** Two sentences, each with a pause of two seconds. */
let pcm: Buffer;

beforeAll(async () => {
  service = await startService();
  speech = await decodeSpeech();
  pcm = encodePcm([repeated(speech, 2, 2)]);
  await ready(service);
}, 120_000);
afterAll(() => service.remove());

const connect = (query: string, options: object = KEY) => ListenClient.connect(service, query, options, ADDRESS);
const ends = (client: ListenClient) => client.of("Turn").filter(({ end_of_turn }) => end_of_turn);

async function terminated(client: ListenClient): Promise<{ code: number; reason: string }> {
  client.send({ type: "Terminate" });
  return client.closed;
}

async function ownFinals(): Promise<string[]> {
  const session = await createSession(service, {
    ...{ endpointing: 0.3, maximum_duration_without_endpointing: 60, language_config: { languages: ["en"] } },
  });
  const own = await LiveClient.connect(session.url);
  own.send(pcm);
  own.stop();
  await own.closed;
  return own.finals().map(({ data }) => data.utterance.text.trim());
}

test("turns have the finals of the service's own protocol; the session is a job", async () => {
  const client = await connect(`${SILENCE}&sample_rate=16000&encoding=pcm_s16le`);
  client.stream(pcm);
  client.send({ type: "KeepAlive" });
  expect(await terminated(client)).toEqual({ code: 1000, reason: "" });
  const [begin] = client.messages;
  expect(begin).toMatchObject({ type: "Begin", expires_at: expect.any(Number) });
  expect(begin.expires_at).toBeGreaterThan(Date.now() / 1000);
  const texts = await ownFinals();
  expect(texts).toHaveLength(2);
  expect(ends(client).map(({ transcript }) => transcript)).toEqual(texts);
  expect(ends(client).map(({ turn_order }) => turn_order)).toEqual([0, 1]);
  const [first] = ends(client);
  expect(first).toMatchObject({ utterance: texts[0], turn_is_formatted: true });
  expect(first.words[0]).toMatchObject({ text: "Hello", word_is_final: true, start: expect.any(Number) });
  expect(client.of("SpeechStarted")).toHaveLength(2);
  expect(client.of("SpeechStarted")[0].timestamp).toBeLessThanOrEqual(first.words[0].start);
  expect(client.of("Turn").some(({ end_of_turn }) => !end_of_turn)).toBe(true);
  expect(client.of("Warning")).toEqual([]);
  expect(client.messages.at(-1)).toMatchObject({
    ...{ type: "Termination", audio_duration_seconds: Math.round(pcm.length / 32_000) },
  });
  const job = async () => (await call(service, "GET", `/v2/live/${begin.id}`)).json;
  await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe("done");
  const { result } = await job();
  expect(result.transcription.utterances.map(({ text }: { text: string }) => text.trim())).toEqual(texts);
}, 120_000);

test("ForceEndpoint ends a turn; mu-law of a telephone is transcribed", async () => {
  const client = await connect(
    `${ENGLISH}&sample_rate=8000&encoding=pcm_mulaw&min_turn_silence=5000&max_turn_silence=5000`,
  );
  const telephone = encodeUlaw(atRate(speech, 8_000));
  client.stream(telephone, 800);
  client.send({ type: "ForceEndpoint" });
  const end = await client.received(({ end_of_turn }) => end_of_turn);
  expect(end.transcript).toMatch(/hello/i);
  expect(await terminated(client)).toMatchObject({ code: 1000 });
  expect(ends(client)).toHaveLength(1);
}, 60_000);

test("UpdateConfiguration changes the silence that ends turns, for the audio that follows", async () => {
  const client = await connect(`${ENGLISH}&min_turn_silence=10000&max_turn_silence=10000`);
  // Two sentences in one turn, as their pause does not end it.
  client.stream(pcm);
  client.send({ type: "UpdateConfiguration", min_turn_silence: 300, max_turn_silence: 300, clever: 1 });
  client.stream(pcm);
  expect(await terminated(client)).toMatchObject({ code: 1000 });
  const texts = ends(client).map(({ transcript }) => transcript.match(/hello/gi)?.length);
  expect(texts).toEqual([2, 1, 1]);
  expect(client.of("Warning").map(({ warning }) => warning)).toEqual([expect.stringContaining("clever")]);
}, 60_000);

test("refusals are answers before the upgrade; tokens open sessions of this interface alone", async () => {
  const refused = await ListenClient.refused(service, "encoding=flac&redact_pii=true", KEY, ADDRESS);
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/encoding.*redact_pii/) } });
  expect(await ListenClient.refused(service, "", { headers: { authorization: "wrong" } }, ADDRESS)).toMatchObject({
    ...{ status: 401, body: { error: expect.any(String) } },
  });
  const answer = await fetch(`${service.base}/v3/token?expires_in_seconds=60&max_session_duration_seconds=60`, KEY);
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  const client = await connect(`token=${token}`, {});
  await client.received(({ type }) => type === "Begin");
  expect(await terminated(client)).toMatchObject({ code: 1000 });
  expect(await ListenClient.refused(service, `token=${token}x`, {}, ADDRESS)).toMatchObject({ status: 401 });
  const asKey = { headers: { authorization: `Token ${token}` } };
  for (const address of ["/v1/listen", "/v2/listen"]) {
    expect(await ListenClient.refused(service, "", asKey, address), address).toMatchObject({ status: 401 });
  }
  for (const address of ["/v2/live", "/v2/pre-recorded", "/v1/models", "/v3/token"]) {
    for (const headers of [{ "x-gladia-key": token }, { authorization: `Bearer ${token}` }]) {
      expect((await fetch(`${service.base}${address}`, { headers })).status, address).toBe(401);
    }
  }
  const misspelt = await fetch(`${service.base}/v3/token?expires_in_seconds=60&max_session_duration=60`, KEY);
  expect([misspelt.status, await misspelt.json()]).toEqual([
    400,
    { error: expect.stringContaining("max_session_duration_seconds") },
  ]);
  const bad = await fetch(`${service.base}/v3/token?expires_in_seconds=0`, KEY);
  expect([bad.status, await bad.json()]).toEqual([400, { error: expect.stringContaining("expires_in_seconds") }]);
}, 60_000);

test("a message that cannot be read ends the session after its last turn", async () => {
  const client = await connect(SILENCE);
  client.stream(encodePcm([speech]));
  client.send({ type: "Sing" });
  expect(await client.closed).toMatchObject({ code: 4_101 });
  expect(ends(client)).toHaveLength(1);
  expect(client.messages.at(-1)).toMatchObject({ type: "Error", error_code: 4_101 });
}, 60_000);
