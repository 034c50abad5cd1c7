// Every kind of bad input gets its documented answer and leaves nothing behind. Good input keeps its clock and its tracks;
// timestamps.slow.test.ts: gaps, other containers, other forms of the answer.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaBytes } from "../fixtures/media.ts";
import { HELLO_MP3, noise, silence, tone, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import { videoWithoutSound } from "../fixtures/video-without-sound.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: results are compared with what the interface describes elsewhere
type AnyJson = any;

const MAXIMUM_BYTES = 2_000_000;
const PASSWORD = "f33d-passw0rd";
let service: RunningService;
let files: Server;
let served: Uint8Array = new Uint8Array();
let address: string;
let busyAnswers = 0;

beforeAll(async () => {
  service = await startService({
    environment: {
      PARLANCE_MAX_FILE_BYTES: String(MAXIMUM_BYTES),
      PARLANCE_MAX_AUDIO_SECONDS: "40",
      PARLANCE_FETCH_ATTEMPTS: "2",
      PARLANCE_FETCH_RETRY_SECONDS: "5",
    },
  });
  files = createServer((request, response) => {
    const status = Number(/status-(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
    if (request.url === "/private.mp3") {
      const isAllowed = request.headers.authorization === `Basic ${Buffer.from(`me:${PASSWORD}`).toString("base64")}`;
      response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? mp3 : "");
    } else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/endless") {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", write);
      write();
    } else if (request.url === "/cut") {
      response.writeHead(200, { "content-length": "100000" });
      response.write("RIFF");
      setTimeout(() => response.destroy(), 50);
    } else if (request.url?.startsWith("/busy")) {
      busyAnswers++;
      if (busyAnswers === 1) response.writeHead(503, { "retry-after": "3" }).end("busy");
      else response.writeHead(200, { "content-disposition": 'attachment; filename="call 7.mp3"' }).end(mp3);
    } else response.writeHead(status).end(served);
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});

afterAll(async () => {
  files.close();
  files.closeAllConnections();
  await service.remove();
});

/** Everything that is stored below the objects folder; listed again if a folder is removed meanwhile. */
async function stored(): Promise<string[]> {
  try {
    return storedObjects(service.folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return stored();
  }
}

const video = await videoWithoutSound();
const mp3 = readFileSync(HELLO_MP3);
const BROKEN: [what: string, content: () => Uint8Array, status: number, message: RegExp][] = [
  ["an empty file", () => new Uint8Array(), 400, /is empty/],
  ["a text file", () => Buffer.from("this is not audio\n".repeat(50)), 400, /cannot be decoded/],
  ["random bytes", () => Buffer.from(noise(1, 1).buffer), 400, /cannot be decoded|no audio/],
  ["a cut-off header", () => wav([tone(1, 440)]).subarray(0, 30), 400, /cannot be decoded|no samples|no audio/],
  ["a header without samples", () => wav([new Float32Array()]), 400, /no samples|cannot be decoded/],
  ["a video without sound", () => video, 400, /no audio track/],
  ["a playlist", () => Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), 400, /cannot be decoded/],
  ["a file over the limit", () => Buffer.alloc(MAXIMUM_BYTES + 1, 1), 413, /larger than the 2 MB/],
];

describe.each(BROKEN)("%s", (_what, content, status, message) => {
  test("is refused at the upload", async () => {
    const answer = await upload(service, content());
    expect(answer.status).toBe(status);
    expect(answer.json.message).toMatch(message);
    expect(answer.json).toMatchObject({ statusCode: status, path: "/v2/upload", error: { code: status } });
    expect(await stored()).toEqual([]);
  });

  test("ends a job that fetches it", async () => {
    served = content();
    const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: `${address}/file.wav` } });
    const job = await finished(service, json.id);
    expect(job).toMatchObject({ status: "error", error_code: status, result: null });
    expect(job.error_message).toMatch(message);
    expect(job.completed_at).not.toBeNull();
    expect(await stored()).toEqual([]);
  });
});

