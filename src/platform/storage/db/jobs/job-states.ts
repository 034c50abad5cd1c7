// States of a job, as its row has them. The updates in jobs.ts and job-claims.ts take their conditions from this table.
import { statesWith, type Transitions } from "../../../process/state-machine.ts";
import type { JobStatus } from "../schema.ts";

export type JobEvent =
  /** A worker claims a recorded job, or the first client of a live session connects. */
  | "start"
  /** A stage ended; the worker continues. */
  | "advance"
  /** Back to the queue: interrupted, or for another lane or model. */
  | "requeue"
  | "succeed"
  | "fail"
  /** The stored result of a recorded job is lost. */
  | "remake";

export const JOB_TRANSITIONS: Transitions<JobStatus, JobEvent> = {
  queued: {
    start: "processing",
    advance: null,
    requeue: null,
    // A live session that another process has started and ended in the meantime.
    succeed: "done",
    // Cancelled, expired, or without a model.
    fail: "error",
    remake: null,
  },
  processing: {
    start: null,
    advance: "processing",
    requeue: "queued",
    succeed: "done",
    fail: "error",
    remake: null,
  },
  done: { start: null, advance: null, requeue: null, succeed: null, fail: null, remake: "queued" },
  error: { start: null, advance: null, requeue: null, succeed: null, fail: null, remake: null },
};

/** Statuses in which an event has an effect. */
export const jobStatusesWith = (event: JobEvent): JobStatus[] => statesWith(JOB_TRANSITIONS, event);
