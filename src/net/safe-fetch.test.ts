import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { safeGet } from "./safe-fetch.ts";

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
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

const open = { tenant: "a", allowPrivateAddresses: true, timeoutMilliseconds: 5_000, minimumBytesPerSecond: 0 };
const closed = { tenant: "a", allowPrivateAddresses: false, timeoutMilliseconds: 5_000, minimumBytesPerSecond: 0 };

test("an allowed address is fetched", async () => {
  const { body } = await safeGet(`http://127.0.0.1:${port}/`, open);
  expect(await text(body)).toBe("here");
});

test("a name that resolves to our own machine is refused when it is looked up", async () => {
  // The machine's own name is no forbidden string: only its address tells.
  await expect(safeGet(`http://${os.hostname()}:${port}/`, closed)).rejects.toMatchObject({
    code: expect.stringMatching(/^fetch\.(address_not_allowed|failed)$/),
  });
  await expect(safeGet(`http://127.0.0.1:${port}/`, closed)).rejects.toMatchObject({
    code: "fetch.address_not_allowed",
  });
});

test("a redirect is judged like a first address", async () => {
  await expect(safeGet(`http://127.0.0.1:${port}/file`, open)).rejects.toMatchObject({
    code: "fetch.address_not_allowed",
  });
});

test("slow hosts and closed ports fail alike, without telling which", async () => {
  const slow = safeGet(`http://127.0.0.1:${port}/slow`, { ...open, timeoutMilliseconds: 200 });
  await expect(slow).rejects.toMatchObject({ code: "fetch.failed", status: 424 });
  const nobody = await safeGet("http://127.0.0.1:1/", open).catch((error: Error) => error);
  expect((nobody as Error).message).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
});
