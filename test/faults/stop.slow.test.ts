// Stops with clients that do all they can to keep the service from stopping: it closes what is silent at once, waits for what is under
// way until the deadline, and ends in order whatever it had to cut.
import { existsSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { frame, RawSocket, rawWebSocket, requestHead } from "../fixtures/raw-socket.ts";
import { storedObjects } from "../fixtures/stored-objects.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const DEADLINE_SECONDS = 10;
/** Child processes and the database take their time to end; all of it stays below the deadline for requests. */
const AT_ONCE_MILLISECONDS = 8_000;

let service: RunningService;
beforeEach(async () => {
  service = await startService({
    environment: { PARLANCE_WORKERS: "1", PARLANCE_SHUTDOWN_SECONDS: String(DEADLINE_SECONDS) },
  });
  await ready(service);
}, 120_000);
afterEach(() => service.remove());

const uploadHead = requestHead("POST /v2/upload HTTP/1.1", {
  "x-service-key": TEST_KEY,
  "content-type": "multipart/form-data; boundary=x",
  "content-length": "5000000",
});
const part = '--x\r\ncontent-disposition: form-data; name="audio"; filename="a.raw"\r\n\r\n';

function exited(): Promise<number | null> {
  return service.stop();
}

/** The service has read the head of an upload and stores its bytes. */
const uploadBegun = () => expect.poll(() => storedObjects(service.folder).length).toBe(1);

function expectInOrder(): void {
  expect(service.log()).toContain('"msg":"stopped"');
  expect(service.log()).not.toMatch(/did not stop (in order|cleanly)/);
}

test("silent connections of every kind are closed at once", async () => {
  const clients: RawSocket[] = [];
  const open = async (bytes: string) => {
    const raw = await RawSocket.open(service.base);
    clients.push(raw);
    if (bytes !== "") raw.send(bytes);
    return raw;
  };
  await open("");
  await open("GET / HT");
  await open("GET /health HTTP/1.1\r\nhost: x\r\nx-a: ");
  await open(uploadHead);
  await open(`${uploadHead}${part}${"a".repeat(100_000)}`);
  await open(requestHead("POST /v2/live HTTP/1.1", { "content-length": "10" }));
  const idle = await open(requestHead("GET /health HTTP/1.1"));
  await idle.until(/200 OK/);
  const { url } = await createSession(service);
  const deaf = await rawWebSocket(url);
  deaf.socket.pause();
  deaf.send(frame(2, Buffer.alloc(3_200)));
  const before = performance.now();
  const code = await exited();
  expect(performance.now() - before).toBeLessThan(AT_ONCE_MILLISECONDS);
  expect(code).toBe(0);
  expectInOrder();
  await Promise.all(clients.map((raw) => raw.closed));
  deaf.reset();
});

test("a longer request is cut at the deadline, and everything else stops in order", async () => {
  const raw = await RawSocket.open(service.base);
  raw.send(uploadHead + part);
  const timer = setInterval(() => raw.send("a".repeat(1_000)), 100);
  await uploadBegun();
  const before = performance.now();
  const code = await exited();
  clearInterval(timer);
  expect(performance.now() - before).toBeGreaterThan(DEADLINE_SECONDS * 900);
  expect(code).toBe(0);
  expectInOrder();
  expect(existsSync(path.join(service.folder, "administration.json"))).toBe(false);
});

test("an upload that ends before the deadline is answered", async () => {
  const raw = await RawSocket.open(service.base);
  const end = "\r\n--x--\r\n";
  const bytes = 10_000;
  const head = uploadHead.replace("5000000", String(part.length + bytes + end.length));
  raw.send(`${head}${part}aaaa`);
  await uploadBegun();
  const stopped = exited();
  for (let sent = 4; sent < bytes; sent += 1_000) {
    raw.send("a".repeat(Math.min(1_000, bytes - sent)));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  raw.send(end);
  await raw.closed;
  // What it is answered is the upload's matter: these bytes are no audio.
  expect(raw.text).toContain("cannot be decoded");
  expect(await stopped).toBe(0);
});

test("further signals do not break a stop off", async () => {
  const raw = await RawSocket.open(service.base);
  raw.send(uploadHead + part);
  const timer = setInterval(() => raw.send("a".repeat(1_000)), 100);
  await uploadBegun();
  const stopped = exited();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGTERM"] as const) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(service.processId, signal);
  }
  expect(await stopped).toBe(0);
  clearInterval(timer);
  expectInOrder();
});

test("a terminal that is closed stops it like any other signal", async () => {
  const client = await LiveClient.connect((await createSession(service)).url);
  client.send(Buffer.alloc(3_200));
  await client.message(({ type }) => type === "audio_chunk");
  process.kill(service.processId, "SIGHUP");
  expect((await client.closed).code).toBe(1012);
  // The code of the process that ended by SIGHUP.
  expect(await exited()).toBe(0);
  expectInOrder();
});

test("a stop while the service starts", async () => {
  await service.stop();
  // The port is open before the models are loaded.
  const again = await startService({ folder: service.folder, environment: { PARLANCE_WORKERS: "2" } });
  expect((await call(again, "GET", "/health", { key: null })).status).toBe(200);
  expect(await again.stop()).toBe(0);
});
