// One request's trace, from the answer to the callback, as an OpenTelemetry receiver gets it over OTLP.
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, upload } from "../service.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

const spans: Span[] = [];
const collector = http.createServer(async (request, response) => {
  const { resourceSpans } = JSON.parse(await text(request));
  for (const { scopeSpans } of resourceSpans) {
    for (const { spans: sent } of scopeSpans) spans.push(...sent);
  }
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
let service: RunningService;
let receiver: Receiver;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  receiver = await Receiver.start();
  const { port } = collector.address() as AddressInfo;
  service = await startService({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_SERVICE_NAME: "tested",
      // Otherwise spans are sent every 5 s.
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
  });
  await ready(service);
}, 60_000);
afterAll(async () => {
  await service?.remove();
  await receiver?.stop();
  collector.close();
});

test("a recorded job: request, queue, worker, stages, inference and callback are one trace", async () => {
  const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
  const { json } = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url, callback: true, callback_config: { url: receiver.url } },
    headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
  });
  await finished(service, json.id);
  await receiver.until(() => receiver.of(json.id).length === 1);
  const names = () => spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name);
  const expected = ["POST /v2/pre-recorded", "queue", "job", "stage recognize", "inference recognize", "callback"];
  await expect.poll(names, { timeout: 20_000 }).toEqual(expect.arrayContaining(expected));
  const mine = spans.filter(({ traceId }) => traceId === TRACE);
  const byId = new Map(mine.map((span) => [span.spanId, span]));
  const parentOf = (name: string) =>
    byId.get(mine.find((span) => span.name === name)?.parentSpanId ?? "")?.name ?? "the client's";
  expect(parentOf("POST /v2/pre-recorded")).toBe("the client's");
  expect(parentOf("queue")).toBe("POST /v2/pre-recorded");
  expect(parentOf("stage recognize")).toBe("job");
  expect(parentOf("inference recognize")).toBe("stage recognize");
  expect(parentOf("callback")).toBe("POST /v2/pre-recorded");
  for (const { startTimeUnixNano, endTimeUnixNano } of mine) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  // The receiver of a callback can continue the trace.
  expect(receiver.of(json.id)[0]?.headers["traceparent"]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
});

test("a live session is a span of the request that made it; requests of monitoring have none", async () => {
  const session = await createSession(service);
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([await decodeSpeech()]));
  client.stop();
  await client.closed;
  await expect.poll(() => spans.map(({ name }) => name), { timeout: 20_000 }).toContain("live session");
  const { traceId } = spans.find(({ name }) => name === "live session") as Span;
  expect(spans.filter((span) => span.traceId === traceId).map(({ name }) => name)).toContain("POST /v2/live");
  expect(spans.map(({ name }) => name).filter((name) => /health|ready|metrics/.test(name))).toEqual([]);
});
