// Parsers of what strangers send, fuzzed with coverage as the guide: none may fail otherwise than by a refusal.
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { entryFile } from "../../src/platform/process/entry.ts";
import { FUZZ_MILLISECONDS, FUZZ_SEED, fuzzing } from "../fixtures/fuzzing.ts";
import { silence, wav } from "../fixtures/recordings.ts";

interface Outcome {
  kept: number;
  reached: number;
  fault?: { input: string; reason: string };
}

const PARSERS = [
  [
    "../../src/speech/audio/wav.js",
    "readWavHeader",
    "bytes",
    [
      wav([silence(0.001)])
        .subarray(0, 60)
        .toString("latin1"),
      "RIFF",
    ],
  ],
  [
    "../../src/service/live/dialects/gladia/client-frames.js",
    "parseTextFrame",
    "text",
    ['{"type":"audio_chunk","data":{"chunk":"AAAA"}}', '{"type":"stop_recording"}'],
  ],
  [
    "../../src/api/validation/json.js",
    "parseJson",
    "text",
    ['{"a":[1,"\\u0000",{"b":"\\ud83c\\udf99"}],"c":null}', "[[[]]]"],
  ],
  ["../../src/speech/onnx/protobuf.js", "readFields", "bytes", ["\x08\x96\x01\x12\x03abc\x1d\0\0\x80?", ""]],
  ["../../src/platform/storage/json-lines.js", "parseJsonLines", "text", ['{"a":1}\n{"b":', "\n\n"]],
  ["../../src/platform/net/address-rules.js", "isWebAddress", "text", ["http://[::1]:80/a?b#c", "https://user@x.y/"]],
  ["../../src/platform/storage/db/jobs/searchable-words.js", "searchableWords", "text", ["a 日本語 ภาษา", "\u0000"]],
  [
    "../../src/service/openai/prompt.js",
    "vocabularyOf",
    "text",
    ["Anna, Bob; Parlance.", "The names are Anna Karenina and Oblomov."],
  ],
] as const;

test.each(PARSERS)("%s", { timeout: FUZZ_MILLISECONDS }, async (file, name, takes, seeds) => {
  const { numRuns: cases } = fuzzing(400);
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    const workerData = { module: entryFile(file, import.meta.url), name, takes, seeds, cases, seed: FUZZ_SEED };
    const worker = new Worker(new URL("../fixtures/guided.mjs", import.meta.url), { workerData });
    worker.once("message", resolve).once("error", reject);
  });
  expect(outcome.fault).toBeUndefined();
  expect(outcome.reached).toBeGreaterThan(0);
});
