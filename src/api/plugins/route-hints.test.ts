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
  ["POST", "/v1/audio/transcription", TRANSCRIPTIONS],
  ["POST", "/V1/Audio/Transcriptions", TRANSCRIPTIONS],
  ["POST", "/v1/audio/transcations", `POST ${BASE}/v1/audio/translations`],
  ["POST", "/v1/audio/transcriptions%20", TRANSCRIPTIONS],
  ["POST", "/v2/preRecorded", `POST ${BASE}/v2/pre-recorded`],
  ["GET", "/v2/transcriptions", `GET ${BASE}/v2/transcription`],
  ["GET", "/v1/model", `GET ${BASE}/v1/models`],
  ["POST", "/v1/transcribe", TRANSCRIPTIONS],
  ["POST", "/v1/transcriptions", TRANSCRIPTIONS],
  ["POST", "/transcriptions", TRANSCRIPTIONS],
  ["POST", "/v1/audio/transcribe", TRANSCRIPTIONS],
  ["POST", "/api/transcribe", TRANSCRIPTIONS],
  ["POST", "/v1/engines/whisper/transcriptions", TRANSCRIPTIONS],
  ["GET", "/healthz", `GET ${BASE}/health`],
  ["GET", "/openapi.yaml", `GET ${BASE}/openapi.json`],
  ["GET", "/v2/listen", `Connect to WebSocket ${BASE.replace("http", "ws")}/v2/listen`],
  ["GET", "/v3/ws", `Connect to WebSocket ${BASE.replace("http", "ws")}/v3/ws`],
  ["POST", "/transcript", `POST ${BASE}/v2/transcript`],
  ["POST", "/v2/v2/transcript", `POST ${BASE}/v2/transcript`],
  ["POST", "/audio/text/audio-transcription/", `POST ${BASE}/v2/pre-recorded`],
  ["POST", "/pre-recorded", `POST ${BASE}/v2/pre-recorded`],
])("%s %s leads to the right address", (method, path, part) => {
  expect(routeHint(method, path, BASE)).toContain(part);
});

test.each([
  "/",
  "/x",
  "/v2/pre-recorded",
  "/v2/pre-recorded/id/other",
  "/v1/chat/completions",
  "/favicon.ico",
  "/api",
  "/v2/jobs",
])("%s has no hint", (path) => {
  expect(routeHint("GET", path, BASE)).toBe("");
});

test("a path of slashes takes no time", () => {
  expect(routeHint("GET", `${"/".repeat(20_000)}x`, BASE)).toBe("");
});
