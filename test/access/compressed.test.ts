// Answers of text are compressed, whichever part of the service sends them.
import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rawRequest } from "../fixtures/raw-request.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, TEST_KEY, upload } from "../service.ts";

let service: RunningService;
let id: string;
beforeAll(async () => {
  service = await startService();
  const { json } = await upload(service, readFileSync(HELLO_MP3), "hello.mp3");
  id = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } })).json.id;
  await finished(service, id);
});
afterAll(() => service.remove());

const get = (path: string, coding?: string) =>
  rawRequest(service, "GET", path, {
    "x-service-key": TEST_KEY,
    ...(coding === undefined ? {} : { "accept-encoding": coding }),
  });

test.each(["gzip", "br"])(
  "documents, transcripts, documentation, scripts and styles are sent as %s",
  async (coding) => {
    const page = (await get("/")).text;
    const assets = [...page.matchAll(/"(\/assets\/[^"]*\.(?:js|css))"/g)].map(([, file]) => String(file));
    expect(assets).toHaveLength(2);
    const addresses = [
      ...assets,
      "/openapi.json",
      "/asyncapi.json",
      "/docs/console",
      `/v2/transcription/${id}`,
      "/docs/api/static/swagger-ui-bundle.js",
      "/docs/api/static/swagger-ui.css",
    ];
    for (const address of addresses) {
      const [compressed, plain] = [await get(address, coding), await get(address)];
      expect([compressed.status, plain.status], address).toEqual([200, 200]);
      expect(compressed.headers["content-encoding"], address).toBe(coding);
      expect(plain.headers["content-encoding"], address).toBeUndefined();
      expect(String(compressed.headers["vary"]).toLowerCase(), address).toContain("accept-encoding");
      expect(compressed.bytes.length, address).toBeLessThan(plain.bytes.length * 0.6);
      const whole = coding === "br" ? brotliDecompressSync(compressed.bytes) : gunzipSync(compressed.bytes);
      expect(whole.equals(plain.bytes), address).toBe(true);
    }
  },
);
