// Requests about one job of the list of uploads.
import { accountName } from "./account.ts";
import { ApiError, errorMessage, get, send } from "./api.ts";
import { t } from "./language/language.ts";
import { isOutage, serviceAnswers } from "./outage.ts";
import type { Values } from "./parts/schema.ts";
import type { CreatedJob, Job } from "./shapes.ts";
import { sleep } from "./sleep.ts";
import type { Task } from "./task.ts";

const [UNAUTHORIZED, TOO_MANY] = [401, 429];

export type JobOutcome = Pick<Job, "status" | "progress" | "error_message" | "error_code" | "error_details">;

export async function createJob(task: Task, source: Values): Promise<string> {
  for (;;) {
    if (accountName() !== task.account) throw new ApiError(UNAUTHORIZED, t.problems.signedOut);
    try {
      return (await send<CreatedJob>("POST", "/v2/pre-recorded", { ...task.options, ...source })).id;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === TOO_MANY) || task.isDropped) throw error;
      // The account's queue is full. The list shows the reason; the job is made later.
      const { value: state } = task.state;
      if (state.kind === "sending") task.state.value = { ...state, reason: errorMessage(error) };
      await sleep(2_000);
    }
  }
}

export const jobOutcome = (id: string): Promise<JobOutcome> => get<JobOutcome>(`/v2/transcription/${id}`);

/** @throws ApiError  unless the job is gone already */
async function removeJob(id: string): Promise<void> {
  await send("DELETE", `/v2/pre-recorded/${id}?cancel=true`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}

/** Deletes a job, also if the service gives no answer now. @throws ApiError  after a refusal, or when the account is signed out */
export async function removeSurely({ account }: Pick<Task, "account">, id: string): Promise<void> {
  for (;;) {
    if (accountName() !== account) throw new ApiError(UNAUTHORIZED, t.problems.signedOut);
    try {
      return await removeJob(id);
    } catch (error) {
      if (!(error instanceof ApiError && isOutage(error.status))) throw error;
    }
    await serviceAnswers();
  }
}
