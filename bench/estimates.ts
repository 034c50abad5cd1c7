// How well `progress.estimated_seconds` predicts the end of jobs: a service that has just started transcribes recordings of five minutes, each
// kind of job twice. The error counts from a tenth of the job's time on.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installModel } from "../src/service/models/installer.ts";
import { ProviderServer } from "../test/fixtures/language-model.ts";
import { WHISPER_BASE, wav } from "../test/fixtures/recordings.ts";
import { call, type RunningService, ready, startService, upload } from "../test/service.ts";
import { joined, loadRecordings } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const RECORDING_SECONDS = 300;
const ROUNDS = 2;
const POLL_MILLISECONDS = 250;
/** Part of the job's time before which the estimate is not judged. */
const FIRST_SHARE = 0.1;
/** Below it, the error is not a share of the rest but of this. */
const LEAST_REST_SECONDS = 2;
const MOST_ERROR = 0.3;
/** Answers of the language model take as long as those of a small model without a GPU. */
const ANSWER_MILLISECONDS = 15_000;

const KINDS: [name: string, params: object][] = [
  ["words", {}],
  ["with speakers", { diarization: true }],
  ["with a summary by a language model", { summarization: true }],
  ["Whisper base, language detected", { model: "whisper-base" }],
];

/** Relative errors of the estimates of one job. A job without an estimate counts as an error of 1. */
async function errorsOf(service: RunningService, audio: string, params: object) {
  const started = performance.now();
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: audio, ...params } });
  const estimates: [seconds: number, estimate: number][] = [];
  for (;;) {
    const { json: job } = await call(service, "GET", `/v2/pre-recorded/${json.id}`);
    const seconds = (performance.now() - started) / 1000;
    if (job.status === "error") throw new Error(job.error_message);
    if (job.status === "done") {
      const errors = estimates
        .filter(([at]) => at >= FIRST_SHARE * seconds)
        .map(([at, estimate]) => Math.abs(estimate - (seconds - at)) / Math.max(LEAST_REST_SECONDS, seconds - at));
      return { seconds, errors };
    }
    estimates.push([seconds, job.progress.estimated_seconds ?? 0]);
    await sleep(POLL_MILLISECONDS);
  }
}

if (!existsSync(WHISPER_BASE)) throw new Error("the bench needs ../shared/models");
const models = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-models-"));
const provider = await ProviderServer.start();
provider.answer = async () => {
  await sleep(ANSWER_MILLISECONDS);
  return { content: "A summary." };
};
try {
  const store = await installSpeakerModel(models);
  await installModel(WHISPER_BASE, store, { hub: { base: "" }, progress: () => undefined });
  const environment = { PARLANCE_MODELS_DIR: models, PARLANCE_LLM_URL: `${provider.base}/v1`, PARLANCE_LLM_MODEL: "m" };
  const service = await startService({ environment });
  await ready(service);
  const recordings = await loadRecordings(({ language = "en" }) => language === "en");
  const audio = (await upload(service, wav([joined(recordings, RECORDING_SECONDS)]))).json.audio_url;
  const results: Result[] = [];
  for (const [name, params] of KINDS) {
    for (let round = 1; round <= ROUNDS; round++) {
      const { seconds, errors } = await errorsOf(service, audio, params);
      const within = errors.filter((error) => error <= MOST_ERROR).length / errors.length;
      results.push({
        name: `${name}, job ${round} of its kind`,
        values: {
          seconds: rounded(seconds, 1),
          "error, median %": rounded(100 * percentile(errors, 0.5), 0),
          "error, 95th percentile %": rounded(100 * percentile(errors, 0.95), 0),
          "within 30 %": `${rounded(100 * within, 0)} %`,
        },
        goal: "95 % of the estimates are within 30 %",
        isMet: within >= 0.95,
      });
    }
  }
  await service.remove();
  printResults("Estimated rest of a job of five minutes", results);
  saveResults("estimates", results);
} finally {
  await provider.stop();
  rmSync(models, { recursive: true, force: true });
}