test.each([
  ["/status-404", 404],
  ["/status-401", 401],
  ["/status-403", 403],
  ["/status-410", 410],
  ["/status-418", 424],
  ["/status-429", 429],
  ["/status-500", 424],
  ["/loop", 424],
  ["/endless", 413],
  ["/cut", 424],
])("an address that answers %s ends its job with %d and leaves nothing", async (route, code) => {
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: address + route } });
  expect(await finished(service, json.id)).toMatchObject({ status: "error", error_code: code });
  expect(await stored()).toEqual([]);
});

test("a busy host is tried again; the attempts are shown meanwhile, and its name for the file is taken", async () => {
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: `${address}/busy?id=7` } });
  const progress = async () => (await call(service, "GET", `/v2/pre-recorded/${json.id}`)).json.progress;
  let waiting = await progress();
  while (waiting?.fetch?.next_attempt_at == null) waiting = await progress();
  expect(waiting).toMatchObject({
    stage: "fetch",
    fetch: { attempts: 1, last_failure: expect.stringMatching(/its host answered 503/) },
  });
  const job = await finished(service, json.id);
  expect(job).toMatchObject({ status: "done", file: { filename: "call 7.mp3" } });
  await call(service, "DELETE", `/v2/pre-recorded/${json.id}`);
  expect(await stored()).toEqual([]);
});

test("a web page is named as such, fetched or uploaded", async () => {
  served = Buffer.from("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>");
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: `${address}/file.mp3` } });
  const job = await finished(service, json.id);
  expect(job).toMatchObject({ status: "error", error_code: 400 });
  expect(job.error_message).toMatch(/it is a web page \(HTML\), not a recording/);
  expect((await upload(service, served)).json.message).toMatch(/it is a web page \(HTML\)/);
});

test("an upload by address answers its host's refusals as 424", async () => {
  for (const status of [401, 403, 429]) {
    const answer = await call(service, "POST", "/v2/upload", { body: { audio_url: `${address}/status-${status}` } });
    expect(answer).toMatchObject({ status: 424 });
    expect(answer.json.message).toContain(`answered ${status}`);
  }
});

test("audio over the longest length ends its job with 413", async () => {
  const id = await submit(service, wav([silence(41, 8000)], 8000));
  const job = await finished(service, id);
  expect(job).toMatchObject({ status: "error", error_code: 413 });
  expect(job.error_message).toMatch(/longer than the 1 minutes allowed/);
  await call(service, "DELETE", `/v2/pre-recorded/${id}`);
  expect(await stored()).toEqual([]);
});

test.each([
  ["silence", [silence(5)]],
  ["a tone", [tone(5, 440)]],
  ["noise", [noise(5, 0.1)]],
  ["a tenth of a second", [tone(0.1, 300)]],
  ["a single sample", [new Float32Array(1)]],
])("%s is done, with an empty transcript", async (_what, channels) => {
  const id = await submit(service, wav(channels));
  const job = await finished(service, id);
  expect(job.status).toBe("done");
  expect(job.result.transcription).toEqual({ full_transcript: "", languages: [], utterances: [] });
});

test("a recording that breaks off in the middle is transcribed up to there", async () => {
  const job = await finished(service, await submit(service, mp3.subarray(0, Math.floor(mp3.length * 0.7))));
  expect(job.status).toBe("done");
  expect(job.result.transcription.full_transcript).toMatch(/^Hello from/);
});

test("a recording that is damaged in the middle is transcribed before and behind it", async () => {
  const damaged = Buffer.concat([mp3, mp3]);
  const middle = Math.floor(damaged.length * 0.4);
  for (let at = middle; at < middle + 1_000; at++) damaged[at] = (at * 7_919) % 256;
  const job = await finished(service, await submit(service, damaged));
  expect(job.status).toBe("done");
  expect(job.result.transcription.full_transcript).toMatch(/hello from.*hello from/i);
});

