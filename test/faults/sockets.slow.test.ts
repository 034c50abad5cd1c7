// Connections of strangers, byte by byte: request lines and upgrades that are none, resets, silence, floods. None of them ends the
// service, holds a descriptor without a limit of time, or makes memory grow.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { residentBytes } from "../../src/platform/process/resident-memory.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import {
  closeCode,
  eventually,
  frame,
  openFilesOf,
  RawSocket,
  rawWebSocket,
  requestHead,
  socketsOf,
  WEBSOCKET_HEADERS,
} from "../fixtures/raw-socket.ts";
import { noise, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

const isLinux = process.platform === "linux";
let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_STALL_SECONDS: "2" } });
  await ready(service);
}, 60_000);
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service.remove();
});

const memory = () => residentBytes(service.processId) ?? Number.NaN;
const lives = async () => expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
const liveUrl = (token: string) => `${service.base.replace("http", "ws")}/v2/live?token=${token}`;

describe("requests that are no requests", () => {
  const TARGETS = [
    "//",
    "///",
    "/\\",
    "http://",
    "http://[::1",
    "http://x:99999/v2/live",
    "*",
    "/%",
    "/%00",
    "/\u00ff",
    "?",
    "x",
    "//[/v2/live",
  ];
  test.each(TARGETS)("an upgrade of %j is answered 4xx", async (target) => {
    for (const upgrade of ["websocket", "h2c", "x"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const head = requestHead(`${method} ${target} HTTP/1.1`, {
          ...WEBSOCKET_HEADERS,
          upgrade,
          connection: "Upgrade, close",
        });
        const answer = await RawSocket.exchange(service.base, Buffer.from(head, "latin1"));
        expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      }
    }
    await lives();
  });

  test("an upgrade to a protocol that is not spoken here is ignored", async () => {
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
    const answer = await RawSocket.exchange(service.base, requestHead("GET /health HTTP/1.1", headers));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const body = JSON.stringify({ sample_rate: 16_000 });
    const posted = await RawSocket.exchange(
      service.base,
      requestHead("POST /v2/live HTTP/1.1", {
        ...headers,
        "x-service-key": TEST_KEY,
        "content-type": "application/json",
        "content-length": String(body.length),
      }) + body,
    );
    expect(posted).toMatch(/^HTTP\/1\.1 201 /);
    const other = await RawSocket.exchange(service.base, requestHead("GET /socket.io/ HTTP/1.1", WEBSOCKET_HEADERS));
    expect(other).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("a target in absolute form is a target", async () => {
    const { url } = await createSession(service);
    const { pathname, search, host } = new URL(url);
    const raw = await RawSocket.open(service.base);
    raw.send(requestHead(`GET http://${host}${pathname}${search} HTTP/1.1`, WEBSOCKET_HEADERS));
    await raw.until(/\r\n\r\n/);
    expect(raw.status).toBe(101);
    raw.reset();
  });

  test("a Host header that is no host is no fault of the service", async () => {
    for (const host of ["[::1", "a b", ":", "x:99999999", "%00", "@", ""]) {
      for (const path of ["/asyncapi.json", "/openapi.json", "/v2/live"]) {
        const head = requestHead(`GET ${path} HTTP/1.1`, { host, connection: "close", "x-service-key": TEST_KEY });
        expect(Number(/^HTTP\/1\.1 (\d+)/.exec(await RawSocket.exchange(service.base, head))?.[1])).toBeLessThan(500);
      }
    }
  });
});

describe("upgrades that are refused", () => {
  const refused = requestHead("GET /v2/live HTTP/1.1", { ...WEBSOCKET_HEADERS, "sec-websocket-key": "x" });

  test("a client that resets its connection", async () => {
    for (const head of [
      refused,
      requestHead("GET /socket.io/ HTTP/1.1", WEBSOCKET_HEADERS),
      requestHead("GET // HTTP/1.1", { ...WEBSOCKET_HEADERS, upgrade: "h2c" }),
    ]) {
      for (let count = 0; count < 20; count++) {
        const raw = await RawSocket.open(service.base);
        raw.send(head);
        if (count % 2 === 0) await raw.until(/./);
        raw.reset();
      }
    }
    await lives();
  });

  test.skipIf(!isLinux)("no descriptor stays with clients that keep their side open", async () => {
    const before = socketsOf(service.processId);
    const clients = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(service.base)));
    for (const raw of clients) {
      raw.socket.pause();
      raw.send(refused);
    }
    await eventually(() => socketsOf(service.processId) <= before, 20_000, "refused upgrades are closed");
    for (const raw of clients) {
      raw.socket.resume();
      await raw.closed;
      expect(raw.status).toBe(400);
    }
  });

  test.skipIf(!isLinux)(
    "a wrong token: nothing is collected, and the connection ends whatever the client does",
    async () => {
      const before = { memory: memory(), sockets: socketsOf(service.processId) };
      const clients = await Promise.all(Array.from({ length: 8 }, () => rawWebSocket(liveUrl("wrong"))));
      const started = performance.now();
      // Each a part of one large frame, and frames as small as they come.
      const large = frame(2, Buffer.alloc(1_000_000), { length: 30_000_000 });
      const small = Buffer.concat(Array.from({ length: 10_000 }, () => frame(2, Buffer.from("ab"))));
      for (const [at, raw] of clients.entries()) {
        const flood = () => {
          while (raw.socket.writable && raw.socket.write(at % 2 === 0 ? small : Buffer.alloc(65_536)));
        };
        if (at % 2 === 1) raw.send(large);
        raw.socket.on("drain", flood);
        flood();
      }
      await Promise.all(clients.map((raw) => raw.closed));
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(memory() - before.memory).toBeLessThan(150e6);
      await eventually(() => socketsOf(service.processId) <= before.sockets, 20_000, "all are closed");
      await lives();
    },
  );

  test("a client with a wrong token is sent the close code at once", async () => {
    const client = await LiveClient.connect(liveUrl("wrong"));
    client.send(Buffer.alloc(3_200));
    expect(await client.closed).toMatchObject({ code: 4401 });
    const raw = await rawWebSocket(liveUrl("wrong"));
    raw.send(Buffer.concat([frame(2, Buffer.alloc(70_000)), frame(9, Buffer.from("ping"))]));
    await raw.closed;
    expect(closeCode(raw.received)).toBe(4401);
  });
});

