// Requests for add-ons on the transcript page: another attempt, and the result of one that has ended.
import { afterEach, expect, test, vi } from "vitest";
import type { LaterAddOns } from "../src/shapes.ts";

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
const { addOnStore, restOf } = await import("../src/transcript/add-ons.ts");

afterEach(() => vi.unstubAllGlobals());

const request = (changes: Partial<LaterAddOns> = {}): LaterAddOns => ({
  id: "1",
  add_ons: ["diarization", "summarization"],
  status: "error",
  stage: null,
  share: 1,
  created_at: "2026-01-02T10:00:00.000Z",
  completed_at: "2026-01-02T10:01:00.000Z",
  error_code: 502,
  error_message: "Not made: summarization. No answer",
  request_params: {
    diarization: true,
    diarization_config: { number_of_speakers: 2 },
    replace_speakers: true,
    summarization: true,
    summarization_config: { type: "concise" },
  },
  ...changes,
});

const resultWith = (added_at: Record<string, string>) => ({ metadata: { added_at } }) as never;

test("another attempt has what the former one did not make", () => {
  const before = "2026-01-02T09:00:00.000Z";
  const after = "2026-01-02T10:00:30.000Z";
  const { request_params } = request();
  expect(restOf(request(), resultWith({ diarization: after, summarization: before }))).toEqual({
    summarization: true,
    summarization_config: { type: "concise" },
  });
  expect(restOf(request(), resultWith({ summarization: after }))).toEqual({
    diarization: true,
    diarization_config: { number_of_speakers: 2 },
    replace_speakers: true,
  });
  expect(restOf(request(), resultWith({}))).toEqual(request_params);
  expect(restOf(request(), null)).toEqual(request_params);
});

test("a result that could not be read after its add-ons ended is read by the next load", async () => {
  let items = [request({ status: "processing" })];
  vi.stubGlobal("fetch", async () => Response.json({ items }));
  const outcomes = [new Error("no answer"), undefined];
  let reads = 0;
  const { load } = addOnStore("/v2/transcription/1", async () => {
    reads++;
    const error = outcomes.shift();
    if (error) throw error;
  });
  await load();
  expect(reads).toBe(0);
  items = [request({ status: "done" })];
  await expect(load()).rejects.toThrow("no answer");
  await load();
  expect(reads).toBe(2);
  await load();
  expect(reads).toBe(2);
});
