// Start time, cold and warm, and the memory of all processes afterwards; and the memory used while a
// recording of three hours is transcribed, beyond that of the idle, warm service (its models). Needs Linux, for /proc.
import { wav } from "../test/fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, upload } from "../test/service.ts";
import { peakWhile, treeBytes } from "./process-memory.ts";
import { loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const HOURS = 3;
const SETTLE_MILLISECONDS = 3_000;

/** Time until the service is ready, and its memory a little later. */
async function measuredStart(name: string, folder?: string): Promise<{ service: RunningService; result: Result }> {
  const started = performance.now();
  const service = await startService(folder === undefined ? {} : { folder });
  await ready(service);
  const seconds = (performance.now() - started) / 1000;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MILLISECONDS));
  const idle = treeBytes(service.processId) / 1e6;
  const isMet = seconds <= 4 && idle <= 1200;
  const values = { "ready s": rounded(seconds, 1), "idle MB": rounded(idle, 0) };
  return { service, result: { name, values, goal: "ready in 4 s, 1200 MB", isMet } };
}

/** Concatenated meetings of this many hours. */
async function meetings(): Promise<Float32Array> {
  const recordings = await loadRecordings((reference) => reference.file.startsWith("meeting"));
  const total = HOURS * 3600 * SAMPLE_RATE;
  const long = new Float32Array(total);
  for (let at = 0, index = 0; at < total; index++) {
    const { samples } = recordings[index % recordings.length] as (typeof recordings)[number];
    long.set(samples.subarray(0, Math.min(samples.length, total - at)), at);
    at += samples.length;
  }
  return long;
}

const first = await measuredStart("first start");
await first.service.stop();
const { service, result: second } = await measuredStart("second start", first.service.folder);
try {
  const long = await meetings();
  // Warm: every recogniser has run, every model is loaded.
  const short = await upload(service, wav([long.subarray(0, 60 * SAMPLE_RATE)]));
  await finished(
    service,
    (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: short.json.audio_url } })).json.id,
  );
  const idle = treeBytes(service.processId);
  const { json } = await upload(service, wav([long]));
  const started = performance.now();
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } });
  const peak = await peakWhile(service.processId, finished(service, created.json.id, 3_600_000));
  const seconds = (performance.now() - started) / 1000;
  const beyond = (peak - idle) / 1e6;
  const results: Result[] = [
    first.result,
    second,
    {
      name: `${HOURS} hours of meetings`,
      values: {
        "idle MB": rounded(idle / 1e6, 0),
        "peak MB": rounded(peak / 1e6, 0),
        "beyond MB": rounded(beyond, 0),
        "audio s/s": rounded((HOURS * 3600) / seconds, 1),
      },
      goal: "1600 MB",
      isMet: peak <= 1600e6,
    },
  ];
  printResults("Starts, and memory on a long recording", results);
  saveResults("memory", results);
} finally {
  await service.remove();
}
