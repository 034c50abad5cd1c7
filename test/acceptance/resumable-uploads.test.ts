// Uploads that resume (tus 1.0.0): the protocol's rules, cut connections, a service that is killed, limits and expiry.
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { randomOf } from "../fixtures/random.ts";
import { rawRequest } from "../fixtures/raw-request.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import {
  base64,
  begin,
  OFFSET_TYPE,
  offsetOf,
  openPatch,
  patch,
  RESUMABLE,
  storedBytes,
  tus,
} from "../fixtures/tus.ts";
import { call, finished, newDataFolder, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const MEGABYTE = 1_000_000;
/** Stored and counted at once (src/service/uploads/resumable-uploads.ts). */
const PART = 8 * 1024 * 1024;

let folder: string;
let service: RunningService;
let speech: Float32Array;
/** 24 MB that a decoder reads. */
let large: Buffer;

const environment = { PARLANCE_CORS_ORIGINS: "https://app.example", PARLANCE_MAX_FILE_BYTES: "50000000" };

beforeAll(async () => {
  folder = await newDataFolder();
  speech = await decodeSpeech();
  const random = randomOf(7);
  large = wav([Float32Array.from({ length: 12 * MEGABYTE }, () => random() / 10)]);
  service = await startService({ folder, environment });
  await ready(service);
});
afterAll(() => service?.remove());

const content = async (id: string) => {
  const response = await fetch(`${service.base}/file/${id}`, { headers: { "x-service-key": TEST_KEY } });
  return Buffer.from(await response.arrayBuffer());
};
const idOf = (place: string) => place.split("/").at(-1) as string;
/** Stored parts, and in one process also those that are growing. */
const partsOf = (place: string) => storedObjects(folder).filter((file) => file.startsWith(`uploads/${idOf(place)}/`));
const sizesOf = (place: string) => partsOf(place).map((file) => statSync(path.join(folder, "objects", file)).size);

describe("the protocol", () => {
  test("OPTIONS describes the service without a key", async () => {
    const { status, headers } = await rawRequest(service, "OPTIONS", RESUMABLE);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      "tus-resumable": "1.0.0",
      "tus-version": "1.0.0",
      "tus-extension": "creation,creation-defer-length,creation-with-upload,expiration,termination,checksum",
      "tus-max-size": "50000000",
      "tus-checksum-algorithm": "sha1,sha256",
    });
  });

  test("a page of an allowed origin may send the requests and read the headers", async () => {
    const preflight = await rawRequest(service, "OPTIONS", RESUMABLE, {
      origin: "https://app.example",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "tus-resumable,upload-offset,x-service-key",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(preflight.headers["access-control-allow-headers"]).toContain("upload-offset");
    const answer = await tus(service, "POST", RESUMABLE, { origin: "https://app.example", "upload-length": "10" });
    expect(answer.status).toBe(201);
    const exposed = String(answer.headers["access-control-expose-headers"]).toLowerCase().split(", ");
    for (const name of ["location", "upload-offset", "upload-length", "upload-expires", "parlance-audio-url"])
      expect(exposed).toContain(name);
  });

  test("a file comes in three requests, is described as an upload is, and is transcribed", async () => {
    const bytes = wav([repeated(speech, 2, 0.3)]);
    const place = await begin(service, bytes.length);
    expect(place).toMatch(/^\/v2\/upload\/resumable\/[0-9a-f-]{36}$/);
    const cuts = [0, 1, 30_000, bytes.length];
    let answer = await tus(service, "HEAD", place);
    expect(answer.headers).toMatchObject({
      "upload-offset": "0",
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${base64("talk.wav")},filetype ${base64("audio/wav")}`,
      "cache-control": "no-store",
    });
    for (const [at, start] of cuts.slice(0, -1).entries()) {
      const end = cuts[at + 1] as number;
      answer = await patch(service, place, start, bytes.subarray(start, end));
      expect(answer.status, answer.text).toBe(204);
      expect(answer.headers["upload-offset"]).toBe(String(end));
      const hours = (Date.parse(String(answer.headers["upload-expires"])) - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(23);
      expect(hours).toBeLessThan(25);
    }
    const audioUrl = String(answer.headers["parlance-audio-url"]);
    const { json } = await call(service, "GET", place);
    expect(json).toMatchObject({ offset: bytes.length, length: bytes.length, filename: "talk.wav" });
    expect(json.upload).toMatchObject({
      audio_url: audioUrl,
      audio_metadata: { filename: "talk.wav", extension: "wav", size: bytes.length, number_of_channels: 1 },
      audio_track: 0,
    });
    expect(await content(json.upload.audio_metadata.id)).toEqual(bytes);
    expect(partsOf(place)).toEqual([]);
    // An answer that was lost is requested again.
    expect((await tus(service, "HEAD", place)).headers["parlance-audio-url"]).toBe(audioUrl);
    expect((await patch(service, place, bytes.length, Buffer.alloc(0))).headers["upload-offset"]).toBe(
      String(bytes.length),
    );
    const job = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: audioUrl } })).json;
    expect((await finished(service, job.id)).result.transcription.full_transcript).toMatch(/hello from the/i);
  });

  test("the request that begins an upload may have its first bytes, or all of them", async () => {
    const bytes = wav([speech]);
    const whole = await tus(
      service,
      "POST",
      RESUMABLE,
      { "upload-length": String(bytes.length), "content-type": OFFSET_TYPE },
      bytes,
    );
    expect([whole.status, whole.headers["upload-offset"]]).toEqual([201, String(bytes.length)]);
    expect(whole.headers["parlance-audio-url"]).toMatch(/^http:\/\/.+\/file\//);
    const some = await tus(
      service,
      "POST",
      RESUMABLE,
      { "upload-length": String(bytes.length), "content-type": OFFSET_TYPE },
      bytes.subarray(0, 5_000),
    );
    expect([some.status, some.headers["upload-offset"]]).toEqual([201, "5000"]);
    const rest = await patch(service, String(some.headers.location), 5_000, bytes.subarray(5_000));
    expect(rest.headers["upload-offset"]).toBe(String(bytes.length));
  });

  test.each<[string, number, string, Record<string, string>, RegExp]>([
    ["no version", 412, "POST", { "tus-resumable": "", "upload-length": "5" }, /Tus-Resumable: 1.0.0. It is missing/],
    ["another version", 412, "POST", { "tus-resumable": "0.2.0", "upload-length": "5" }, /instead of 0.2.0/],
    ["no length", 400, "POST", {}, /Upload-Length is required/],
    ["a negative length", 400, "POST", { "upload-length": "-1" }, /whole number of bytes/],
    ["a deferral that is not 1", 400, "POST", { "upload-defer-length": "yes" }, /Upload-Defer-Length must be 1/],
    ["two lengths", 400, "POST", { "upload-defer-length": "1", "upload-length": "5" }, /beside Upload-Length/],
    ["a concatenation", 400, "POST", { "upload-length": "5", "upload-concat": "partial" }, /Upload-Concat is not/],
    ["an empty file", 400, "POST", { "upload-length": "0" }, /file is empty/],
    ["a file over the limit", 413, "POST", { "upload-length": "50000001" }, /larger than the 50 MB allowed/],
    ["broken metadata", 400, "POST", { "upload-length": "5", "upload-metadata": "filename ?" }, /not base64/],
    ["another key", 401, "POST", { "upload-length": "5", "x-service-key": "wrong" }, /unknown or revoked/],
    ["PATCH by POST without the header", 404, "POST /x", {}, /X-HTTP-Method-Override/],
    ["an unknown upload", 404, "PATCH /x", { "upload-offset": "0", "content-type": OFFSET_TYPE }, /Upload not found/],
    ["no offset", 400, "PATCH /own", { "content-type": OFFSET_TYPE }, /Upload-Offset is required/],
    ["another content type", 415, "PATCH /x", { "upload-offset": "0", "content-type": "audio/wav" }, /offset\+octet/],
    ["a compressed body", 415, "PATCH /x", { "content-encoding": "gzip", "upload-offset": "0" }, /uncompressed/],
    [
      "an unknown checksum",
      400,
      "PATCH /own",
      { "upload-offset": "0", "content-type": OFFSET_TYPE, "upload-checksum": "crc9 YQ==" },
      /sha1,sha256/,
    ],
  ])("%s is answered %d", async (_, status, request, headers, reason) => {
    const [method = "", place = ""] = request.split(" ");
    const unknown = place === "" ? RESUMABLE : `${RESUMABLE}/00000000-0000-0000-0000-000000000000`;
    const target = place === "/own" ? await begin(service, 5) : unknown;
    const answer = await tus(service, method, target, headers, method === "PATCH" ? Buffer.from("12345") : undefined);
    expect(answer.status, answer.text).toBe(status);
    expect(JSON.parse(answer.text).message).toMatch(reason);
    expect(answer.headers["tus-resumable"]).toBe("1.0.0");
    if (status === 412) expect(answer.headers["tus-version"]).toBe("1.0.0");
  });

  test("bytes for another offset, and beyond the length, are not stored", async () => {
    const place = await begin(service, 10);
    expect((await patch(service, place, 5, Buffer.from("12345"))).status).toBe(409);
    const long = await patch(service, place, 0, Buffer.alloc(11));
    expect([long.status, JSON.parse(long.text).message]).toEqual([413, expect.stringContaining("beyond the 10 bytes")]);
    // Without a content-length, the end is found while it is read.
    const chunked = await patch(service, place, 0, Buffer.alloc(11), { "transfer-encoding": "chunked" });
    expect(chunked.status).toBe(413);
    expect(await offsetOf(service, place)).toBe(0);
    expect(partsOf(place)).toEqual([]);
  });

  test("a recording is sent while it is made: its length comes last", async () => {
    const bytes = wav([speech]);
    const place = await begin(service, 0, { "upload-length": "", "upload-defer-length": "1" });
    const head = (await tus(service, "HEAD", place)).headers;
    expect([head["upload-defer-length"], head["upload-length"], head["upload-offset"]]).toEqual(["1", undefined, "0"]);
    for (const [start, end] of [
      [0, 20_000],
      [20_000, 50_000],
    ] as const)
      expect((await patch(service, place, start, bytes.subarray(start, end))).headers["upload-offset"]).toBe(`${end}`);
    expect((await call(service, "GET", place)).json).toMatchObject({ offset: 50_000, length: null, upload: null });
    const short = await patch(service, place, 50_000, Buffer.alloc(0), { "upload-length": "49999" });
    expect([short.status, JSON.parse(short.text).message]).toEqual([
      400,
      expect.stringMatching(/less than the 50000 b/),
    ]);
    const long = await patch(service, place, 50_000, Buffer.alloc(0), { "upload-length": "50000001" });
    expect([long.status, JSON.parse(long.text).message]).toEqual([413, expect.stringMatching(/larger than the 50 MB/)]);
    const beyond = await patch(service, place, 50_000, bytes.subarray(50_000), { "upload-length": "50001" });
    expect(beyond.status).toBe(413);
    const decided = await patch(service, place, 50_000, Buffer.from("1"), { "upload-length": "60000" });
    expect(decided.headers["upload-offset"]).toBe("50001");
    const other = await patch(service, place, 50_001, Buffer.alloc(0), { "upload-length": `${bytes.length}` });
    expect([other.status, JSON.parse(other.text).message]).toEqual([400, expect.stringMatching(/must stay 60000/)]);
    expect((await tus(service, "HEAD", place)).headers).toMatchObject({ "upload-length": "60000" });

    const whole = await begin(service, 0, { "upload-length": "", "upload-defer-length": "1" });
    await patch(service, whole, 0, bytes);
    const last = await patch(service, whole, bytes.length, Buffer.alloc(0), { "upload-length": `${bytes.length}` });
    expect(last.headers["parlance-audio-url"], last.text).toMatch(/^http:\/\/.+\/file\//);
    expect(await content(idOf(whole))).toEqual(bytes);
  });

  test("a recording without a length is bounded by the largest file", async () => {
    const place = await begin(service, 0, { "upload-length": "", "upload-defer-length": "1" });
    const most = Buffer.alloc(50_000_000);
    const announced = await openPatch(service, place, 0, most.length + 1).answer;
    expect([announced?.status, announced?.text]).toEqual([413, expect.stringMatching(/larger than the 50 MB/)]);
    expect((await patch(service, place, 0, most)).status).toBe(204);
    const more = await patch(service, place, most.length, Buffer.alloc(1), { "transfer-encoding": "chunked" });
    expect([more.status, JSON.parse(more.text).message]).toEqual([413, expect.stringMatching(/larger than the 50 MB/)]);
    const empty = await begin(service, 0, { "upload-length": "", "upload-defer-length": "1" });
    expect((await patch(service, empty, 0, Buffer.alloc(0), { "upload-length": "0" })).status).toBe(400);
  });

  test("a body with another checksum is not stored", async () => {
    const place = await begin(service, 10);
    const body = Buffer.from("12345");
    const checksum = (text: string) => `sha1 ${createHash("sha1").update(text).digest("base64")}`;
    const wrong = await patch(service, place, 0, body, { "upload-checksum": checksum("54321") });
    expect([wrong.status, JSON.parse(wrong.text).message]).toEqual([460, expect.stringContaining("another sha1")]);
    expect(partsOf(place)).toEqual([]);
    const right = await patch(service, place, 0, body, { "upload-checksum": checksum("12345") });
    expect([right.status, right.headers["upload-offset"]]).toEqual([204, "5"]);
  });

  test("clients without PATCH, HEAD and DELETE name them in a header", async () => {
    const place = await begin(service, 10);
    const post = (override: string, headers = {}, body?: Buffer) =>
      tus(service, "POST", place, { "x-http-method-override": override, ...headers }, body);
    const stored = await post("PATCH", { "upload-offset": "0", "content-type": OFFSET_TYPE }, Buffer.from("1234"));
    expect([stored.status, stored.headers["upload-offset"]]).toEqual([204, "4"]);
    expect((await post("HEAD")).headers["upload-offset"]).toBe("4");
    expect((await post("DELETE")).status).toBe(204);
    expect((await tus(service, "HEAD", place)).status).toBe(404);
  });

  test("behind a proxy, the address has the proxy's prefix", async () => {
    const place = await begin(service, 10, { "x-forwarded-prefix": "/speech" });
    expect(place).toMatch(/^(\/speech)?\/v2\/upload\/resumable\//);
  });

  test("a deleted upload is gone, with its bytes; a deleted complete one, too", async () => {
    const place = await begin(service, 10);
    await patch(service, place, 0, Buffer.from("12345"));
    expect(partsOf(place)).toHaveLength(1);
    expect((await tus(service, "DELETE", place)).status).toBe(204);
    expect((await tus(service, "DELETE", place)).status).toBe(404);
    expect(partsOf(place)).toEqual([]);
    const bytes = wav([speech]);
    const complete = await begin(service, bytes.length);
    await patch(service, complete, 0, bytes);
    expect((await tus(service, "DELETE", complete)).status).toBe(204);
    expect((await call(service, "GET", `/file/${idOf(complete)}`)).status).toBe(404);
  });

  test("an upload whose file was deleted is gone: clients that remember it begin a new one", async () => {
    const bytes = wav([speech]);
    const { headers } = await tus(
      service,
      "POST",
      RESUMABLE,
      { "upload-length": String(bytes.length), "content-type": OFFSET_TYPE },
      bytes,
    );
    const place = String(headers.location);
    expect((await tus(service, "HEAD", place)).status).toBe(200);
    expect((await call(service, "DELETE", `/file/${idOf(place)}`)).status).toBe(202);
    for (const method of ["HEAD", "GET", "DELETE"]) expect((await tus(service, method, place)).status).toBe(404);
  });

  test("a file that cannot be decoded is refused as by POST /v2/upload, and its bytes are removed", async () => {
    const bytes = Buffer.from("This is not a recording. ".repeat(500));
    const place = await begin(service, bytes.length);
    const form = new FormData();
    form.append("audio", new Blob([bytes]), "talk.wav");
    const expected = (await call(service, "POST", "/v2/upload", { body: form })).json.message;
    const last = await patch(service, place, 0, bytes);
    expect([last.status, JSON.parse(last.text).message]).toEqual([400, expected]);
    // The answer may have been lost: every byte is there, and GET has the reason.
    expect(await offsetOf(service, place)).toBe(bytes.length);
    const read = await call(service, "GET", place);
    expect([read.status, read.json.message]).toEqual([400, expected]);
    expect(partsOf(place)).toEqual([]);
    expect(existsSync(path.join(folder, "objects", "audio", idOf(place)))).toBe(false);
  });

  test("another account does not see an upload", async () => {
    const place = await begin(service, 10);
    await parlance(folder, "accounts", "create", "other");
    const key = { "x-service-key": await parlance(folder, "keys", "create", "--account", "other") };
    for (const method of ["GET", "HEAD", "DELETE"]) expect((await tus(service, method, place, key)).status).toBe(404);
    expect((await patch(service, place, 0, Buffer.from("1"), key)).status).toBe(404);
    expect(await offsetOf(service, place)).toBe(0);
  });
});

describe("interruptions", () => {
  test("what arrives before a cut is kept; the rest makes the file whole", async () => {
    const place = await begin(service, large.length);
    const open = openPatch(service, place, 0, large.length);
    await open.send(large.subarray(0, 12 * MEGABYTE));
    await expect.poll(() => storedBytes(service, place)).toBe(PART);
    open.cut();
    // A part that is not full is stored, too.
    await expect.poll(() => storedBytes(service, place)).toBeGreaterThan(11 * MEGABYTE);
    const offset = await offsetOf(service, place);
    expect(offset).toBeLessThanOrEqual(12 * MEGABYTE);
    const rest = await patch(service, place, offset, large.subarray(offset));
    expect(rest.status, rest.text).toBe(204);
    expect(sha256(await content(idOf(place)))).toBe(sha256(large));
  });

  test("the offset that HEAD asks for ends the request that is silent, and counts what it has sent", async () => {
    const place = await begin(service, large.length);
    const silent = openPatch(service, place, 0, large.length);
    await silent.send(large.subarray(0, 3 * MEGABYTE));
    // The service has them in a file that is not counted yet.
    await expect.poll(() => Math.max(0, ...sizesOf(place))).toBeGreaterThan(2 * MEGABYTE);
    const offset = await offsetOf(service, place);
    expect(offset).toBeGreaterThan(2 * MEGABYTE);
    const ended = await silent.answer;
    if (ended)
      expect([ended.status, JSON.parse(ended.text).message]).toEqual([409, expect.stringContaining("newer request")]);
    const rest = await patch(service, place, offset, large.subarray(offset));
    expect(rest.status, rest.text).toBe(204);
    expect(sha256(await content(idOf(place)))).toBe(sha256(large));
  });

  test("of two requests for the same offset the newer one continues; no byte is stored twice", async () => {
    const place = await begin(service, large.length);
    const older = openPatch(service, place, 0, large.length);
    await older.send(large.subarray(0, MEGABYTE));
    await expect.poll(() => partsOf(place).length).toBe(1);
    const newer = await patch(service, place, 0, large);
    expect(newer.status, newer.text).toBe(204);
    older.cut();
    expect(sha256(await content(idOf(place)))).toBe(sha256(large));
    // The older request removes its own part.
    await expect.poll(() => partsOf(place)).toEqual([]);
  });

  test("the service is killed during a request and started again: the upload continues, with the same bytes", async () => {
    const place = await begin(service, large.length);
    const open = openPatch(service, place, 0, large.length);
    await open.send(large.subarray(0, 20 * MEGABYTE));
    await expect.poll(() => storedBytes(service, place)).toBe(2 * PART);
    await service.kill();
    service = await startService({ folder, environment });
    const offset = await offsetOf(service, place);
    expect(offset).toBe(2 * PART);
    const rest = await patch(service, place, offset, large.subarray(offset));
    expect(rest.status, rest.text).toBe(204);
    expect(sha256(await content(idOf(place)))).toBe(sha256(large));
    expect(partsOf(place)).toEqual([]);
  });

  test("a service that stops keeps what it has received", async () => {
    const place = await begin(service, large.length);
    const open = openPatch(service, place, 0, large.length);
    await open.send(large.subarray(0, 11 * MEGABYTE));
    await expect.poll(() => storedBytes(service, place)).toBe(PART);
    await expect.poll(() => sizesOf(place).filter((size) => size > 0).length).toBe(2);
    expect(await service.stop()).toBe(0);
    service = await startService({ folder, environment });
    // The rest may have been in buffers of the connection.
    expect(await offsetOf(service, place)).toBeGreaterThan(PART);
  });
});

describe("limits", () => {
  test("unfinished uploads of an account are bounded in number and bytes, and expire", async () => {
    await parlance(folder, "accounts", "create", "limited");
    const key = { "x-service-key": await parlance(folder, "keys", "create", "--account", "limited") };
    const attempt = (length: number) => tus(service, "POST", RESUMABLE, { ...key, "upload-length": String(length) });
    expect(await service.stop()).toBe(0);
    service = await startService({
      folder,
      environment: {
        ...environment,
        PARLANCE_MAX_UNFINISHED_UPLOADS: "2",
        PARLANCE_MAX_UNFINISHED_UPLOAD_BYTES: "60000000",
        PARLANCE_UPLOAD_EXPIRY_HOURS: "0.002",
      },
    });
    const place = await begin(service, 30_000_000, key);
    await patch(service, place, 0, Buffer.from("12345"), key);
    const full = await attempt(30_000_001);
    expect([full.status, JSON.parse(full.text).message]).toEqual([429, expect.stringContaining("60 MB together")]);
    expect(Number(full.headers["retry-after"])).toBeGreaterThan(0);
    expect((await attempt(10)).status).toBe(201);
    const many = await attempt(10);
    expect([many.status, JSON.parse(many.text).message]).toEqual([429, expect.stringContaining("2 uploads of this")]);
    await expect.poll(async () => (await tus(service, "HEAD", place, key)).status, { timeout: 20_000 }).toBe(410);
    expect((await patch(service, place, 5, Buffer.from("12345"), key)).status).toBe(410);
    // A service that starts removes what has expired.
    expect(await service.stop()).toBe(0);
    service = await startService({ folder, environment });
    await expect.poll(async () => (await tus(service, "HEAD", place, key)).status).toBe(404);
    await expect.poll(() => partsOf(place)).toEqual([]);
    expect((await attempt(10)).status).toBe(201);
  });
});
