// The Wyoming protocol over a real socket: what Home Assistant sends, other formats, bad input, limits, and the end of the process.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { type Reference, references, wav } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { MONO_16K, WyomingClient } from "../fixtures/wyoming-client.ts";
import { call, type RunningService, ready, startService, totalOf } from "../service.ts";

const HELLO = /^hello from the/i;
/** More than the listener accepts. */
const CROWD = 300;

let service: RunningService;
let port: number;
let speech: Float32Array;
let pcm: Buffer;

beforeAll(async () => {
  port = await freePort();
  service = await startService({
    environment: { PARLANCE_WYOMING_PORT: String(port), PARLANCE_ACCOUNT_LIVE_SESSIONS: "2" },
  });
  speech = await decodeSpeech();
  pcm = encodePcm([speech]);
  await ready(service);
}, 120_000);
afterAll(() => service?.remove());

test("a client that asks gets the models and their languages; ping is answered at any time", async () => {
  const client = await WyomingClient.connect(port);
  client.send("describe");
  client.send("ping", { text: "a" });
  const [info] = await client.received("info");
  const program = info?.data.asr[0];
  expect(program).toMatchObject({ name: "Parlance", installed: true, supports_transcript_streaming: true });
  expect(program.models[0].languages).toContain("en");
  expect((await client.received("pong"))[0]?.data).toEqual({ text: "a" });
  client.socket.destroy();
});

test("an utterance becomes chunks and a transcript, and a session of the default account; other formats give the same", async () => {
  const client = await WyomingClient.connect(port);
  const { data } = await client.transcript(pcm, MONO_16K, { language: "en", vad_sensitivity: "relaxed" });
  expect(data).toMatchObject({
    text: expect.stringMatching(HELLO),
    language: "en",
    warnings: [expect.stringMatching(/^vad_sensitivity has no effect/)],
  });
  expect(client.events.map(({ type }) => type)).toEqual([
    "transcript-start",
    "transcript-chunk",
    "transcript",
    "transcript-stop",
  ]);
  expect(client.events[1]?.data.text).toBe(data.text);
  const job = (await call(service, "GET", `/v2/live/${data.session_id}`)).json;
  expect(job).toMatchObject({ status: "done", result: { transcription: { full_transcript: data.text } } });
  expect(job.result.metadata.warnings).toEqual(data.warnings);
  // The same connection again, in another format, and without the optional events.
  const stereo = { rate: 48_000, width: 3, channels: 2 };
  const fast = atRate(speech, 48_000);
  client.audio(encodePcm([fast, fast], 24), stereo, 4_001);
  client.send("audio-stop");
  await client.received("transcript-stop", 2);
  expect(client.events.at(-2)?.data.text).toMatch(HELLO);
  // Nothing was said.
  client.send("audio-start", MONO_16K);
  client.send("audio-stop");
  await client.received("transcript-stop", 3);
  expect(client.events.at(-2)?.data).toEqual({ text: "", warnings: expect.any(Array) });
  client.socket.destroy();
});

const [recording] = references()
  .filter(({ language, transcript }) => language === "en" && transcript)
  .sort((left, right) => (left.transcript ?? "").length - (right.transcript ?? "").length);

test.skipIf(!recording)("a recording has its words", async () => {
  const { path: file, transcript = "" } = recording as Reference;
  const client = await WyomingClient.connect(port);
  const { data } = await client.transcript(encodePcm([await decodeSpeech(file)]), MONO_16K, { language: "en" });
  const wanted = normalizedWords(transcript);
  expect(wordErrors(wanted, normalizedWords(data.text)) / wanted.length).toBeLessThan(0.25);
  client.socket.destroy();
});

