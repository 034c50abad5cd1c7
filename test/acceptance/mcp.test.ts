// The Model Context Protocol, over HTTP and over standard input and output, with the protocol's own client.
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageByService } from "../../src/cli/mcp-pages.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
const host = http.createServer((request, response) => {
  if (request.url === "/hello.mp3") response.end(readFileSync(HELLO_MP3));
  else response.end("this is no recording");
});
const address = (name: string) => `http://127.0.0.1:${(host.address() as AddressInfo).port}/${name}`;
beforeAll(async () => {
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  service = await startService();
});
afterAll(async () => {
  await service.remove();
  host.close();
});

const WAIT = { timeout: 110_000 };

async function overHttp(key = TEST_KEY, options = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", service.base), { requestInit }));
  return client;
}

async function overStdio(...args: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: service.folder };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["bin/parlance.js", "mcp", ...args], env }),
  );
  return client;
}

async function use(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args }, WAIT);
  const [first] = content;
  if (first?.type !== "text") throw new Error(`no text: ${JSON.stringify(content)}`);
  return { text: first.text, isError: isError === true };
}

const idIn = (text: string) => /^Transcript (\S+)/.exec(text)?.[1] ?? "";

test("over HTTP: an address is transcribed with progress, read in another format, found and listed", async () => {
  const client = await overHttp();
  const shares: number[] = [];
  const { content } = await client.callTool(
    { name: "transcribe", arguments: { source: address("hello.mp3"), languages: ["en"], speakers: true } },
    { ...WAIT, onprogress: ({ progress }) => shares.push(progress), resetTimeoutOnProgress: true },
  );
  const text = content[0]?.type === "text" ? content[0].text : "";
  expect(text).toMatch(/^Transcript [0-9a-f-]{36} of hello\.mp3: done, 0:0\d of audio/);
  expect(text).toMatch(/Speaker.*hello from the/is);
  expect(shares.length).toBeGreaterThan(0);
  expect([...shares].sort((left, right) => left - right)).toEqual(shares);
  const id = idIn(text);

  const subtitles = await use(client, "read_transcript", { id, format: "srt" });
  expect(subtitles.text).toContain(" --> ");
  const later = await use(client, "read_transcript", { id, format: "txt", offset: 6 });
  expect(later.text).toMatch(/\n\nr 0: hello/i);
  // The search index follows the end of a job.
  await expect.poll(async () => (await use(client, "search_transcripts", { query: "hello" })).text).toContain(id);
  expect((await use(client, "search_transcripts", { query: "elephant" })).text).toMatch(
    /^No transcript contains elephant/,
  );
  expect((await use(client, "list_transcripts", {})).text).toContain(`${id}: hello.mp3 (done`);

  const { resources } = await client.listResources();
  const uri = `parlance://transcripts/${id}`;
  expect(resources).toContainEqual(expect.objectContaining({ uri, name: "hello.mp3" }));
  const read = await client.readResource({ uri });
  expect(JSON.stringify(read.contents)).toMatch(/hello from the/i);
  await client.close();
});

test("after the wait, the answer names the job, which continues", async () => {
  const client = await overHttp();
  const { text, isError } = await use(client, "transcribe", { source: address("hello.mp3"), wait_seconds: 0 });
  expect(isError).toBe(false);
  expect(text).toMatch(/is not ready.*Call read_transcript with this id/);
  expect((await use(client, "read_transcript", { id: idIn(text), wait_seconds: 100 })).text).toMatch(/hello from the/i);
  await client.close();
});

