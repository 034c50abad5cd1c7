import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FetchAddress } from "../addresses/fetch-address.ts";
import { type SafeFetchOptions, safeGet } from "./safe-fetch.ts";

const get = (address: string, options: SafeFetchOptions) => safeGet(FetchAddress.of(address), options);

/** What the server received with each path. */
const received: { path: string; authorization?: string; cookie?: string }[] = [];
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    const { authorization, cookie } = headers;
    received.push({ path, ...(authorization ? { authorization } : {}), ...(cookie ? { cookie } : {}) });
    const to = new URL(path, "http://localhost").searchParams.get("to");
    if (to !== null) {
      response.writeHead(302, { location: to, "set-cookie": ["visit=1; Path=/", "elsewhere=2; Path=/other"] }).end();
      return;
    }
    if (request.url === "/away") response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    else if (request.url === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
    else if (request.url === "/slow") setTimeout(() => response.end("late"), 5_000).unref();
    else response.end("here");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  received.length = 0;
});

const open = { tenant: "a", allowPrivateAddresses: true, timeoutMilliseconds: 5_000, minimumBytesPerSecond: 0 };
const closed = { tenant: "a", allowPrivateAddresses: false, timeoutMilliseconds: 5_000, minimumBytesPerSecond: 0 };

test("an allowed address is fetched", async () => {
  const { body } = await get(`http://127.0.0.1:${port}/`, open);
  expect(await text(body)).toBe("here");
});

test("a name that resolves to our own machine is refused when it is looked up", async () => {
  // The machine's own name is no forbidden string; its address is refused.
  await expect(get(`http://${os.hostname()}:${port}/`, closed)).rejects.toMatchObject({
    code: expect.stringMatching(/^fetch\.(address_not_allowed|failed)$/),
  });
  await expect(get(`http://127.0.0.1:${port}/`, closed)).rejects.toMatchObject({
    code: "fetch.address_not_allowed",
  });
});

test("a redirect is judged like a first address", async () => {
  await expect(get(`http://127.0.0.1:${port}/file`, open)).rejects.toMatchObject({
    code: "fetch.address_not_allowed",
  });
});

test("slow hosts and closed ports fail alike, without telling which", async () => {
  const slow = get(`http://127.0.0.1:${port}/slow`, { ...open, timeoutMilliseconds: 200 });
  await expect(slow).rejects.toMatchObject({ code: "fetch.failed", status: 424 });
  const nobody = await get("http://127.0.0.1:1/", open).catch((error: Error) => error);
  expect((nobody as Error).message).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
});

const BASIC = `Basic ${Buffer.from("üser:p@ss:word").toString("base64")}`;

test("user name and password of an address are sent to its origin, also after a redirect there", async () => {
  const host = `127.0.0.1:${port}`;
  const { body, url } = await get(`http://%C3%BCser:p%40ss%3Aword@${host}/?to=/next`, open);
  expect(await text(body)).toBe("here");
  expect(received.map(({ authorization }) => authorization)).toEqual([BASIC, BASIC]);
  expect(url.href).toBe(`http://${host}/next`);
});

test("they are not sent to another origin, and are sent again on the way back", async () => {
  const back = encodeURIComponent(`http://127.0.0.1:${port}/back`);
  const away = encodeURIComponent(`http://localhost:${port}/?to=${back}`);
  await (await get(`http://%C3%BCser:p%40ss%3Aword@127.0.0.1:${port}/?to=${away}`, open)).body.resume();
  expect(received.map(({ authorization }) => authorization)).toEqual([BASIC, undefined, BASIC]);
});

test("cookies of a redirect are sent to the same host and path, and not in the next fetch", async () => {
  const address = `http://127.0.0.1:${port}/?to=/next`;
  for (let fetch = 0; fetch < 2; fetch++) (await get(address, open)).body.resume();
  expect(received.map(({ path, cookie }) => [path, cookie])).toEqual([
    ["/?to=/next", undefined],
    ["/next", "visit=1"],
    ["/?to=/next", undefined],
    ["/next", "visit=1"],
  ]);
});

test("cookies of one host are not sent to another", async () => {
  const other = encodeURIComponent(`http://localhost:${port}/next`);
  (await get(`http://127.0.0.1:${port}/?to=${other}`, open)).body.resume();
  expect(received.map(({ cookie }) => cookie)).toEqual([undefined, undefined]);
});
