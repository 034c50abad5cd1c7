// A service whose setting makes requests strict: unknown fields are refused. requests.test.ts: where the request itself is strict.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { TEST_KEY } from "../service.ts";

const AUDIO_URL = "https://example.com/a.wav";

let service: InProcess;
beforeAll(async () => {
  service = await startInProcess({ PARLANCE_STRICT_REQUESTS: "true" });
});
afterAll(() => service.remove());

test("the setting makes every request strict; a request can override it", async () => {
  const body = { audio_url: AUDIO_URL, languages: ["en"] };
  expect((await service.call("POST", "/v2/pre-recorded", body)).status).toBe(400);
  expect((await service.call("POST", "/v2/pre-recorded?strict=false", body)).status).toBe(201);
  const known = { audio_url: AUDIO_URL, diarization: true };
  expect((await service.call("POST", "/v2/pre-recorded", known)).status).toBe(201);
  expect((await service.call("POST", "/v2/pre-recorded?strict=maybe", known)).status).toBe(400);
});

test.each(["/v2/upload", "/v1/audio/transcriptions"])(
  "the setting holds for the fields of a form of %s",
  async (url) => {
    const form = new FormData();
    form.append(url === "/v2/upload" ? "audio" : "file", new Blob([wav([silence(0.3)]) as never]), "a.wav");
    if (url !== "/v2/upload") form.append("model", "whisper-1");
    form.append("langage", "en");
    const encoded = new Response(form);
    const { statusCode, body } = await service.inject({
      method: "POST",
      url,
      headers: { "x-service-key": TEST_KEY, "content-type": encoded.headers.get("content-type") ?? "" },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    expect(statusCode).toBe(400);
    expect(body).toContain("langage must not be sent");
  },
);
