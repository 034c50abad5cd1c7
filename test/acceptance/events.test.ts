// Changes of jobs as server-sent events.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { JobEvent } from "../../src/contract/job-events.ts";
import { streamOf } from "../fixtures/event-stream.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

/** Of an account in a process. */
const MOST_STREAMS = 32;

let service: RunningService;
let jobId: string;

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_SHUTDOWN_SECONDS: "60" } });
  await ready(service);
  jobId = await submit(service, wav([silence(0.5)]));
  await finished(service, jobId);
});
afterAll(() => service?.remove());

const change = (name: string) => ({ body: { speakers: [{ speaker: 0, name }] } });
const states = (events: readonly JobEvent[], id: string) =>
  events.flatMap((event) => (event.type === "job" && event.data.id === id ? [event.data] : []));

test("a stream begins with the request to read everything, and has no compression or buffers", async () => {
  const stream = await streamOf(service, { headers: { "accept-encoding": "gzip, br" } });
  expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(stream.response.headers.get("content-encoding")).toBeNull();
  expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
  await expect.poll(() => stream.events[0]).toEqual({ type: "reread", data: {} });
  stream.close();
});

test("corrections, their undoing, names, states and deletions are events", async () => {
  const stream = await streamOf(service);
  const { status, json } = await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, change("Anna"));
  expect(status).toBe(201);
  await expect.poll(() => states(stream.events, jobId).at(-1)?.version).toBe(1);
  await call(service, "DELETE", `/v2/transcription/${jobId}/corrections/${json.id}`);
  await expect.poll(() => states(stream.events, jobId).at(-1)?.version).toBe(2);
  await call(service, "PATCH", `/v2/transcription/${jobId}`, { body: { name: "Meeting" } });
  await expect.poll(() => states(stream.events, jobId).at(-1)?.name).toBe("Meeting");
  const id = await submit(service, wav([silence(0.5)]));
  await finished(service, id);
  await expect.poll(() => states(stream.events, id).at(-1)?.status).toBe("done");
  await call(service, "DELETE", `/v2/transcription/${id}`);
  await expect.poll(() => stream.events).toContainEqual({ type: "deleted", data: { id } });
  stream.close();
});

test("a stream ends after the requested time", async () => {
  const stream = await streamOf(service, { query: "?seconds=1" });
  await stream.ended;
  expect(stream.events.length).toBeGreaterThan(0);
  const { status, json } = await call(service, "GET", "/v2/events?seconds=0");
  expect([status, json.validation_errors]).toEqual([400, ["seconds must not be less than 1"]]);
});

test("HEAD answers at once", async () => {
  expect((await call(service, "HEAD", "/v2/events")).status).toBe(200);
});

test("streams of an account are bounded; one that is closed makes room", async () => {
  // Those of the tests above may still be closing.
  const open = () => vi.waitFor(() => streamOf(service), 10_000);
  const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, open));
  const refused = await call(service, "GET", "/v2/events");
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("30");
  streams[0]?.close();
  await expect.poll(async () => (await call(service, "GET", "/v2/events?seconds=1")).status).toBe(200);
  for (const stream of streams) stream.close();
});

test("a stream ends when its key is revoked, and open streams do not delay the end of the service", async () => {
  const { json: key } = await call(service, "POST", "/v2/account/keys", { body: { name: "events" } });
  const stream = await vi.waitFor(() => streamOf(service, { key: key.key }), 10_000);
  await call(service, "DELETE", `/v2/account/keys/${key.id}`);
  await stream.ended;
  const open = await streamOf(service);
  const began = performance.now();
  expect(await service.stop()).toBe(0);
  await open.ended;
  // Requests under way have 60 s.
  expect(performance.now() - began).toBeLessThan(40_000);
});
