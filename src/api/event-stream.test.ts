// The head and the comments of streams whose events take long.
import type { Readable } from "node:stream";
import { PassThrough } from "node:stream";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Api } from "./context.ts";
import { sendSlowEventStream } from "./event-stream.ts";

let app: Api;
let output: PassThrough;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  app = Fastify() as unknown as Api;
  output = new PassThrough();
  app.get("/events", async (_request, reply) => sendSlowEventStream(reply, output) as never);
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const nextOf = async (stream: Readable) =>
  String(((await stream.iterator({ destroyOnReturn: false }).next()) as { value: unknown }).value);

test("the head and a comment are sent before the first event, and comments until the last one", async () => {
  const answer = await app.inject({ url: "/events", payloadAsStream: true });
  expect(answer.headers["content-type"]).toMatch(/^text\/event-stream/);
  const received = answer.stream();
  expect(await nextOf(received)).toBe(": waiting\n\n");
  for (let times = 0; times < 3; times++) {
    vi.advanceTimersByTime(9_000);
    expect(received.readableLength).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(await nextOf(received)).toBe(": waiting\n\n");
  }
  output.write("data: 1\n\n");
  expect(await nextOf(received)).toBe("data: 1\n\n");
  output.end("data: 2\n\n");
  vi.advanceTimersByTime(10_000);
  expect(await nextOf(received)).toBe("data: 2\n\n");
  expect(await nextOf(received)).toBe("undefined");
  expect(vi.getTimerCount()).toBe(0);
});

test("an output that has ended already is sent without a comment", async () => {
  output.end("data: 1\n\n");
  expect((await app.inject("/events")).body).toBe("data: 1\n\n");
  expect(vi.getTimerCount()).toBe(0);
});
