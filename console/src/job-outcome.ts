// Requests about one job of the list of uploads.
import { ApiError, get, send } from "./api.ts";
import type { Job } from "./shapes.ts";

export type JobOutcome = Pick<Job, "status" | "progress" | "error_message" | "error_code" | "error_details">;

export const jobOutcome = (id: string): Promise<JobOutcome> => get<JobOutcome>(`/v2/transcription/${id}`);

/** @throws ApiError  unless the job is gone already */
export async function removeJob(id: string): Promise<void> {
  await send("DELETE", `/v2/pre-recorded/${id}?cancel=true`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}
