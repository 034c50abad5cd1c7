// Throughput of a service from the first upload to the last result.
import { readFileSync } from "node:fs";
import { call, doneJob, type RunningService, upload } from "../test/service.ts";
import { type Recording, SAMPLE_RATE } from "./recordings.ts";

export const secondsIn = (recordings: readonly Recording[]): number =>
  recordings.reduce((sum, { samples }) => sum + samples.length / SAMPLE_RATE, 0);

/**
 * @param params  of each job beside its audio
 * @returns audio seconds a second, all of the recordings handed in at once
 */
export async function serviceSpeed(
  service: RunningService,
  recordings: readonly Recording[],
  params: (recording: Recording) => Record<string, unknown> = () => ({}),
): Promise<number> {
  const started = performance.now();
  const ids: string[] = [];
  for (const recording of recordings) {
    const { json } = await upload(service, readFileSync(recording.path), recording.file);
    const body = { audio_url: json.audio_url, ...params(recording) };
    ids.push((await call(service, "POST", "/v2/pre-recorded", { body })).json.id);
  }
  for (const id of ids) await doneJob(service, id);
  return secondsIn(recordings) / ((performance.now() - started) / 1000);
}
