// Follows the job of a task of the list of uploads.
import { accountName } from "./account.ts";
import { ApiError } from "./api.ts";
import { canJobSucceed } from "./can-succeed.ts";
import { type JobOutcome, jobOutcome } from "./job-outcome.ts";
import { t } from "./language/language.ts";
import { sleep } from "./sleep.ts";
import { isSourceGone, keep, type Task } from "./task.ts";

const POLL_MILLISECONDS = 700;
/** Added per position in the list: in a long list, later tasks are polled less often. */
const POLL_PER_TASK_MILLISECONDS = 60;

async function poll(task: Task, id: string, working: () => number): Promise<void> {
  task.state.value = { kind: "working", job: id, progress: null };
  void keep(task);
  /** Another track was selected in the meantime. */
  const isReplaced = () => task.state.value.kind !== "working" || task.state.value.job !== id;
  while (!task.isDropped) {
    await sleep(POLL_MILLISECONDS + working() * POLL_PER_TASK_MILLISECONDS);
    if (accountName() !== task.account) continue;
    let job: JobOutcome;
    try {
      job = await jobOutcome(id);
    } catch (error) {
      if (isReplaced()) return;
      if (error instanceof ApiError && error.status === 404) {
        task.state.value = { kind: "failed", message: t.tasks.deleted, isFinal: true, job: id };
        return;
      }
      // The service is unreachable: it resumes its jobs after a restart.
      continue;
    }
    if (task.isDropped || isReplaced()) return;
    if (job.status === "done") task.state.value = { kind: "done", job: id };
    else if (job.status === "error") {
      const message = job.error_message ?? t.tasks.failed;
      task.state.value = { kind: "failed", message, isFinal: isSourceGone(task) || !canJobSucceed(job), job: id };
    } else {
      task.state.value = { kind: "working", job: id, progress: job.progress ?? null };
      continue;
    }
    return;
  }
}

/** Follows the job of a task until it ends, or another one takes its place. @param working  number of tasks of the list with a job */
export async function pollJob(task: Task, id: string, working: () => number): Promise<void> {
  await poll(task, id, working);
  await keep(task);
}
