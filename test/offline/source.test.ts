// Rules that keep the service to its own machine and data folder by construction, checked on the source.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SOURCES = (readdirSync("src", { recursive: true }) as string[])
  .map((file) => path.posix.join("src", file.replaceAll(path.sep, "/")))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** Files of the source, outside of `allowed`, in which the pattern occurs. */
const filesWith = (pattern: RegExp, allowed: readonly string[]): string[] =>
  SOURCES.filter(({ file, text }) => pattern.test(text) && !allowed.some((one) => file.startsWith(one))).map(
    ({ file }) => file,
  );

test("only src/platform/process starts processes and threads, each with a ChildEnvironment", () => {
  const allowed = [
    "src/platform/process/",
    // The user's own recording program, with the user's environment: ALSA and PulseAudio read their settings from it.
    "src/cli/microphone.ts",
    // The user's browser, likewise.
    "src/cli/browser.ts",
  ];
  expect(filesWith(/child_process|node:cluster|\bWorker\b[^;]*from "node:worker_threads"/, allowed)).toEqual([
    // Its import is a type.
    "src/platform/storage/db/embedded/pglite-connection.ts",
  ]);
  expect(SOURCES.find(({ file }) => file === "src/platform/storage/db/embedded/pglite-connection.ts")?.text).toContain(
    'import type { Worker } from "node:worker_threads"',
  );
  const starts = SOURCES.filter(({ file }) => file.startsWith("src/platform/process/")).flatMap(({ text }) =>
    [...text.matchAll(/\b(?:fork|execFile|spawn|new Worker)\([\s\S]*?\}/g)].map(([start]) => start),
  );
  expect(starts.length).toBeGreaterThan(0);
  for (const start of starts) expect(start).toMatch(/\benv\b/);
});

test("a ChildEnvironment is made in src/platform/config alone", () => {
  expect(filesWith(/as (unknown as )?ChildEnvironment/, ["src/platform/config/"])).toEqual([]);
});

test("only src/platform/config reads the environment", () => {
  expect(filesWith(/\bprocess\.env\b|\benv\b[^;]*from "node:process"/, ["src/platform/config/"])).toEqual([]);
});

test("only the command line uses the system's temporary folder, and nothing the home directory", () => {
  // A child process has the data folder's temporary folder as its own.
  const allowed = [
    "src/cli/private-folder.ts",
    "src/speech/translation/process/translator.ts",
    "src/speech/language-model/process/language-model.ts",
    "src/service/inference/graph-preparation.ts",
  ];
  expect(filesWith(/\btmpdir\b/, allowed)).toEqual([]);
  expect(filesWith(/\bhomedir\b/, [])).toEqual([]);
});

test("libraries with telemetry are loaded by modules that turn it off first", () => {
  const loaders = filesWith(/"(onnxruntime-node|sherpa-onnx-node)"/, []);
  expect(loaders.sort()).toEqual(["src/speech/engines/sherpa/recognizer.ts", "src/speech/onnx/runtime.ts"]);
  for (const { file, text } of SOURCES) {
    if (loaders.includes(file)) expect(/^(import|export) [^;]*"([^"]+)";/m.exec(text)?.[0]).toContain("no-telemetry");
  }
});

test("the service prints through its bounded output alone", () => {
  // The translation runtime has a process of its own, whose output becomes log lines.
  const runtime = "src/speech/engines/bergamot/runtime.ts";
  // The error of one stream, in a process that decodes others, too; likewise.
  const streams = "src/speech/audio/streams/child.ts";
  // Commands alone create accounts without a service.
  const administration = "src/service/accounts/administration/missing-database.ts";
  const allowed = [
    "src/cli/",
    "src/platform/observability/sinks.ts",
    "src/platform/process/error-output.ts",
    runtime,
    streams,
    administration,
  ];
  expect(
    filesWith(
      /\bstd(out|err)\b.*\bprocess\b|\bprocess\.std(out|err)\b|\bconsole\.(log|info|warn|error|debug)\b|\bpino\(/,
      allowed,
    ),
  ).toEqual(["src/platform/observability/log.ts"]);
});
