// Throughput of this machine: the service over HTTP compared with one sherpa-onnx
// recogniser with the same weights and two threads on the same clips, alternating within one run; and the latency that
// everything except recognition adds to a short clip.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { packageFolder } from "../src/platform/process/package-folder.ts";
import { moonshineTokens } from "../test/fixtures/moonshine-for-sherpa.ts";
import { wav } from "../test/fixtures/recordings.ts";
import { call, type RunningService, ready, startService, upload } from "../test/service.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { secondsIn, serviceSpeed } from "./service-speed.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const ROUNDS = 3;
const THREADS_OF_SHERPA = 2;
const LATENCY_ROUNDS = 30;

interface SherpaStream {
  acceptWaveform(audio: { samples: Float32Array; sampleRate: number }): void;
}
interface SherpaRecognizer {
  createStream(): SherpaStream;
  decode(stream: SherpaStream): void;
  getResult(stream: SherpaStream): { text: string };
}

function sherpa(folder: string): SherpaRecognizer {
  const require = createRequire(import.meta.url);
  const tokens = path.join(folder, "tokens.txt");
  writeFileSync(tokens, moonshineTokens());
  const weights = path.join(packageFolder("@usefulsensors/moonshine-js"), "dist", "model", "base", "quantized");
  const { OfflineRecognizer } = require("sherpa-onnx-node") as {
    OfflineRecognizer: new (config: object) => SherpaRecognizer;
  };
  return new OfflineRecognizer({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      moonshine: {
        encoder: path.join(weights, "encoder_model.onnx"),
        mergedDecoder: path.join(weights, "decoder_model_merged.onnx"),
      },
      tokens,
      numThreads: THREADS_OF_SHERPA,
      provider: "cpu",
    },
  });
}

/** Audio seconds per second of sherpa-onnx on samples that are in memory. */
function sherpaSpeed(recognizer: SherpaRecognizer, recordings: Recording[]): number {
  const started = performance.now();
  for (const { samples } of recordings) {
    const stream = recognizer.createStream();
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
    recognizer.decode(stream);
    recognizer.getResult(stream);
  }
  return secondsIn(recordings) / ((performance.now() - started) / 1000);
}

/** Time from POST to result of a two-second clip, and the part of it that is recognition. */
async function shortClip(service: RunningService, clip: Float32Array): Promise<{ total: number; recognition: number }> {
  const { json } = await upload(service, wav([clip]));
  const started = performance.now();
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } });
  let job = created.json;
  do {
    job = (await call(service, "GET", `/v2/pre-recorded/${created.json.id}`)).json;
    if (job.status === "error") throw new Error(`job ${job.id} failed: ${job.error_code} ${job.error_message}`);
  } while (job.status !== "done");
  const total = performance.now() - started;
  const { text } = await call(service, "GET", "/metrics");
  const sum = Number(/parlance_recognition_seconds_sum (\S+)/.exec(text)?.[1]);
  return { total, recognition: sum * 1000 };
}

const once = await loadRecordings((reference) => !reference.file.startsWith("meeting"));
const recordings = [...once, ...once];
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
const results: Result[] = [];
try {
  const recognizer = sherpa(folder);
  const speeds: { ours: number; theirs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    // A new service for each run, stopped while the other runs, so that each has both cores.
    const theirs = sherpaSpeed(recognizer, recordings);
    const service = await startService();
    await ready(service);
    await serviceSpeed(service, recordings.slice(0, 4));
    const ours = await serviceSpeed(service, recordings);
    await service.remove();
    if (round > 0) speeds.push({ ours, theirs });
  }
  const ratio = percentile(
    speeds.map(({ ours, theirs }) => ours / theirs),
    0.5,
  );
  const spread = (pick: (speed: { ours: number; theirs: number }) => number) =>
    `${rounded(percentile(speeds.map(pick), 0.5), 1)} (${speeds.map((speed) => rounded(pick(speed), 1)).join(", ")})`;
  results.push(
    {
      name: "Parlance through HTTP",
      values: { "audio s/s": spread(({ ours }) => ours), clips: recordings.length },
      goal: "at least 70",
      isMet:
        percentile(
          speeds.map(({ ours }) => ours),
          0.5,
        ) >= 70,
    },
    {
      name: "sherpa-onnx, 2 threads",
      values: { "audio s/s": spread(({ theirs }) => theirs), clips: recordings.length },
    },
    { name: "ratio", values: { "audio s/s": rounded(ratio) }, goal: "at least 3", isMet: ratio >= 3 },
  );

  const service = await startService();
  await ready(service);
  const [clip] = recordings.map(({ samples }) => samples.slice(0, 2 * SAMPLE_RATE));
  const added: number[] = [];
  let before = 0;
  for (let round = -5; round < LATENCY_ROUNDS; round++) {
    const { total, recognition } = await shortClip(service, clip as Float32Array);
    if (round >= 0) added.push(total - (recognition - before));
    before = recognition;
  }
  await service.remove();
  const median = percentile(added, 0.5);
  results.push({
    name: "2 s clip, added to recognition",
    values: { "median ms": rounded(median, 0), "P95 ms": rounded(percentile(added, 0.95), 0) },
    goal: "under 150 ms",
    isMet: median < 150,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printResults("Throughput and overhead", results);
saveResults("throughput", results);
