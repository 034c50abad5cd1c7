// Live sessions that fetch their audio: HLS and stations on this machine, their failures, and the captions that viewers read.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressed } from "../fixtures/compressed.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HlsOnAir, hlsFiles, SourceServer, Station } from "../fixtures/live-source.ts";
import { atRate, decodeSpeech, inSequence, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

const RATE = 16_000;
const ENVIRONMENT = { PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true" };
let service: RunningService;
let server: SourceServer;
let speech: Float32Array;

beforeAll(async () => {
  service = await startService({ environment: ENVIRONMENT });
  server = await SourceServer.start();
  speech = await decodeSpeech();
  await ready(service);
}, 120_000);
afterAll(async () => {
  await service.remove();
  await server.stop();
});

interface SourceSession {
  id: string;
  url: string;
  captions: { events: string; playlist: string };
}

const begin = async (source: object, body: object = {}) =>
  (await createSession(service, { source, ...body })) as unknown as SourceSession;
const jobOf = async (id: string): Promise<AnyJson> => (await call(service, "GET", `/v2/live/${id}`)).json;
async function ended(id: string): Promise<AnyJson> {
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 60_000 }).toMatch(/done|error/);
  return jobOf(id);
}
const read = async (url: string) => (await fetch(url)).text();
const textOf = ({ result }: AnyJson): string => result.transcription.full_transcript;
const greetings = (text: string) => [...text.matchAll(/hello from/gi)].length;
/** A playlist of captions whose session has ended: the last parts are published after the session. */
async function finished(playlist: string): Promise<string> {
  await expect.poll(() => read(playlist)).toMatch(/#EXT-X-ENDLIST\n$/);
  return read(playlist);
}
/** Texts of the parts that a playlist of captions names. */
async function partsOf(playlist: string): Promise<string[]> {
  const names = (await finished(playlist)).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Promise.all(names.map((name) => read(new URL(name, playlist).href)));
}

test("a stream of HLS is transcribed to its end, and its captions have the same parts", async () => {
  const onAir = new HlsOnAir(server, "/whole.m3u8");
  onAir.add(await hlsFiles(repeated(speech, 3, 1), "mpegts", { prefix: "whole" }));
  Object.assign(onAir, { window: [0, onAir.parts.length], isEnded: true, offset: 70 });
  const session = await begin({ url: onAir.url }, { messages_config: { receive_partial_transcripts: true } });
  const events = read(`${session.captions.events}&after=0`);
  const job = await ended(session.id);
  expect(job).toMatchObject({ status: "done", request_params: { source: { url: onAir.url } } });
  expect(greetings(textOf(job))).toBe(3);
  expect(job.result.metadata.warnings).toBeUndefined();
  // The stream of events ends by itself, and a client that comes later reads the same.
  const received = await events;
  expect(received).toMatch(/event: end\ndata: {"status":"done"}\n\n$/);
  const finals = [...received.matchAll(/^id: (\d+)\nevent: transcript$/gm)].map(([, id]) => Number(id));
  expect(finals).toEqual([1, 2, 3]);
  const later = await fetch(session.captions.events, { headers: { "last-event-id": "2" } });
  expect([...(await later.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(["3"]);
  const playlist = await finished(session.captions.playlist);
  expect(playlist).toContain("#EXT-X-MEDIA-SEQUENCE:70\n");
  expect(playlist).toMatch(/#EXT-X-ENDLIST\n$/);
  const parts = await partsOf(session.captions.playlist);
  expect(parts).toHaveLength(onAir.parts.length);
  for (const part of parts) expect(part).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\d+,LOCAL:[\d:.]+\n/);
  expect(parts.join("").match(/Hello from/g)?.length).toBeGreaterThanOrEqual(3);
  expect(parts[0]).toContain("Hello");
  expect((await call(service, "POST", `/v2/live/${session.id}/stop`)).status).toBe(204);
});

test("parts that are ranges of one file are read", async () => {
  const { files, parts, init } = await hlsFiles(repeated(speech, 2, 1), "fmp4", { prefix: "ranges" });
  const names = [init as string, ...parts.map(({ name }) => name)];
  const file = Buffer.concat(names.map((name) => files.get(name) as Buffer));
  server.paths.set("/ranges.mp4", ({ headers }, response) => {
    const [, from = 0, last = 0] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.map(Number) ?? [];
    const bytes = file.subarray(from, last + 1);
    response.writeHead(206, { "content-range": `bytes ${from}-${last}/${file.length}` }).end(bytes);
  });
  const lengthOf = (name: string) => files.get(name)?.length ?? 0;
  server.text("/ranges.m3u8", () =>
    [
      ...[
        "#EXTM3U",
        "#EXT-X-TARGETDURATION:1",
        `#EXT-X-MAP:URI="ranges.mp4",BYTERANGE="${lengthOf(names[0] as string)}@0"`,
      ],
      ...parts.flatMap(({ name, seconds }, at) => {
        const place = at === 0 ? `@${lengthOf(names[0] as string)}` : "";
        return [`#EXTINF:${seconds},`, `#EXT-X-BYTERANGE:${lengthOf(name)}${place}`, "ranges.mp4"];
      }),
      "#EXT-X-ENDLIST",
    ].join("\n"),
  );
  const job = await ended((await begin({ url: `${server.base}/ranges.m3u8` })).id);
  expect(job.status).toBe("done");
  expect(greetings(textOf(job))).toBe(2);
  expect(job.result.metadata.warnings).toBeUndefined();
});

test("the example of the documentation runs", async () => {
  const onAir = new HlsOnAir(server, "/example.m3u8");
  onAir.add(await hlsFiles(repeated(speech, 2, 1), "fmp4", { prefix: "example" }));
  Object.assign(onAir, { window: [0, onAir.parts.length], isEnded: true });
  const example = /```sh no-run\n(.*?)```/s.exec(readFileSync("docs/live-sources.md", "utf8"))?.[1] ?? "";
  const script = example
    .replaceAll("http://localhost:8080", service.base)
    .replace(/^SOURCE=.*$/m, `SOURCE=${onAir.url}`);
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-source-"));
  try {
    const { stdout } = await promisify(execFile)("bash", ["-ec", script], {
      cwd: folder,
      env: { ...process.env, KEY: TEST_KEY },
      maxBuffer: 10_000_000,
    });
    expect(greetings(stdout)).toBeGreaterThanOrEqual(2);
    expect(stdout).toContain("#EXT-X-ENDLIST");
    expect(stdout).toContain('"status":"done"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a killed service continues within a part; nothing is repeated or lost", async () => {
  const onAir = new HlsOnAir(server, "/killed.m3u8");
  onAir.add(await hlsFiles(repeated(speech, 4, 1), "fmp4", { prefix: "killed", partSeconds: 2 }));
  onAir.window = [0, 3];
  const session = await begin({ url: onAir.url });
  await expect.poll(async () => read(`${session.captions.events}&after=0&seconds=1`)).toContain("Hello");
  onAir.window = [0, 4];
  await expect.poll(() => server.requests.includes(onAir.parts[3]?.path as string)).toBe(true);
  await service.kill();
  const { folder } = service;
  service = await startService({ folder, environment: ENVIRONMENT });
  Object.assign(onAir, { window: [2, onAir.parts.length], isEnded: true });
  const job = await ended(session.id);
  expect(job.status).toBe("done");
  expect(greetings(textOf(job))).toBe(4);
  expect(job.result.metadata.warnings).toBeUndefined();
  const whole = onAir.parts.reduce((sum, part) => sum + part.seconds, 0);
  expect(Math.abs(job.result.metadata.audio_duration - whole)).toBeLessThan(0.15);
  const texts = await partsOf(session.captions.playlist.replace(/^https?:\/\/[^/]+/, service.base));
  expect(texts).toHaveLength(onAir.parts.length);
});

test("parts that are gone are a gap on the clock of the session, which is reported", async () => {
  const onAir = new HlsOnAir(server, "/gone.m3u8");
  onAir.add(await hlsFiles(repeated(speech, 3, 1), "mpegts", { prefix: "gone" }));
  onAir.window = [0, 3];
  const session = await begin({ url: onAir.url });
  await expect.poll(() => server.requests.filter((name) => name === onAir.parts[2]?.path).length).toBe(1);
  await expect.poll(() => server.requests.filter((name) => name === onAir.path).length).toBeGreaterThan(2);
  Object.assign(onAir, { window: [7, onAir.parts.length], isEnded: true });
  const job = await ended(session.id);
  expect(job.status).toBe("done");
  const [warning] = job.result.metadata.warnings;
  expect(warning).toMatch(
    /^the source has a gap of [34](\.\d)? s at 3(\.\d)? s, which is silence: parts of its playlist/,
  );
  const whole = onAir.parts.reduce((sum, part) => sum + part.seconds, 0);
  expect(Math.abs(job.result.metadata.audio_duration - whole)).toBeLessThan(0.3);
  const playlist = await finished(session.captions.playlist);
  expect(playlist.match(/#EXTINF/g)).toHaveLength(onAir.parts.length);
  expect(playlist).toContain("#EXT-X-DISCONTINUITY\n");
});

test("a station that cuts its listeners off repeats nothing; one that was off leaves a gap; a new format is decoded", async () => {
  const station = new Station(server, { metadataEvery: 4_096, burstBytes: 40_000 });
  const greeting = inSequence(speech, new Float32Array(RATE));
  const mp3 = async (samples: Float32Array) => compressed("mp3", [atRate(samples, 24_000)]);
  const session = await begin({ url: station.url });
  await expect.poll(() => station.hasListener).toBe(true);
  const began = performance.now();
  station.send(await mp3(inSequence(greeting, greeting)));
  const events = () => read(`${session.captions.events}&after=0&seconds=1`);
  await expect.poll(async () => greetings(await events())).toBe(2);
  server.cut();
  await expect.poll(() => station.connections).toBe(2);
  const second = await mp3(greeting);
  station.send(second);
  await expect.poll(async () => greetings(await events())).toBe(3);
  // Off the air, until it returns with another format.
  station.isOff = true;
  server.cut();
  await expect.poll(async () => service.log()).toContain("answered 503");
  // Longer than the audio so far, which was sent faster than in real time.
  await expect.poll(() => performance.now() - began).toBeGreaterThan(14_000);
  station.isOff = false;
  station.forget();
  await expect.poll(() => station.connections).toBe(3);
  const aac = (samples: Float32Array) => compressed("aac", [atRate(samples, 44_100)]);
  const silence = await aac(new Float32Array(RATE));
  station.send(await aac(greeting));
  const heard = async () => {
    // A station never stops sending.
    station.send(silence);
    return greetings(await events());
  };
  await expect.poll(heard).toBe(4);
  // The format changes within a connection.
  station.send(await mp3(inSequence(greeting, greeting)));
  await expect.poll(async () => greetings(await events())).toBe(6);
  expect((await call(service, "POST", `/v2/live/${session.id}/stop`)).status).toBe(204);
  const job = await ended(session.id);
  expect(job.status).toBe("done");
  expect(greetings(textOf(job))).toBe(6);
  const { warnings } = job.result.metadata;
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^the source has a gap of \d/);
});

test.each([
  ["a page", "text/html", "<html>no such mount</html>", /text\/html/],
  ["an unknown format", "audio/x-unknown", `${"\u0001\u0002\u0003".repeat(9_000)}`, /format of the audio is not known/],
  [
    "a playlist with impossible ranges",
    "application/x-mpegurl",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-BYTERANGE:1@-5\na.ts",
    /range/,
  ],
  [
    "a playlist of files",
    "application/x-mpegurl",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd",
    /http/,
  ],
])("%s ends the session with a reason", async (name, type, text, reason) => {
  server.text(`/${name}`.replaceAll(" ", "-"), () => text, type);
  const session = await begin({ url: `${server.base}/${name}`.replaceAll(" ", "-") });
  const job = await ended(session.id);
  expect(job).toMatchObject({ status: "error", error_code: 400 });
  expect(job.error_message).toMatch(reason);
});

test("an address that does not exist ends the session; a list of a station names it", async () => {
  expect((await ended((await begin({ url: `${server.base}/nothing` })).id)).error_message).toMatch(/answered 404/);
  const bytes = await compressed("mp3", [atRate(speech, 24_000)]);
  server.bytes("/recording.mp3", bytes, "audio/mpeg");
  server.text("/radio.pls", () => `[playlist]\nFile1=${server.base}/recording.mp3\n`, "audio/x-scpls");
  const job = await ended((await begin({ url: `${server.base}/radio.pls` })).id);
  expect(greetings(textOf(job))).toBe(1);
});

test("the token of a source opens its captions alone; its address shows no password", async () => {
  const station = new Station(server, { path: "/secret" });
  const url = station.url.replace("http://", "http://user:password@");
  const session = await begin({ url }, { sample_rate: 8_000 });
  await expect.poll(() => station.hasListener).toBe(true);
  expect((session as AnyJson).warnings).toEqual([
    "sample_rate has no effect with source: the source states its format",
  ]);
  expect(JSON.stringify(await jobOf(session.id))).not.toContain("password");
  expect(station.authorization).toBe(`Basic ${Buffer.from("user:password").toString("base64")}`);
  const token = new URL(session.url).searchParams.get("token");
  const client = await LiveClient.connect(`${service.base.replace("http", "ws")}/v2/live?token=${token}`);
  expect((await client.closed).code).toBe(4401);
  expect((await fetch(`${service.base}/v2/live/${session.id}?token=${token}`)).status).toBe(401);
  expect((await fetch(`${service.base}/v2/live/${session.id}/captions.m3u8?token=wrong`)).status).toBe(401);
  expect((await fetch(`${service.base}/v2/live/${session.id}/captions.m3u8`)).status).toBe(401);
  expect((await fetch(session.captions.playlist)).status).toBe(200);
  const other = await createSession(service);
  expect((await fetch(`${service.base}/v2/live/${other.id}/captions.m3u8?token=${token}`)).status).toBe(401);
  const messageOf = async (path: string) => (await call(service, "GET", `/v2/live/${other.id}/${path}`)).json.message;
  expect(await messageOf("captions.m3u8")).toMatch(/has no source/);
  expect(await messageOf("events")).toMatch(/captions: true/);
  expect((await call(service, "POST", `/v2/live/${other.id}/stop`)).status).toBe(409);
  await call(service, "DELETE", `/v2/live/${session.id}?cancel=true`);
  await expect.poll(() => station.hasListener).toBe(false);
});

test("silence that a playlist states does not run ahead of the time, and its parts are no more than audio can have", async () => {
  for (const [name, seconds] of [
    ["gaps", 120],
    ["zero", 0],
  ] as const) {
    let number = 0;
    server.text(`/${name}.m3u8`, () => {
      const lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", `#EXT-X-MEDIA-SEQUENCE:${number}`];
      number += 2_000;
      return [...lines, ...Array.from({ length: 2_000 }, () => `#EXT-X-GAP\n#EXTINF:${seconds},\na.ts`)].join("\n");
    });
  }
  const since = performance.now();
  const sessions = [await begin({ url: `${server.base}/gaps.m3u8` }), await begin({ url: `${server.base}/zero.m3u8` })];
  await pause(6_000);
  for (const { id } of sessions) await call(service, "POST", `/v2/live/${id}/stop`);
  const [gaps] = await Promise.all(sessions.map(({ id }) => ended(id)));
  const elapsed = (performance.now() - since) / 1000;
  expect(gaps.result.metadata.audio_duration).toBeLessThan(60 + 2 * elapsed + 5);
  expect(gaps.result.metadata.audio_duration).toBeGreaterThan(50);
  const playlist = await finished(sessions[1]?.captions.playlist ?? "");
  const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
  // The first parts are the last three of the first 2,000.
  expect(first).toBeGreaterThan(2_000);
  expect(first).toBeLessThan(2_000 + 1_000 + 10 * elapsed);
});

test("captions are made of finals, also where the request does not want them", async () => {
  const { json } = await call(service, "POST", "/v2/live", {
    body: { source: { url: `${server.base}/none` }, messages_config: { receive_final_transcripts: false } },
  });
  expect(json.warnings).toEqual([expect.stringContaining("receive_final_transcripts has no effect with source")]);
  expect((await ended(json.id)).request_params.messages_config.receive_final_transcripts).toBe(true);
});

test("a source without audio for too long ends its session", async () => {
  const station = new Station(server, { path: "/silent" });
  const session = await begin({ url: station.url, maximum_outage: 5 });
  await expect.poll(() => station.hasListener).toBe(true);
  station.send(await compressed("mp3", [atRate(speech, 24_000)]));
  const job = await ended(session.id);
  expect(job.status).toBe("done");
  expect(greetings(textOf(job))).toBe(1);
  expect(job.result.metadata.warnings).toContainEqual(expect.stringMatching(/sent no audio for 5 s/));
});

test.each(["rtmp://user:pass@a.example/live", "rtsp:///a", "srt://a.example", "ftp://a.example/a", "nothing"])(
  "%s is refused",
  async (url) => {
    const { status, json } = await call(service, "POST", "/v2/live", { body: { source: { url } } });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(/source\.url must/);
  },
);
