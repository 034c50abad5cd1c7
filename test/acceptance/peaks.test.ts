// How loud a recording is over time, in every channel and in files without a header.
import { afterAll, beforeAll, expect, test } from "vitest";
import { silence, tone, wav } from "../fixtures/recordings.ts";
import { call, type RunningService, startService, upload } from "../service.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

async function peaksOf(content: Uint8Array, filename?: string): Promise<number[]> {
  const uploaded = await upload(service, content, filename);
  const body = { audio_url: uploaded.json.audio_url };
  const { id } = (await call(service, "POST", "/v2/pre-recorded", { body })).json;
  const { status, text, json } = await call(service, "GET", `/v2/transcription/${id}/peaks`);
  expect(status, text).toBe(200);
  return json.peaks;
}

/** Of each second. */
const loudestOf = (peaks: number[]) => [0, 1].map((at) => Math.max(...peaks.slice(at * 20, (at + 1) * 20 - 1)));

const half = (isFirst: boolean, rate = 16_000) => {
  const [quiet, loud] = [silence(1, rate), tone(1, 300, rate)];
  return Float32Array.from(isFirst ? [...loud, ...quiet] : [...quiet, ...loud]);
};

test("sound of a later channel is in the picture", async () => {
  const loud = Math.max(...half(true));
  const [first = 0, second = 0] = loudestOf(await peaksOf(wav([half(true), half(false)])));
  expect(first).toBeGreaterThan(loud / 2);
  expect(second).toBeGreaterThan(loud / 2);
});

test("a file without a header is read by the format that its name states", async () => {
  const samples = Int16Array.from(half(false, 8_000), (sample) => Math.round(sample * 32_767));
  const peaks = await peaksOf(new Uint8Array(samples.buffer), "call.sln");
  expect(peaks).toHaveLength(40);
  const [first = 1, second = 0] = loudestOf(peaks);
  expect(first).toBeLessThan(second / 4);
});
