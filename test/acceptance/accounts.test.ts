// Accounts: keys made and revoked from the command line while the service runs, isolation, limits, fair turns,
// retention.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import { call, finished, type RunningService, startService, submit, TEST_KEY, upload } from "../service.ts";

const run = promisify(execFile);

/** The command line on a service's data folder. */
async function parlance(folder: string, ...args: string[]): Promise<string> {
  const environment = { PATH: process.env["PATH"] ?? "", PARLANCE_DATA_DIR: folder };
  const { stdout } = await run(process.execPath, ["bin/parlance.js", ...args], { env: environment });
  return stdout.trim();
}

const ZEROS = "00000000-0000-0000-0000-000000000000";

describe("keys from the command line", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("a key made while the service runs is accepted at once, listed without itself, and refused once revoked", async () => {
    await parlance(service.folder, "accounts", "create", "acme");
    const key = await parlance(service.folder, "keys", "create", "--account", "acme", "--name", "build");
    const probe = () => call(service, "GET", `/v2/pre-recorded/${ZEROS}`, { key });
    expect((await probe()).status).toBe(404);
    const list = await parlance(service.folder, "keys", "list");
    expect(list).not.toContain(key);
    const line = list.split("\n").find((text) => text.includes("build"));
    expect(line).toContain("acme");
    const id = line?.split(" ")[0] ?? "";
    await parlance(service.folder, "keys", "revoke", id);
    expect((await probe()).status).toBe(401);
    await expect(parlance(service.folder, "keys", "revoke", id)).rejects.toThrow(/There is no key/);
    // Not even the database's files hold the key itself.
    const files = readdirSync(service.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const file of files) {
      expect(readFileSync(path.join(file.parentPath, file.name)).includes(key), file.name).toBe(false);
    }
  });

  test.each([
    [["accounts", "create", "a b"], /An account's name has/],
    [["accounts", "limit", "nobody", "--live-sessions", "1"], /There is no account nobody/],
    [["accounts", "limit", "default", "--live-sessions", "some"], /--live-sessions must be a whole number/],
    [["accounts", "limit", "default"], /name a limit/],
    [["keys", "create", "--account", "nobody"], /There is no account nobody/],
    [["keys", "revoke"], /missing required argument 'id'/],
    [["keys"], /Usage: parlance keys/],
  ])("%j is refused with the reason", async (args, message) => {
    await expect(parlance(service.folder, ...args)).rejects.toThrow(message);
  });

  test("two accounts do not see each other anywhere", async () => {
    await parlance(service.folder, "accounts", "create", "other");
    const key = await parlance(service.folder, "keys", "create", "--account", "other");
    const uploaded = await upload(service, readFileSync(HELLO_MP3));
    const own = await submit(service, wav([silence(0.2)]));
    await finished(service, own);
    const session = await createSession(service);
    const fileId = uploaded.json.audio_metadata.id;
    const routes = [
      ...["transcription", "pre-recorded", "live"].flatMap((kind) =>
        [own, session.id].flatMap((id) => [
          ["GET", `/v2/${kind}/${id}`],
          ["GET", `/v2/${kind}/${id}/file`],
          ["GET", `/v2/${kind}/${id}/deliveries`],
          ["POST", `/v2/${kind}/${id}/deliveries/${id}/replay`],
          ["DELETE", `/v2/${kind}/${id}?cancel=true`],
        ]),
      ),
      ["PATCH", `/v2/live/${session.id}`],
      ["GET", `/file/${fileId}`],
    ] as const;
    for (const [method, route] of routes) {
      const body = method === "PATCH" ? { a: 1 } : undefined;
      const { status } = await call(service, method ?? "", route ?? "", { key, ...(body ? { body } : {}) });
      expect(status, `${method} ${route}`).toBe(404);
    }
    for (const kind of ["transcription", "pre-recorded", "live"]) {
      expect((await call(service, "GET", `/v2/${kind}`, { key })).json.items).toEqual([]);
    }
    const stolen = await call(service, "POST", "/v2/pre-recorded", {
      key,
      body: { audio_url: uploaded.json.audio_url },
    });
    expect(stolen.status).toBe(422);
    expect((await call(service, "GET", `/v2/transcription/${own}`)).status).toBe(200);
  });

  test("keys are made and limits set without the service, too", async () => {
    const folder = service.folder;
    await service.stop();
    const key = await parlance(folder, "keys", "create", "--name", "offline");
    service = await startService({ folder });
    expect((await call(service, "GET", "/v2/account", { key })).json.name).toBe("default");
  });
});

