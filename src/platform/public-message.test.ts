import { expect, test } from "vitest";
import { errors } from "./errors.ts";
import { publicMessage, publicText } from "./public-message.ts";

test.each([
  "ENOENT: no such file or directory, open '/data/objects/audio/1'",
  "write EPIPE",
  "connect ECONNREFUSED 10.0.0.7:5432",
  'duplicate key value violates unique constraint "jobs_pkey"',
  "TypeError: Cannot read properties of undefined (reading 'x')",
  "boom\n    at run (file:///app/dist/jobs/run-job.js:1:1)",
  "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT",
])("%j discloses nothing about its configuration", (text) => {
  expect(publicText(text)).toBe("The service failed on this; its log has the reason");
});

test.each([
  ["The file '/srv/my data/x' is gone", "srv"],
  ["no room where /data lies", "/data"],
  ["(/opt/parlance/dist/a.js)", "opt"],
  ["see file:///home/user/a", "home"],
  ["C:\\parlance\\data is full", "parlance"],
  ["path=/var/lib/parlance", "var"],
  ["/root/x", "root"],
])("%j loses its path", (text, path) => {
  expect(publicText(text)).not.toContain(path);
});

test.each([
  "audio_url could not be fetched: its host answered 404",
  "Set PARLANCE_LLM_URL; GET /v2/models shows them, or /docs/api and /file/0190",
  "https://host.example/a/b/c and http://127.0.0.1:80/x stay, and 24/7, and/or, <b>/2",
  "The audio is longer than the 360 minutes allowed",
])("%j stays as it is", (text) => {
  expect(publicText(text)).toBe(text);
});

test("no message that a client can receive contains text for the operator", () => {
  const foreign = "/srv/secret/file: ENOENT at host.internal";
  const made = [
    errors.storageFull(0, 0, "/srv/secret"),
    errors.noSpace(1, 0, "/srv/secret"),
    errors.processFailed("decoder", foreign),
    errors.processDied("decoder", "it could not be started", foreign),
    errors.modelNotFetched("whisper-small", errors.hubFailed("https://mirror.internal/x", foreign)),
    errors.storageUnavailable(new Error(foreign)),
    errors.databaseUnavailable(new Error(foreign)),
    errors.internal(new Error(foreign)),
    errors.jobPoisoned("decode", errors.processFailed("decoder", foreign).message),
  ];
  for (const error of made) {
    expect(error.message, error.code).not.toMatch(/srv|internal\b.*x|ENOENT/);
    expect(publicMessage(error), error.code).toBe(error.message);
  }
  // The operator reads it on the command line and in the log.
  expect(made.slice(0, 5).map(({ detail }) => detail)).toEqual([
    "/srv/secret",
    "/srv/secret",
    foreign,
    foreign,
    expect.stringContaining("mirror.internal"),
  ]);
});

test("a command that contains a path is named without it", () => {
  const prefix = "node /opt/parlance/bin/parlance.js";
  expect(publicText(`Add it with: ${prefix} models add x && ${prefix} serve`, prefix)).toBe(
    "Add it with: parlance models add x && parlance serve",
  );
});
