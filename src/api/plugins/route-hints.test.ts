import { expect, test } from "vitest";
import { routeHint } from "./route-hints.ts";

const BASE = "https://x.example/prefix";
const TRANSCRIPTIONS = `POST ${BASE}/v1/audio/transcriptions`;

test.each([
  ["GET", "/v1/realtime", `WebSocket ${BASE.replace("http", "ws")}/v1/realtime`],
  ["POST", "/v1/realtime/calls", `WebSocket ${BASE.replace("http", "ws")}/v1/realtime`],
  ["GET", "/asr", "This address takes POST"],
  ["POST", "/v1/asr", `POST ${BASE}/asr`],
  ["POST", "/inference", TRANSCRIPTIONS],
  ["GET", "/audio/models", `GET ${BASE}/v1/audio/models`],
  ["POST", "/audio/transcriptions", `${BASE}/v1`],
  ["POST", "/audio/translations", `POST ${BASE}/v1/audio/translations`],
  ["POST", "/openai/v1/audio/transcriptions", TRANSCRIPTIONS],
  ["POST", "/v1/v1/audio/transcriptions", TRANSCRIPTIONS],
  ["POST", "/v1//audio/transcriptions", TRANSCRIPTIONS],
  ["POST", "//v1/audio/transcriptions", TRANSCRIPTIONS],
  ["GET", "/models", `GET ${BASE}/v1/models`],
  ["GET", "/v1/audio/transcriptions", "This address takes POST"],
  ["GET", "/v2/upload", "This address takes POST"],
  ["POST", "/pre-recorded", `POST ${BASE}/v2/pre-recorded`],
])("%s %s leads to the right address", (method, path, part) => {
  expect(routeHint(method, path, BASE)).toContain(part);
});

test.each(["/", "/x", "/v2/pre-recorded", "/v2/pre-recorded/id/other", "/v1/chat/completions", "/favicon.ico"])(
  "%s has no hint",
  (path) => {
    expect(routeHint("GET", path, BASE)).toBe("");
  },
);

test("a path of slashes takes no time", () => {
  expect(routeHint("GET", `${"/".repeat(20_000)}x`, BASE)).toBe("");
});
