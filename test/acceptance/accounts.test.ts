// Accounts: keys made and revoked from the command line while the service runs, isolation, limits. accounts.slow.test.ts: the command line
// without the service, fair turns, retention.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { parlance } from "../fixtures/parlance.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { contentOf } from "../fixtures/stored-objects.ts";
import { Tenant } from "../fixtures/tenant.ts";
import { call, finished, type RunningService, startService, submit, TEST_KEY, upload } from "../service.ts";

const ZEROS = "00000000-0000-0000-0000-000000000000";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

describe("keys from the command line", () => {
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
      expect(contentOf(path.join(file.parentPath, file.name)).includes(key), file.name).toBe(false);
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
      ["DELETE", `/file/${fileId}`],
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

  test("the key in the environment still belongs to the default account", async () => {
    expect((await call(service, "GET", "/v2/account", { key: TEST_KEY })).json.name).toBe("default");
  });
});

describe("limits of an account", () => {
  let narrow: Tenant;
  let wide: Tenant;
  beforeAll(async () => {
    narrow = await Tenant.create(service, "narrow");
    wide = await Tenant.create(service, "wide");
  });

  const limit = (...args: string[]) => parlance(service.folder, "accounts", "limit", "narrow", ...args);

  test("requests a second: 429 with Retry-After, and only for this account", async () => {
    await limit("--requests-per-second", "2");
    const answers = await Promise.all(Array.from({ length: 6 }, () => narrow.call("GET", "/v2/live")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.json.message).toMatch(/2 requests a second/);
    const others = await Promise.all(Array.from({ length: 6 }, () => wide.call("GET", "/v2/live")));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    await limit("--requests-per-second", "default");
  });

  test("upload size and audio length", async () => {
    await limit("--upload-bytes", "20000", "--audio-seconds", "0");
    await limit("--audio-seconds", "1");
    const form = new FormData();
    form.append("audio", new Blob([wav([silence(1)]) as never]), "audio.wav");
    const refused = await narrow.call("POST", "/v2/upload", form);
    expect(refused.status).toBe(413);
    await limit("--upload-bytes", "default");
    const job = await narrow.until(await narrow.transcribe(await narrow.upload(wav([silence(2)]))));
    expect(job).toMatchObject({ status: "error", error_code: 413 });
    await limit("--audio-seconds", "default");
  });

  test("live sessions: the next one is refused until one ends", async () => {
    await limit("--live-sessions", "1");
    const make = () => narrow.call("POST", "/v2/live", {});
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
    const made = await Promise.all(Array.from({ length: 6 }, () => narrow.call("POST", "/v2/live", body)));
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
});