test("a recording whose last sample is not whole is transcribed", async () => {
  const cut = wav([tone(0.5, 300), tone(0.5, 400)]).subarray(0, -3);
  const job = await finished(service, await submit(service, cut));
  expect(job.status).toBe("done");
  expect(job.result.metadata.audio_duration).toBeCloseTo(0.5, 2);
});

describe("a film", () => {
  let spoken: { channels: Float32Array[]; sampleRate: number; encoder: string };
  beforeAll(async () => {
    spoken = { channels: [await decodeSpeech()], sampleRate: 16_000, encoder: "aac" };
  });

  test("whose audio starts 5 s after the video has times that are 5 s later", async () => {
    const late = { ...spoken, timeOf: (seconds: number) => seconds + 5 };
    const subtitles = { subtitles: true, subtitles_config: { formats: ["srt", "vtt"] } };
    const film = await submit(service, await mediaBytes("mp4", { videoSeconds: 9, tracks: [late] }), subtitles);
    const alone = await finished(service, await submit(service, mp3));
    const { result } = await finished(service, film);
    const startOf = ({ transcription }: typeof result) => transcription.utterances[0].words[0].start as number;
    // A word's start is known to about 0.15 s.
    expect(Math.abs(startOf(result) - startOf(alone.result) - 5)).toBeLessThan(0.15);
    expect(Math.abs(result.metadata.audio_duration - alone.result.metadata.audio_duration - 5)).toBeLessThan(0.15);
    for (const { subtitles } of result.transcription.subtitles) expect(subtitles).toMatch(/00:00:05[,.]/);
  });

  test("with several audio tracks is transcribed from the first one with sound", async () => {
    const silent = { ...spoken, channels: [silence(2)], title: "Music" };
    const uploaded = await upload(service, await mediaBytes("mkv", { tracks: [silent, spoken] }));
    const { audio_url } = uploaded.json;
    const { id } = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } })).json;
    const { result } = await finished(service, id);
    expect(result.transcription.full_transcript).toMatch(/hello/i);
    expect(result.metadata).toMatchObject({ audio_track: 1, number_of_audio_tracks: 2 });
    expect(uploaded.json.audio_tracks).toMatchObject([
      { number: 0, codec: "aac", number_of_channels: 1, is_default: false, title: "Music" },
      { number: 1, codec: "aac", number_of_channels: 1, is_default: false },
    ]);
  });
});

test("a part of a recording is transcribed with times from the start of the recording", async () => {
  const { audio_url } = (await upload(service, wav([repeated(await decodeSpeech(), 3, 2)]))).json;
  const transcribed = async (params: object) => {
    const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url, ...params } });
    return finished(service, created.json.id);
  };
  const whole = await transcribed({});
  const { utterances } = whole.result.transcription;
  const wordsIn = (list: AnyJson[], from: number, to: number) =>
    list.flatMap(({ words }) => words).filter(({ start, end }: AnyJson) => start >= from && end <= to);
  const length = whole.result.metadata.audio_duration as number;
  const [start, end] = [length / 3, (2 * length) / 3];
  const part = await transcribed({ audio_range: { start, end } });
  const { metadata, transcription } = part.result;
  expect(metadata.audio_range.start).toBeCloseTo(start, 2);
  expect(metadata).toMatchObject({ audio_duration: metadata.audio_range.end });
  expect(metadata.billing_time).toBeCloseTo(end - start, 1);
  const expected = wordsIn(utterances, start, end);
  const found = transcription.utterances.flatMap(({ words }: AnyJson) => words);
  expect(expected.length).toBeGreaterThan(2);
  expect(found.map(({ word }: AnyJson) => word)).toEqual(expected.map(({ word }: AnyJson) => word));
  for (const [at, word] of found.entries()) expect(Math.abs(word.start - expected[at].start)).toBeLessThan(0.15);
  // The file is described as it is.
  expect(part.file.audio_duration).toBe(whole.file.audio_duration);

  const beyond = await transcribed({ audio_range: { start: 3_600 } });
  expect(beyond).toMatchObject({ status: "error", error_code: 400, error_details: { code: "media.empty_range" } });
  expect(beyond.error_message).toMatch(/^audio_range contains no audio: it starts at 3600 s/);
  const backwards = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url: "http://127.0.0.1/file.wav", audio_range: { start: 2, end: 1 } },
  });
  expect(backwards.status).toBe(400);
  expect(JSON.stringify(backwards.json)).toMatch(/audio_range.start must be less than audio_range.end/);
});

