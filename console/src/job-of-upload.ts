// Finds the job of an upload whose page was closed before it stored the answer to its request, or whose answer was lost.
import { get } from "./api.ts";
import type { JobPage } from "./shapes.ts";
import { sleep } from "./sleep.ts";

const RECENT_JOBS = 100;
/** The service may still process the request of the closed page. */
const LOOKS = 5;
const PAUSE_MILLISECONDS = 1_000;

/**
 * @param failed  a job of the file that another one is to replace
 * @returns the job that uses the uploaded file, among the newest; undefined if there is none
 */
export async function jobOf(audioUrl: string, failed?: string): Promise<string | undefined> {
  for (let look = 1; ; look++) {
    const { items } = await get<JobPage>(`/v2/pre-recorded?limit=${RECENT_JOBS}`);
    const found = items.find(({ id, file }) => id !== failed && file && audioUrl.endsWith(`/${file.id}`))?.id;
    if (found !== undefined || look === LOOKS) return found;
    await sleep(PAUSE_MILLISECONDS);
  }
}