describe("silence", () => {
  test("connections without a whole request head are closed", { timeout: 60_000 }, async () => {
    const clients = await Promise.all(
      ["", "GET", "GET /health HTTP/1.1\r\nhost: x\r\nx-a: "].map(async (bytes) => {
        const raw = await RawSocket.open(service.base);
        if (bytes !== "") raw.send(bytes);
        return raw;
      }),
    );
    // One sends another header now and then: the time is for the whole head.
    const timer = setInterval(() => clients[2]?.send("y\r\nx-b: "), 500);
    await Promise.all(clients.map((raw) => raw.closed));
    clearInterval(timer);
    for (const raw of clients) expect(raw.status).toBe(408);
  });

  test.skipIf(!isLinux)(
    "no more than a thousand of them stay, and others are answered",
    { timeout: 180_000 },
    async () => {
      const before = socketsOf(service.processId);
      const clients: RawSocket[] = [];
      for (let count = 0; count < 1_200; count++) clients.push(await RawSocket.open(service.base));
      const first = clients.slice(0, 150);
      await Promise.all(first.map((raw) => raw.closed));
      // The service closed them to admit the others, not because their time was over.
      for (const raw of first) expect(raw.status).not.toBe(408);
      await eventually(() => socketsOf(service.processId) <= before + 1_000, 20_000, "no more stay");
      await lives();
      for (const raw of clients) raw.reset();
    },
  );

  test("the administration's port has the same limits", async () => {
    const { port } = JSON.parse(readFileSync(path.join(service.folder, "administration.json"), "utf8")) as {
      port: number;
    };
    const administration = `http://127.0.0.1:${port}`;
    for (const bytes of ["\0\r\n\r\n", "GET // HTTP/1.1\r\n\r\n", requestHead("GET /x HTTP/1.1", WEBSOCKET_HEADERS)]) {
      const raw = await RawSocket.open(administration);
      raw.send(bytes);
      await raw.until(/\r\n\r\n/);
      expect(raw.status).toBeGreaterThanOrEqual(400);
      raw.reset();
    }
    // Held open until the service stops, at the end of this file.
    await RawSocket.open(administration);
    await lives();
  });
});

