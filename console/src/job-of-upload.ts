// Finds the job of an upload whose page was closed before it stored the answer to its request, or whose answer was lost.
import { get } from "./api.ts";
import type { JobItem, JobPage } from "./shapes.ts";
import { sleep } from "./sleep.ts";

const RECENT_JOBS = 100;
/** The service may still process the request of the closed page. */
const LOOKS = 5;
const PAUSE_MILLISECONDS = 1_000;

/** The jobs that use the uploaded file, among the newest; the newest is first. @throws ApiError */
export async function jobsOf(audioUrl: string): Promise<JobItem[]> {
  const { items } = await get<JobPage>(`/v2/pre-recorded?limit=${RECENT_JOBS}`);
  return items.filter(({ file }) => file && audioUrl.endsWith(`/${file.id}`));
}

/** Looks several times, because the service may still process the request. */
export async function firstFound(look: () => Promise<string | undefined>): Promise<string | undefined> {
  for (let looks = 1; ; looks++) {
    const found = await look();
    if (found !== undefined || looks === LOOKS) return found;
    await sleep(PAUSE_MILLISECONDS);
  }
}

/**
 * @param failed  a job of the file that another one is to replace
 * @returns the job that uses the uploaded file, among the newest; undefined if there is none
 */
export const jobOf = (audioUrl: string, failed?: string): Promise<string | undefined> =>
  firstFound(async () => (await jobsOf(audioUrl)).find(({ id }) => id !== failed)?.id);
