// Files that change, disappear or end early while they are sent.
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendResumably } from "./resumable-upload.ts";

/** More than the buffers of a connection hold. */
const SIZE = 15_000_000;

let folder: string;
let file: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-upload-"));
  file = path.join(folder, "talk.wav");
  writeFileSync(file, Buffer.alloc(SIZE, "a"));
  vi.stubEnv("XDG_STATE_HOME", path.join(folder, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  server?.close();
  server?.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps one upload. @param onBytes  called once, at the first bytes @returns what it was sent */
async function startService(onBytes: (request: IncomingMessage) => void) {
  const seen = { bytes: Buffer.alloc(0), requests: [] as string[] };
  let isFirst = true;
  server = createServer((request, response) => {
    seen.requests.push(request.method ?? "");
    const answer = (status: number, headers = {}, body?: object) =>
      response.writeHead(status, body ? { "content-type": "application/json" } : headers).end(JSON.stringify(body));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => {
      if (isFirst) onBytes(request);
      isFirst = false;
      chunks.push(chunk);
    });
    request.on("end", () => {
      seen.bytes = Buffer.concat([seen.bytes, ...chunks]);
      if (request.method === "POST") return answer(201, { location: "/v2/upload/resumable/one" });
      if (request.method === "GET") return answer(200, {}, { offset: SIZE, upload: { audio_url: "stored" } });
      answer(204, { "upload-offset": String(seen.bytes.length) });
    });
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { seen, service: { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "" } };
}

async function send(onBytes: (request: IncomingMessage) => void) {
  const { seen, service } = await startService(onBytes);
  const { size, mtimeMs: modified } = await stat(file);
  const sending = sendResumably(
    service,
    { file, name: "talk.wav", size, modified },
    () => undefined,
    new AbortController().signal,
  );
  return { seen, ended: await sending.catch((error: unknown) => error) };
}

const records = () => readdirSync(path.join(folder, "state/parlance/uploads"));

test("a file that stays the same is stored as a whole", async () => {
  const { seen, ended } = await send(() => undefined);
  expect(ended).toBe("stored");
  expect(seen.bytes.equals(Buffer.alloc(SIZE, "a"))).toBe(true);
});

test("a connection that breaks is no problem of the file: the upload continues", async () => {
  const { seen, ended } = await send((request) => request.socket.destroy());
  expect(ended).toBe("stored");
  expect(seen.bytes.equals(Buffer.alloc(SIZE, "a"))).toBe(true);
  expect(seen.requests.slice(0, 3)).toEqual(["POST", "PATCH", "HEAD"]);
});

test.each([
  ["is replaced", () => writeFileSync(file, Buffer.alloc(SIZE, "b"))],
  ["becomes shorter", () => truncateSync(file, SIZE - 1)],
])("the upload of a file that %s meanwhile is deleted, and the command does not repeat it", async (_, change) => {
  const { seen, ended } = await send(change);
  expect(ended).toMatchObject({ code: "file.changed" });
  expect(seen.bytes.length).toBeLessThan(SIZE);
  expect(seen.requests).toEqual(["POST", "PATCH", "DELETE"]);
  expect(records()).toEqual([]);
});

test("a file that disappears is named, and not the service; a later run can continue", async () => {
  const { seen, ended } = await send(() => rmSync(file));
  expect(ended).toMatchObject({ code: "ENOENT", path: file });
  expect(seen.requests).toEqual(["POST", "PATCH"]);
  expect(records()).toHaveLength(1);
});
