// Links with which people without a key read one transcript, and nothing else.
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FORMATS } from "../../src/contract/transcript-formats.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { parlance } from "../fixtures/parlance.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, newDataFolder, type RunningService, ready, startService, upload } from "../service.ts";

const UNAVAILABLE = /^This link opens no transcript: it is incomplete, has expired or was revoked/;
const ADDONS = { diarization: true, summarization: true, chapterization: true };

let folder: string;
let service: RunningService;
let recording: Uint8Array;
let id: string;

const start = () => startService({ folder });

beforeAll(async () => {
  folder = await newDataFolder();
  service = await start();
  await ready(service);
  recording = wav([repeated(await decodeSpeech(), 2, 2)]);
  const uploaded = await upload(service, recording, "secret-plan.wav");
  const created = await call(service, "POST", "/v2/pre-recorded", {
    body: {
      audio_url: uploaded.json.audio_url,
      ...ADDONS,
      custom_metadata: { client: "metadata-of-the-account" },
      custom_vocabulary: ["vocabulary-of-the-account"],
      callback_url: "http://127.0.0.1:9/callback-of-the-account",
    },
  });
  id = created.json.id;
  await finished(service, id);
  const path = `/v2/transcription/${id}`;
  await call(service, "PATCH", path, { body: { name: "Interview with Anna" } });
  const change = { utterances: [{ index: 0, text: "Corrected words." }], speakers: [{ speaker: 0, name: "Anna" }] };
  expect((await call(service, "PATCH", `${path}/transcript`, { body: change })).status).toBe(201);
  const note = { start: 0, end: 60, text: "note-of-the-account" };
  expect((await call(service, "POST", `${path}/notes`, { body: note })).status).toBe(201);
});
afterAll(() => service?.remove());

const path = () => `/v2/transcription/${id}/shares`;
async function make(body: object = {}, key?: string) {
  const { status, json, text } = await call(service, "POST", path(), { body, ...(key === undefined ? {} : { key }) });
  expect(status, text).toBe(201);
  return json as { id: string; token: string; page: string; created_at: string; expires_at: string; audio: boolean };
}
const read = (token: string, route = "", headers: Record<string, string> = {}) =>
  call(service, "GET", `/v2/shared${route}`, { key: null, headers: { authorization: `Bearer ${token}`, ...headers } });
const list = async () => (await call(service, "GET", path())).json.items as { id: string; opened_at: string | null }[];

async function expectRefused(token: string) {
  for (const route of ["", "/transcript", "/transcript?format=txt", "/audio"]) {
    const { status, json } = await read(token, route);
    expect(status, route).toBe(404);
    expect(json.message).toMatch(UNAVAILABLE);
  }
}

test("a reader without a key receives the corrected transcript, its summary and its exports, and nothing of the account", async () => {
  const { token, page } = await make();
  expect(page).toBe(`${service.base}/shared#${token}`);
  const shared = await read(token);
  expect(shared.headers.get("cache-control")).toBe("no-store");
  expect(shared.json).toEqual({
    title: "Interview with Anna",
    created_at: expect.any(String),
    duration: expect.any(Number),
    expires_at: expect.any(String),
    audio: false,
  });
  const { json } = await read(token, "/transcript");
  expect(Object.keys(json)).toEqual([
    ...["languages", "speakers", "paragraphs", "summary", "chapters", "translations"],
  ]);
  expect(json.paragraphs[0]).toMatchObject({ text: expect.stringMatching(/^Corrected words\./), speaker: 0 });
  expect(json.speakers[0]).toEqual({ speaker: 0, name: "Anna" });
  expect(json.summary).not.toBe("");

  for (const format of FORMATS) {
    const { status, headers, text } = await read(token, `/transcript?format=${format}`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(`${text}${headers.get("content-disposition")}`, format).not.toMatch(/-of-the-account|secret-plan/);
    expect(text, format).not.toContain(id);
    if (format !== "docx") expect(text, format).toContain("Corrected words");
  }
  const file = await fetch(new URL(`/v2/shared/transcript?format=docx&token=${token}`, service.base));
  const xml = Buffer.from(unzipSync(new Uint8Array(await file.arrayBuffer()))["word/document.xml"] ?? []).toString();
  expect(xml).toContain("Corrected words");
  expect(xml).not.toContain("note-of-the-account");
  for (const more of ["corrected=false", "notes=true"]) {
    expect((await read(token, `/transcript?format=txt&${more}`)).status).toBe(400);
  }
  expect((await read(token, "/transcript?format=vtt")).text).toMatch(/^WEBVTT/);
  expect((await read(token, "/transcript?format=txt&speakers=false")).text).not.toContain("Anna");
});

test("the token opens nothing else, and is neither stored nor logged", async () => {
  const { token } = await make({ audio: true });
  const routes = ["/v2/account", "/v2/transcription", `/v2/transcription/${id}`, path(), `/v2/pre-recorded/${id}/file`];
  for (const route of routes) {
    for (const headers of [{ authorization: `Bearer ${token}` }, { "x-service-key": token }]) {
      expect((await call(service, "GET", route, { key: null, headers })).status, route).toBe(401);
    }
    expect((await call(service, "GET", `${route}?token=${token}`, { key: null })).status, route).toBe(401);
  }
  await read(token);
  await call(service, "GET", `/v2/shared/audio?token=${token}`, { key: null });
  expect((await call(service, "GET", path())).text).not.toContain(token);
  expect(service.log()).not.toContain(token);
});

test("the recording is sent with byte ranges if the link allows it, under the name of the transcript", async () => {
  const [silent, loud] = [await make(), await make({ audio: true })];
  expect((await read(silent.token, "/audio")).json.message).toBe("Audio of this job not found");
  expect((await read(loud.token)).json.audio).toBe(true);
  const whole = await fetch(new URL(`/v2/shared/audio?token=${loud.token}`, service.base));
  expect(whole.headers.get("content-disposition")).toContain("Interview with Anna.wav");
  expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(recording))).toBe(true);
  const part = await read(loud.token, "/audio", { range: "bytes=100-199" });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe(`bytes 100-199/${recording.length}`);
  expect(part.headers.get("content-length")).toBe("100");
  expect((await read(loud.token, "/audio", { range: `bytes=${recording.length}-` })).status).toBe(416);
});