describe("connections that are kept open", () => {
  test.skipIf(!isLinux)(
    "requests that were sent ahead give everything back when their client leaves",
    {
      timeout: 90_000,
    },
    async () => {
      const id = await submit(service, wav([noise(60, 0.1)]));
      await finished(service, id);
      const key = { "x-service-key": TEST_KEY };
      const ask = (route: string) => requestHead(`GET /v2/transcription/${id}/${route} HTTP/1.1`, key);
      // The embedded database opens its files when it needs them, for example for statistics.
      const open = () => openFilesOf(service.processId).filter((file) => !file.includes("/database/"));
      const before = open().length;
      for (let count = 0; count < 60; count++) {
        const raw = await RawSocket.open(service.base);
        raw.socket.pause();
        raw.send(ask(count % 2 === 0 ? "file" : "transcript?format=docx").repeat(20));
        await new Promise((resolve) => setTimeout(resolve, count % 20));
        raw.reset();
      }
      await expect.poll(() => (open().length <= before + 10 ? [] : open()), { timeout: 45_000 }).toEqual([]);
      await lives();
    },
  );

  test.skipIf(!isLinux)(
    "no more than four thousand idle ones stay, and others are answered",
    {
      timeout: 180_000,
    },
    async () => {
      const before = socketsOf(service.processId);
      const clients: RawSocket[] = [];
      const began = performance.now();
      const openIdle = async () => {
        const raw = await RawSocket.open(service.base);
        raw.send(requestHead("GET /health HTTP/1.1"));
        await raw.until(/\r\n\r\n/);
        return raw;
      };
      try {
        // Few at a time, because a connection is idle only when its request is answered.
        while (clients.length < 4_200) clients.push(...(await Promise.all(Array.from({ length: 50 }, openIdle))));
        await Promise.all(clients.slice(0, 150).map((raw) => raw.closed));
        // Idle connections are closed after 72 s in any case.
        expect(performance.now() - began).toBeLessThan(70_000);
        await eventually(() => socketsOf(service.processId) <= before + 4_000, 20_000, "no more stay");
        await lives();
      } finally {
        for (const raw of clients) raw.reset();
        await eventually(() => socketsOf(service.processId) <= before + 5, 20_000, "they are closed");
      }
    },
  );
});

describe("bodies", () => {
  const multipart = (bytes: number) => ({
    head: requestHead("POST /v2/upload HTTP/1.1", {
      "x-service-key": TEST_KEY,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": String(bytes),
      connection: "close",
    }),
    part: '--x\r\ncontent-disposition: form-data; name="audio"; filename="a.raw"\r\n\r\n',
  });

  test("an upload that stalls is answered 408", async () => {
    const raw = await RawSocket.open(service.base);
    const { head, part } = multipart(1_000_000);
    raw.send(head + part + "a".repeat(20_000));
    await raw.closed;
    expect(raw.status).toBe(408);
    expect(raw.text).toContain("arrives too slowly");
  });

  test("an upload that trickles is answered 408", async () => {
    const raw = await RawSocket.open(service.base);
    const { head, part } = multipart(1_000_000);
    raw.send(head + part);
    const timer = setInterval(() => raw.send("a"), 20);
    await raw.closed;
    clearInterval(timer);
    expect(raw.status).toBe(408);
  });

  test("a body of a stranger that trickles ends, too, also when it was answered", async () => {
    const raw = await RawSocket.open(service.base);
    raw.send(requestHead("POST /v2/live HTTP/1.1", { "content-type": "application/json", "content-length": "90000" }));
    const timer = setInterval(() => raw.send(" "), 20);
    await raw.closed;
    clearInterval(timer);
    expect(raw.status).toBe(401);
  });

  test("a slow but steady upload passes", async () => {
    const raw = await RawSocket.open(service.base);
    const wav = Buffer.alloc(16_044);
    wav.write(
      "RIFF\x24\x3e\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\0\x3e\0\0",
      "latin1",
    );
    const { part } = multipart(0);
    const end = "\r\n--x--\r\n";
    raw.send(multipart(part.length + wav.length + end.length).head + part);
    // 1 kB/s: twice the least, over eight times the time of the limit.
    for (let at = 0; at < wav.length; at += 200) {
      raw.send(wav.subarray(at, at + 200));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    raw.send(end);
    await raw.closed;
    expect(raw.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.skipIf(!isLinux)("an answer that is not read ends", async () => {
    const before = socketsOf(service.processId);
    const raw = await RawSocket.open(service.base);
    raw.socket.pause();
    for (let count = 0; count < 90; count++) raw.send(requestHead("GET /openapi.json HTTP/1.1"));
    await eventually(() => socketsOf(service.processId) > before, 10_000, "it is connected");
    await eventually(() => socketsOf(service.processId) <= before, 15_000, "it is disconnected");
    raw.reset();
  });
});
