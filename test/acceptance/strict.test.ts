// Strict requests: unknown fields are refused, with the nearest known name.
import { afterAll, beforeAll, expect, test } from "vitest";
import { silence, wav } from "../fixtures/recordings.ts";
import { call, type RunningService, startService, upload } from "../service.ts";

let lenient: RunningService;
let strict: RunningService;
beforeAll(async () => {
  lenient = await startService();
  strict = await startService({ environment: { PARLANCE_STRICT_REQUESTS: "true" } });
});
afterAll(async () => {
  await lenient?.remove();
  await strict?.remove();
});

const address = async (service: RunningService) => (await upload(service, wav([silence(0.3)]))).json.audio_url;

test.each([
  ["POST /v2/pre-recorded", { diarisation: true }, "diarization"],
  ["POST /v2/transcription", { subtitles_config: { formatz: ["srt"] } }, "formats"],
  ["POST /v2/live", { sample_rates: 16_000 }, "sample_rate"],
])("%s refuses an unknown field where strict, and warns otherwise", async (route, field, nearest) => {
  const [method = "", path = ""] = route.split(" ");
  const body = { ...(path === "/v2/live" ? {} : { audio_url: await address(lenient) }), ...field };
  const refused = await call(lenient, method, `${path}?strict=true`, { body });
  expect(refused.status).toBe(400);
  expect(refused.json.validation_errors).toEqual([expect.stringMatching(new RegExp(`did you mean ${nearest}\\?$`))]);
  const accepted = await call(lenient, method, path, { body });
  expect(accepted.status).toBe(201);
  expect(accepted.json.warnings).toContainEqual(expect.stringMatching(nearest));
});

test("the setting makes every request strict; a request can override it", async () => {
  const body = { audio_url: await address(strict), languages: ["en"] };
  expect((await call(strict, "POST", "/v2/pre-recorded", { body })).status).toBe(400);
  expect((await call(strict, "POST", "/v2/pre-recorded?strict=false", { body })).status).toBe(201);
  const known = { audio_url: body.audio_url, diarization: true };
  expect((await call(strict, "POST", "/v2/pre-recorded", { body: known })).status).toBe(201);
  expect((await call(strict, "POST", "/v2/pre-recorded?strict=maybe", { body: known })).status).toBe(400);
  const form = new FormData();
  form.append("audio", new Blob([wav([silence(0.3)]) as never]), "a.wav");
  form.append("langage", "en");
  expect((await call(strict, "POST", "/v2/upload", { body: form })).status).toBe(400);
});