describe("limits of an account", () => {
  let service: RunningService;
  let speech: Float32Array;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    speech = await decodeSpeech();
    service = await startService({ environment: { PARLANCE_CONCURRENT_JOBS: "2" } });
    for (const name of ["narrow", "wide"]) {
      await parlance(service.folder, "accounts", "create", name);
      keys[name] = await parlance(service.folder, "keys", "create", "--account", name);
    }
  });
  afterAll(() => service.remove());

  const as = (name: string) => ({ key: keys[name] as string });
  const limit = (...args: string[]) => parlance(service.folder, "accounts", "limit", "narrow", ...args);

  async function create(name: string, content: Uint8Array): Promise<string> {
    const form = new FormData();
    form.append("audio", new Blob([content as never]), "audio.wav");
    const uploaded = await call(service, "POST", "/v2/upload", { body: form, ...as(name) });
    const body = { audio_url: uploaded.json.audio_url };
    return (await call(service, "POST", "/v2/pre-recorded", { body, ...as(name) })).json.id;
  }
  async function ended(name: string, id: string) {
    for (;;) {
      const { json } = await call(service, "GET", `/v2/transcription/${id}`, as(name));
      if (json.completed_at) return json;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test("requests a second: 429 with Retry-After, and only for this account", async () => {
    await limit("--requests-per-second", "2");
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(service, "GET", "/v2/live", as("narrow"))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.json.message).toMatch(/2 requests a second/);
    const others = await Promise.all(Array.from({ length: 6 }, () => call(service, "GET", "/v2/live", as("wide"))));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    await limit("--requests-per-second", "default");
  });

  test("upload size and audio length", async () => {
    await limit("--upload-bytes", "20000", "--audio-seconds", "0");
    await limit("--audio-seconds", "1");
    const form = new FormData();
    form.append("audio", new Blob([wav([silence(1)]) as never]), "audio.wav");
    const refused = await call(service, "POST", "/v2/upload", { body: form, ...as("narrow") });
    expect(refused.status).toBe(413);
    await limit("--upload-bytes", "default");
    const job = await ended("narrow", await create("narrow", wav([silence(2)])));
    expect(job).toMatchObject({ status: "error", error_code: 413 });
    await limit("--audio-seconds", "default");
  });

  test("live sessions: the next one is refused until one ends", async () => {
    await limit("--live-sessions", "1");
    const make = () => call(service, "POST", "/v2/live", { body: {}, ...as("narrow") });
    const [first, second] = [await make(), await make()];
    const client = await LiveClient.connect(first.json.url);
    client.send(Buffer.alloc(3_200));
    await client.message(({ type }) => type === "audio_chunk");
    const third = await make();
    expect(third.status).toBe(429);
    expect(third.headers.get("retry-after")).toBeTruthy();
    const late = await LiveClient.connect(second.json.url);
    expect((await late.closed).code).toBe(4429);
    client.stop();
    await client.closed;
    expect((await make()).status).toBe(201);
    await limit("--live-sessions", "default");
  });

  test("live sessions that connect at the same moment: no more begin than are allowed", async () => {
    await limit("--live-sessions", "2");
    const body = { messages_config: { receive_lifecycle_events: true } };
    const made = await Promise.all(
      Array.from({ length: 6 }, () => call(service, "POST", "/v2/live", { body, ...as("narrow") })),
    );
    const clients = await Promise.all(made.map(({ json }) => LiveClient.connect(json.url)));
    const outcomes = await Promise.all(
      clients.map((client) =>
        Promise.race([
          client.message(({ type }) => type === "start_recording").then(() => "begun"),
          client.closed.then(({ code }) => code),
        ]),
      ),
    );
    expect(outcomes.sort()).toEqual([4429, 4429, 4429, 4429, "begun", "begun"]);
    for (const client of clients.filter(({ socket }) => socket.readyState === socket.OPEN)) {
      client.stop();
      await client.closed;
    }
    await limit("--live-sessions", "default");
  });

  test("jobs over the limit wait; accounts take turns", { timeout: 240_000 }, async () => {
    await limit("--concurrent-jobs", "1");
    const long = wav([repeated(speech, 12, 0.3)]);
    const many: string[] = [];
    for (let count = 0; count < 6; count++) many.push(await create("narrow", long));
    const one = await create("wide", long);
    const place = (await call(service, "GET", `/v2/transcription/${many[5]}`, as("narrow"))).json.progress;
    expect(place.queue_position).toBeGreaterThan(3);
    let most = 0;
    const watch = async () => {
      for (;;) {
        const { json } = await call(service, "GET", "/v2/pre-recorded?status=processing", as("narrow"));
        most = Math.max(most, json.items.length);
        const left = await call(service, "GET", "/v2/pre-recorded?status=queued,processing", as("narrow"));
        if (left.json.items.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    };
    await watch();
    expect(most).toBe(1);
    const jobs = await Promise.all(many.map((id) => ended("narrow", id)));
    const other = await ended("wide", one);
    expect(jobs.every(({ status }) => status === "done")).toBe(true);
    // It came last and was served long before the others were through.
    const earlier = jobs.filter(({ completed_at }) => completed_at < other.completed_at);
    expect(earlier.length).toBeLessThan(4);
    await limit("--concurrent-jobs", "default");
  });
});

describe("retention", () => {
  const DAYS_OF_SECONDS = 1 / 86_400;

  async function gone(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error("it stayed");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  test("audio goes and the result stays; then all of the job goes", async () => {
    let service = await startService();
    const id = await submit(service, wav([silence(0.5)]));
    const job = await finished(service, id);
    const unused = (await upload(service, wav([silence(0.5)]))).json.audio_metadata.id;
    const objects = () => storedObjects(service.folder).length;
    expect(objects()).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await service.stop();
    const { folder } = service;
    service = await startService({
      folder,
      environment: { PARLANCE_AUDIO_RETENTION_DAYS: String(DAYS_OF_SECONDS) },
    });
    await gone(async () => (await call(service, "GET", `/v2/transcription/${id}/file`)).status === 404);
    await gone(async () => (await call(service, "GET", `/file/${unused}`)).status === 404);
    const kept = (await call(service, "GET", `/v2/transcription/${id}`)).json;
    expect(kept.result).toEqual(job.result);
    expect(kept.file).toEqual(job.file);
    const again = await call(service, "POST", "/v2/pre-recorded", {
      body: { audio_url: `${service.base}${new URL(job.request_params.audio_url).pathname}` },
    });
    expect(again.status).toBe(422);
    expect(objects()).toBe(1);
    await service.stop();
    service = await startService({
      folder,
      environment: { PARLANCE_RESULT_RETENTION_DAYS: String(DAYS_OF_SECONDS) },
    });
    await gone(async () => (await call(service, "GET", `/v2/transcription/${id}`)).status === 404);
    await gone(async () => objects() === 0);
    await service.remove();
  });

  test("the key in the environment still belongs to the default account", async () => {
    const service = await startService();
    expect((await call(service, "GET", "/v2/account", { key: TEST_KEY })).json.name).toBe("default");
    await service.remove();
  });
});
