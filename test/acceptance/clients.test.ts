// The reference clients, unmodified, against the real service and real speech.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGladia } from "@ai-sdk/gladia";
import { GladiaClient } from "@gladiaio/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
let files: Server;
let fileAddress: string;

beforeAll(async () => {
  service = await startService();
  files = createServer((_request, response) => response.end(readFileSync(HELLO_MP3)));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  fileAddress = `http://127.0.0.1:${(files.address() as AddressInfo).port}/hello.mp3`;
});

afterAll(async () => {
  files.close();
  await service.remove();
});

const sdk = () => new GladiaClient({ apiKey: TEST_KEY, apiUrl: service.base }).preRecorded();

test("the SDK transcribes a file by its path", async () => {
  const job = await sdk().transcribe(HELLO_MP3, { custom_metadata: { suite: "sdk" } }, { interval: 100 });
  expect(job.status).toBe("done");
  expect(job.custom_metadata).toEqual({ suite: "sdk" });
  expect(normalizedWords(job.result?.transcription?.full_transcript ?? "").slice(0, 3)).toEqual([
    "hello",
    "from",
    "the",
  ]);
  expect(job.result?.metadata.audio_duration).toBeCloseTo(2.5, 1);
  expect(job.file?.filename).toBe("transcript-test.mp3");
});

test("the SDK transcribes the recording at an address", async () => {
  const job = await sdk().transcribe(fileAddress, undefined, { interval: 100 });
  expect(job.result?.transcription?.full_transcript).toMatch(/^Hello from/);
  expect(job.file?.source).toBe(fileAddress);
});

test("the SDK uploads, creates, gets, lists, downloads and deletes", async () => {
  const client = sdk();
  const recording = wav([silence(0.5)]);
  const uploaded = await client.uploadFile(new Blob([recording as never]));
  expect(uploaded.audio_metadata).toMatchObject({ extension: "wav", number_of_channels: 1, audio_duration: 0.5 });
  const created = await client.create({ audio_url: uploaded.audio_url });
  const job = await client.poll(created.id, { interval: 50 });
  expect(job.result?.transcription).toEqual({ full_transcript: "", languages: [], utterances: [] });
  const listed = await client.list({ status: ["done"], limit: 100 });
  expect(listed.items.map((item) => item.id)).toContain(created.id);
  const file = Buffer.from(await client.getFile(created.id));
  expect(file.equals(recording)).toBe(true);
  expect(await client.delete(created.id)).toBe(true);
  await expect(client.get(created.id)).rejects.toThrow();
});

test("the SDK follows the addresses of pages to the end", async () => {
  const client = sdk();
  const recording = wav([silence(0.2)]);
  const { audio_url } = await client.uploadFile(new Blob([recording as never]));
  const marker = { paging: String(Date.now()) };
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await client.create({ audio_url, custom_metadata: marker })).id);
  const seen: string[] = [];
  let page = await client.list({ custom_metadata: marker, limit: 2 });
  for (;;) {
    seen.push(...page.items.map((item) => item.id));
    if (!page.next) break;
    page = await client.list({ url: page.next } as never);
  }
  expect(seen).toEqual(ids.reverse());
});

test("the AI SDK provider transcribes through a fetch that leads here", async () => {
  const provider = createGladia({
    apiKey: TEST_KEY,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
      const answer = await fetch(new URL(pathname + search, service.base), init);
      return new Response((await answer.text()).replaceAll(service.base, "https://api.gladia.io"), answer);
    },
  });
  const answer = await provider.transcription().doGenerate({ audio: readFileSync(HELLO_MP3), mediaType: "audio/mpeg" });
  expect(answer.text).toMatch(/^Hello from/);
  expect(answer.language).toBe("en");
  expect(answer.durationInSeconds).toBeCloseTo(2.5, 1);
});