test("deleting a job removes its audio and its result", async () => {
  const id = await submit(service, mp3);
  await finished(service, id);
  expect((await stored()).length).toBeGreaterThan(1);
  const { items } = (await call(service, "GET", "/v2/pre-recorded?limit=1000")).json;
  for (const item of items) await call(service, "DELETE", `/v2/pre-recorded/${item.id}`);
  expect(await stored()).toEqual([]);
});

test("doubling a channel changes nothing; a second one is transcribed on its own", async () => {
  const speech = await finished(service, await submit(service, mp3));
  const download = await fetch(`${service.base}/v2/pre-recorded/${speech.id}/file`, {
    headers: { "x-service-key": "a-key-for-tests", range: "bytes=0-9" },
  });
  expect(download.status).toBe(206);
  expect(download.headers.get("content-range")).toBe(`bytes 0-9/${mp3.length}`);
  expect(Buffer.from(await download.arrayBuffer()).equals(mp3.subarray(0, 10))).toBe(true);
  const doubled = await finished(service, await submit(service, wav([tone(1, 440), tone(1, 440)])));
  expect(doubled.result.metadata).toMatchObject({ number_of_distinct_channels: 1, billing_time: 1 });
  const distinct = await finished(service, await submit(service, wav([tone(1, 440), silence(1)])));
  expect(distinct.result.metadata).toMatchObject({ number_of_distinct_channels: 2, billing_time: 2 });
  expect(distinct.file.number_of_channels).toBe(2);
});

test("a job can be cancelled while it waits or runs", async () => {
  const id = await submit(service, mp3);
  const refused = await call(service, "DELETE", `/v2/pre-recorded/${id}`);
  if (refused.status === 403) expect(refused.json.message).toMatch(/cancel=true/);
  const gone = await call(service, "DELETE", `/v2/pre-recorded/${id}?cancel=true`);
  expect([202, 404]).toContain(gone.status);
  expect((await call(service, "GET", `/v2/pre-recorded/${id}`)).status).toBe(404);
});

test("user name and password in an address open it, and stand in no answer and no log", async () => {
  const secret = `${address.replace("//", `//me:${PASSWORD}@`)}/private.mp3`;
  const shown = `${address}/private.mp3`;
  const answers: unknown[] = [];
  const uploaded = await call(service, "POST", "/v2/upload", { body: { audio_url: secret } });
  expect(uploaded.json.audio_metadata.source).toBe(shown);
  const wrong = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: secret.replace("me:", "you:") } });
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: secret } });
  answers.push(uploaded.json, created.json, await finished(service, wrong.json.id));
  const job = await finished(service, created.json.id);
  expect(job).toMatchObject({ status: "done", file: { source: shown }, request_params: { audio_url: shown } });
  answers.push(job, (await call(service, "GET", "/v2/pre-recorded")).json);
  answers.push((await call(service, "GET", `/v2/transcription/${wrong.json.id}`)).json);
  expect(answers[2]).toMatchObject({ status: "error", error_code: 401 });
  expect(JSON.stringify(answers) + service.log()).not.toContain(PASSWORD);
  for (const { id } of [created.json, wrong.json]) await call(service, "DELETE", `/v2/pre-recorded/${id}`);
});