test("the captions of a live session are read while it runs, and after its end", { timeout: 240_000 }, async () => {
  const client = await overHttp();
  const session = await createSession(service, { endpointing: 0.3, captions: true });
  const socket = await LiveClient.connect(session.url);
  const { id } = session;
  expect((await use(client, "read_live_captions", { id, wait_seconds: 0 })).text).toMatch(/^There are no captions yet/);
  socket.send(encodePcm([repeated(await decodeSpeech(), 1, 2)]));
  let text = "";
  const read = async () => {
    ({ text } = await use(client, "read_live_captions", { id, wait_seconds: 5 }));
    return text;
  };
  await expect.poll(read, { timeout: 100_000 }).toMatch(/^\[0:0\d\] .*hello from the/i);
  const [, after] = /with after (\d+) for what is said next/.exec(text) ?? [];
  socket.stop();
  await socket.closed;
  await expect
    .poll(async () => (await use(client, "read_live_captions", { id, after: Number(after), wait_seconds: 0 })).text, {
      timeout: 100_000,
    })
    .toContain("The session has ended. Call read_transcript");
  const other = await createSession(service);
  expect(await use(client, "read_live_captions", { id: other.id })).toEqual({
    text: expect.stringContaining("captions: true"),
    isError: true,
  });
  await client.close();
});

test("mistakes are results that say what to do", async () => {
  const client = await overHttp();
  const mistakes: [string, Record<string, unknown>, RegExp][] = [
    ["transcribe", { source: "/tmp/recording.mp3" }, /^source must begin with http:\/\/ or https:\/\//],
    ["transcribe", { source: address("text") }, /./],
    ["transcribe", { source: address("hello.mp3"), languages: ["xx"] }, /xx/],
    ["transcribe", { source: address("hello.mp3"), speeakers: true }, /speeakers/],
    ["read_transcript", { id: "00000000-0000-4000-8000-000000000000" }, /not found/],
    ["read_transcript", { id: "../../account" }, /id must/],
    ["list_transcripts", { limit: 1_000 }, /limit must not be greater than 50/],
    ["ask_transcript", { id: "00000000-0000-4000-8000-000000000000", question: "What?" }, /not found/],
  ];
  for (const [name, args, message] of mistakes) {
    const { text, isError } = await use(client, name, args);
    expect(isError, `${name} ${JSON.stringify(args)}: ${text}`).toBe(true);
    expect(text).toMatch(message);
  }
  await client.close();
});

test("keys, the protocol of 2025, and what is no message", async () => {
  await expect(overHttp("wrong")).rejects.toThrow();
  const post = (body: unknown) => call(service, "POST", "/mcp", { body });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } };
  const opened = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  expect(opened.status).toBe(200);
  expect(opened.text).toMatch(/"protocolVersion":"2025-06-18"/);
  expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  expect((await post({ hello: 1 })).status).toBe(400);
  expect((await call(service, "GET", "/mcp")).status).toBe(405);
  expect((await call(service, "DELETE", "/mcp")).status).toBe(405);
  expect((await call(service, "POST", "/mcp", { key: null, body: {} })).status).toBe(401);
});

test("parlance mcp: a file of this machine, by a service and without one", { timeout: 240_000 }, async () => {
  const byService = await overStdio("--server", service.base, "--key", TEST_KEY);
  const { text } = await use(byService, "transcribe", { source: path.resolve(HELLO_MP3) });
  expect(text).toMatch(/hello from the/i);
  expect((await call(service, "GET", `/v2/pre-recorded/${idIn(text)}`)).json.status).toBe("done");
  // The service reads the page: its result is not sent.
  const [place, { signal }] = [{ base: service.base, key: TEST_KEY }, new AbortController()];
  const page = { id: idIn(text), format: "md", offset: 3, wait_seconds: 0 };
  expect(await pageByService(place, page, signal)).toBe((await use(byService, "read_transcript", page)).text);
  const beyond = { ...page, offset: 100_000 };
  const { text: refusal, isError } = await use(byService, "read_transcript", beyond);
  expect([refusal, isError]).toEqual([expect.stringContaining("offset must be at most"), true]);
  await expect(pageByService(place, beyond, signal)).rejects.toThrow(refusal);
  expect(await pageByService({ ...place, base: `${service.base}/no/such` }, page, signal)).toBeUndefined();
  await byService.close();

  const alone = await overStdio();
  expect(await use(alone, "transcribe", { source: "/no/such/file" })).toMatchObject({ isError: true });
  const { text: own } = await use(alone, "transcribe", { source: path.resolve(HELLO_MP3) });
  expect(own).toMatch(/hello from the/i);
  expect((await use(alone, "read_transcript", { id: idIn(own) })).text).toMatch(/hello from the/i);
  await alone.close();
});