test("a wrong, an expired, a revoked and a missing token have one answer; the open links are listed", async () => {
  const [short, revoked, open] = [await make({ expires_in: 1 }), await make(), await make({ audio: true })];
  for (const { token } of [short, revoked, open]) expect((await read(token)).status).toBe(200);
  expect((await call(service, "DELETE", `${path()}/${revoked.id}`)).status).toBe(202);
  expect((await call(service, "DELETE", `${path()}/${revoked.id}`)).status).toBe(404);
  await expect.poll(async () => (await read(short.token)).status).toBe(404);
  const wrong = `${open.token.slice(0, -1)}${open.token.endsWith("A") ? "B" : "A"}`;
  for (const token of [wrong, short.token, revoked.token, "", "none"]) await expectRefused(token);
  expect((await call(service, "GET", "/v2/shared", { key: null })).json.message).toMatch(UNAVAILABLE);
  // A key of the account is no link.
  expect((await call(service, "GET", "/v2/shared")).status).toBe(404);

  const items = await list();
  const ids = items.map((one) => one.id);
  expect(ids[0]).toBe(open.id);
  expect(ids).not.toContain(short.id);
  expect(ids).not.toContain(revoked.id);
  expect(items[0]).toEqual({
    id: open.id,
    created_at: open.created_at,
    made_by: "PARLANCE_API_KEY",
    expires_at: open.expires_at,
    audio: true,
    opened_at: expect.any(String),
  });
});

test("a link is open for a week by default and for 90 days at most", async () => {
  const { created_at, expires_at } = await make();
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000);
  const tooLong = await call(service, "POST", path(), { body: { expires_in: 90 * 86_400 + 1 } });
  expect(tooLong.status).toBe(400);
  expect(tooLong.json.validation_errors[0]).toMatch(/expires_in/);
  expect((await call(service, "POST", path(), { body: { expires_in: 0 } })).status).toBe(400);
});

test("another account neither makes, lists nor revokes links of the transcript; a link ends with the key that made it", async () => {
  const { id: share, token } = await make();
  await parlance(service.folder, "accounts", "create", "other");
  const key = await parlance(service.folder, "keys", "create", "--account", "other");
  expect((await call(service, "POST", path(), { body: {}, key })).status).toBe(404);
  expect((await call(service, "GET", path(), { key })).status).toBe(404);
  expect((await call(service, "DELETE", `${path()}/${share}`, { key })).status).toBe(404);
  expect((await call(service, "POST", path(), { body: {}, key: null })).status).toBe(401);
  expect((await read(token)).status).toBe(200);
  // A link of another transcript.
  expect((await call(service, "DELETE", `/v2/transcription/${share}/shares/${share}`)).status).toBe(404);
  expect((await call(service, "DELETE", `${path()}/none`)).status).toBe(404);

  const made = await call(service, "POST", "/v2/account/keys", { body: { name: "Laptop" } });
  const own = await make({}, made.json.key);
  expect((await list())[0]).toMatchObject({ id: own.id, made_by: "Laptop" });
  await call(service, "DELETE", `/v2/account/keys/${made.json.id}`);
  await expectRefused(own.token);
  expect((await list()).map((one) => one.id)).not.toContain(own.id);
});

test("a live session is shared as a recording is, once it has ended", async () => {
  const session = await createSession(service, { endpointing: 0.3 });
  const open = await call(service, "POST", `/v2/transcription/${session.id}/shares`, { body: {} });
  expect(open.status).toBe(409);
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([await decodeSpeech()]));
  client.stop();
  await client.closed;
  await finished(service, session.id);
  const { json } = await call(service, "POST", `/v2/transcription/${session.id}/shares`, { body: { audio: true } });
  expect((await read(json.token)).json).toMatchObject({ audio: true, title: null });
  expect((await read(json.token, "/transcript")).json.paragraphs[0].text).toMatch(/hello/i);
  expect((await read(json.token, "/audio")).status).toBe(200);
});

test("a job without a transcript cannot be shared", async () => {
  const body = { audio_url: "https://recordings.invalid/a.wav" };
  const unfinished = (await call(service, "POST", "/v2/pre-recorded", { body })).json.id;
  const { status, json } = await call(service, "POST", `/v2/transcription/${unfinished}/shares`, { body: {} });
  expect(status).toBe(409);
  expect(json.message).toMatch(/there is a transcript once it is done/);
});

test("a link works after a kill of the service, and ends when the transcript is deleted", async () => {
  const { token } = await make();
  await service.kill();
  service = await start();
  await ready(service);
  expect((await read(token, "/transcript")).json.paragraphs[0].text).toMatch(/^Corrected words\./);
  expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
  await expectRefused(token);
});
