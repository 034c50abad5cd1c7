import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { LiveClient } from "../fixtures/live-client.ts";
import { parlance } from "../fixtures/parlance.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import { begin, patch } from "../fixtures/tus.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

/** Every table with its rows as text. */
async function rowsOf(folder: string): Promise<string[]> {
  const database = await openDatabase("", folder);
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(database);
    expect(tables.length).toBeGreaterThan(10);
    const all: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(database);
      all.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return all;
  } finally {
    await database.destroy();
  }
}

interface Filled {
  key: string;
  ids: string[];
  session: LiveClient;
}

/** An account with one of everything. */
async function fill(service: RunningService, name: string, speech: Float32Array): Promise<Filled> {
  await parlance(service.folder, "accounts", "create", name);
  const key = await parlance(service.folder, "keys", "create", "--account", name);
  const as = (method: string, route: string, body?: unknown) =>
    call(service, method, route, { key, ...(body ? { body } : {}) });
  const send = async (content: Uint8Array) => {
    const form = new FormData();
    form.append("audio", new Blob([content as never]), `${name}.wav`);
    return (await as("POST", "/v2/upload", form)).json;
  };
  const unused = await send(wav([silence(0.2)]));
  const short = await send(wav([speech]));
  const long = await send(wav([repeated(speech, 60, 0.3)]));
  // Nobody listens there: its callbacks stay pending.
  const params = { custom_metadata: { owner: name }, callback_url: "http://127.0.0.1:9/" };
  const done = (await as("POST", "/v2/pre-recorded", { audio_url: short.audio_url, ...params })).json.id;
  await expect.poll(async () => (await as("GET", `/v2/transcription/${done}`)).json.status).toBe("done");
  const corrected = { utterances: [{ index: 0, text: "Corrected words" }] };
  expect((await as("PATCH", `/v2/transcription/${done}/transcript`, corrected)).status).toBe(201);
  await as("GET", `/v2/transcription/${done}/peaks`);
  const running: string[] = [];
  for (let count = 0; count < 3; count++) {
    running.push((await as("POST", "/v2/pre-recorded", { audio_url: long.audio_url, ...params })).json.id);
  }
  await expect
    .poll(async () => (await as("GET", "/v2/pre-recorded?status=processing")).json.items.length)
    .toBeGreaterThan(0);
  const begun = await begin(service, 1_000, { "x-service-key": key });
  await patch(service, begun, 0, Buffer.alloc(500), { "x-service-key": key });
  const live = (await as("POST", "/v2/live", { sample_rate: 16_000, custom_metadata: { owner: name } })).json;
  const session = await LiveClient.connect(live.url);
  session.send(Buffer.from(encodePcm([speech])));
  await session.message(({ type }) => type === "audio_chunk");
  const files = [unused, short, long].map(({ audio_metadata }) => audio_metadata.id);
  const upload = begun.split("/").at(-1) as string;
  return { key, session, ids: [done, ...running, live.id, ...files, upload, key] };
}

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

test("an upload that ends after its account was deleted is refused and leaves nothing", {
  timeout: 180_000,
}, async () => {
  await parlance(service.folder, "accounts", "create", "slow");
  const key = await parlance(service.folder, "keys", "create", "--account", "slow");
  let send = (_: Uint8Array) => {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => controller.enqueue(bytes);
      end = () => controller.close();
    },
  });
  const content = Buffer.from(wav([silence(1)]));
  const answer = fetch(`${service.base}/v2/upload`, {
    method: "POST",
    body,
    duplex: "half",
    headers: { "x-service-key": key, "content-type": "multipart/form-data; boundary=part" },
  } as RequestInit);
  send(Buffer.from('--part\r\ncontent-disposition: form-data; name="audio"; filename="a.wav"\r\n\r\n'));
  send(content.subarray(0, 1000));
  await expect.poll(() => storedObjects(service.folder).length).toBe(1);
  await parlance(service.folder, "accounts", "delete", "slow", "--yes");
  await expect.poll(() => parlance(service.folder, "accounts", "list"), { interval: 300 }).not.toMatch(/slow/);
  send(content.subarray(1000));
  send(Buffer.from("\r\n--part--\r\n"));
  end();
  expect((await answer).status).toBe(401);
  await expect.poll(() => storedObjects(service.folder)).toEqual([]);
});

/** Removals of uploads are repeated a minute later, for a process that was making the file. */
const REMOVAL_OF_UPLOAD = /^object_removals \((uploads|audio)\//;

test("nothing of an account is left: no row, no object, no live folder; other accounts keep theirs", {
  timeout: 240_000,
}, async () => {
  const speech = await decodeSpeech();
  const kept = await submit(service, wav([speech]));
  await finished(service, kept);
  const { key, ids, session } = await fill(service, "acme", speech);

  await expect(parlance(service.folder, "accounts", "delete", "default", "--yes")).rejects.toThrow(/default account/);
  await expect(parlance(service.folder, "accounts", "delete", "nobody", "--yes")).rejects.toThrow(/no account nobody/);
  await expect(parlance(service.folder, "accounts", "delete", "acme")).rejects.toThrow(/--yes/);
  expect((await call(service, "GET", "/v2/account", { key })).status).toBe(200);

  await parlance(service.folder, "accounts", "delete", "acme", "--yes");
  expect(String((await session.closed).code)).toMatch(/^440[13]$/);
  await expect.poll(async () => (await call(service, "GET", "/v2/account", { key })).status).toBe(401);
  // A kill in the middle: the next start continues the deletion, unless it had ended.
  await service.kill();
  const logOfKilled = service.log();
  service = await startService({ folder: service.folder });
  await expect
    .poll(() => parlance(service.folder, "accounts", "list"), { timeout: 60_000, interval: 500 })
    .not.toMatch(/acme/);
  await expect
    .poll(() => logOfKilled + service.log())
    .toMatch(/"audit":true,"account":"acme".*deleted with everything/);
  expect((await call(service, "GET", `/v2/transcription/${kept}`)).json.status).toBe("done");
  const { folder } = service;
  await service.stop();
  const rows = await rowsOf(folder);
  const left = rows.filter(
    (row) => !REMOVAL_OF_UPLOAD.test(row) && (/acme/.test(row) || ids.some((id) => row.includes(id))),
  );
  expect(left).toEqual([]);
  const objects = storedObjects(folder).filter((file) => ids.some((id) => file.includes(id)));
  expect(objects).toEqual([]);
  expect(storedObjects(folder).some((file) => file.includes(kept))).toBe(true);
  // The name is free again.
  await parlance(folder, "accounts", "create", "acme");
});