test("the example of the documentation works", async () => {
  const [, program = ""] = /```js no-run\n([\s\S]*?)```/.exec(readFileSync("docs/wyoming.md", "utf8")) ?? [];
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-wyoming-"));
  try {
    writeFileSync(path.join(folder, "example.mjs"), program);
    writeFileSync(path.join(folder, "recording.wav"), wav([speech]));
    const child = spawn(process.execPath, ["example.mjs"], { cwd: folder, env: { PORT: String(port) } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
    await new Promise((resolve) => child.once("close", resolve));
    expect(output).toMatch(/transcript .*hello from the/i);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const BAD: [string, (client: WyomingClient) => void, string, RegExp][] = [
  ["HTTP", ({ socket }) => socket.write("GET / HTTP/1.1\r\n\r\n"), "live.wyoming_event", /must be JSON/],
  ["a line without an end", ({ socket }) => socket.write("x".repeat(70_000)), "live.wyoming_event_too_large", /65536/],
  [
    "a payload of 2^53 bytes",
    ({ socket }) => socket.write('{"type":"x","payload_length":9007199254740992}\n'),
    "live.wyoming_event_too_large",
    /268435456/,
  ],
  [
    "a rate that is not supported",
    (client) => client.send("audio-start", { ...MONO_16K, rate: 44_101 }),
    "live.wyoming_event",
    /rate must be one of/,
  ],
  [
    "an unknown language",
    (client) => client.send("transcribe", { language: "klingon" }),
    "request.invalid",
    /language must be/,
  ],
  ["speech synthesis", (client) => client.send("synthesize", { text: "a" }), "live.wyoming_event", /another kind/],
  ["audio-stop alone", (client) => client.send("audio-stop"), "live.wyoming_event", /without audio-start/],
  [
    "another program",
    (client) => client.send("select-program", { name: "x" }),
    "live.wyoming_event",
    /must be Parlance/,
  ],
  [
    "an unknown model",
    (client) => {
      client.send("transcribe", { name: "no-such-model" });
      client.audio(pcm.subarray(0, 2_048));
    },
    "models.unknown",
    /no-such-model/,
  ],
  [
    "a second start before the stop",
    (client) => {
      client.audio(pcm);
      client.send("audio-start", MONO_16K);
    },
    "live.wyoming_event",
    /before the audio-stop/,
  ],
  [
    "a format that changes within a sample",
    (client) => {
      client.audio(pcm.subarray(0, 2_047));
      client.audio(pcm.subarray(0, 2_048), { ...MONO_16K, rate: 8_000 });
    },
    "live.wyoming_event",
    /within a sample/,
  ],
];

test("bad input gets an error that names it and the end of the connection, and leaves nothing behind", async () => {
  for (const [name, send, code, text] of BAD) {
    const client = await WyomingClient.connect(port);
    send(client);
    const error = (await client.ended()).at(-1);
    expect([name, error?.type, error?.data.code]).toEqual([name, "error", code]);
    expect(error?.data.text).toMatch(text);
  }
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(0);
});

test("connections that send nothing do not shut others out, and sessions whose client leaves end", async () => {
  const crowd = Array.from({ length: CROWD }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  await expect.poll(() => crowd.filter(({ connecting }) => connecting).length).toBe(0);
  const client = await WyomingClient.connect(port);
  client.audio(pcm);
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(1);
  client.socket.destroy();
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(0);
  for (const socket of crowd) socket.destroy();
});

test("sessions count against the limit of their account", async () => {
  const clients = [await WyomingClient.connect(port), await WyomingClient.connect(port)];
  for (const client of clients) client.audio(pcm);
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(2);
  const third = await WyomingClient.connect(port);
  third.audio(pcm.subarray(0, 2_048));
  expect((await third.ended()).at(-1)?.data).toMatchObject({ code: "limit.live_sessions", retry_after: 10 });
  for (const client of clients) client.send("audio-stop");
  for (const client of clients) expect((await client.received("transcript"))[0]?.data.text).toMatch(HELLO);
});

test("a process that stops sends the transcripts of ended audio, and an error to other clients", async () => {
  const ended = await WyomingClient.connect(port);
  ended.audio(pcm);
  const open = await WyomingClient.connect(port);
  open.audio(pcm);
  await expect.poll(() => totalOf(service, "parlance_live_sessions")).toBe(2);
  ended.send("audio-stop");
  const pong = ended.received("pong");
  ended.send("ping");
  await pong;
  expect(await service.stop()).toBe(0);
  expect((await ended.ended()).find(({ type }) => type === "transcript")?.data.text).toMatch(HELLO);
  expect((await open.ended()).at(-1)?.data).toMatchObject({ code: "live.wyoming_interrupted" });
});
