// Scaling of workers: 1, 2 and 4 worker processes with one recogniser thread each, on one PostgreSQL and one S3 server,
// with a queue
// full of recordings. If the cores are the limit, the work per second of processor time shows the overhead of a worker.
// Needs PostgreSQL and versitygw.
import os from "node:os";
import { startPostgres } from "../test/fixtures/postgres.ts";
import { wav } from "../test/fixtures/recordings.ts";
import { startS3 } from "../test/fixtures/s3.ts";
import { decodeSpeech, repeated } from "../test/fixtures/speech.ts";
import { call, doneJob, type RunningService, ready, startService, upload } from "../test/service.ts";
import { processorTimes } from "./processor-time.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const JOBS = 32;
const COPIES = 10;
/** Processor seconds of a process and its children so far. */
const processorSeconds = (service: RunningService) =>
  [...processorTimes(service).values()].reduce((sum, one) => sum + one, 0);

const [postgres, s3] = [await startPostgres(), await startS3()];
const started: RunningService[] = [];
const start = async (roles: string) => {
  const environment = { DATABASE_URL: postgres.url, ...s3.environment, PARLANCE_ROLES: roles, PARLANCE_WORKERS: "1" };
  const service = await startService({ environment });
  started.push(service);
  await ready(service);
  return service;
};

try {
  const api = await start("api");
  const speech = repeated(await decodeSpeech(), COPIES, 3);
  const audioSeconds = (JOBS * speech.length) / 16_000;
  const { audio_url } = (await upload(api, wav([speech]))).json;
  const results: Result[] = [];
  const workers: RunningService[] = [];
  for (const count of [1, 2, 4]) {
    while (workers.length < count) workers.push(await start("worker"));
    const before = workers.map(processorSeconds);
    const began = performance.now();
    const ids: string[] = [];
    for (let job = 0; job < JOBS; job++) {
      ids.push((await call(api, "POST", "/v2/pre-recorded", { body: { audio_url } })).json.id);
    }
    for (const id of ids) await doneJob(api, id, 600_000);
    const seconds = (performance.now() - began) / 1000;
    const used = workers.map((worker, index) => processorSeconds(worker) - (before[index] as number));
    const shares = workers.map(
      (worker) => ids.filter((id) => worker.log().includes(`"job":"${id}","msg":"job taken"`)).length,
    );
    results.push({
      name: `${count} workers`,
      values: {
        "audio s/s": rounded(audioSeconds / seconds, 1),
        "audio s a processor second": rounded(audioSeconds / used.reduce((sum, one) => sum + one, 0), 1),
        "jobs of each": shares.join(" "),
      },
    });
  }
  printResults(
    `${JOBS} recordings of ${Math.round(speech.length / 16_000)} s on ${os.availableParallelism()} cores`,
    results,
  );
  saveResults("workers", results);
} finally {
  for (const service of started) await service.remove();
  await s3.remove();
  postgres.stop();
}
