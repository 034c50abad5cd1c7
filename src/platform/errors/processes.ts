// The process of the service and its child processes.
import { ParlanceError } from "./parlance-error.ts";

export const processErrors = {
  processDied: (name: string, how: string, detail?: string) =>
    new ParlanceError(`The ${name} process ended unexpectedly (${how})`, {
      code: "process.died",
      status: 500,
      retryable: true,
      ...(detail === undefined ? {} : { detail }),
    }),
  processBystander: (name: string) =>
    new ParlanceError(`The ${name} process ended while it processed another task`, {
      code: "process.bystander",
      status: 500,
      retryable: true,
    }),
  processTimeout: (name: string, milliseconds: number) =>
    new ParlanceError(`The ${name} process did not answer within ${Math.round(milliseconds / 1000)} s`, {
      code: "process.timeout",
      status: 500,
      retryable: true,
    }),
  processNotStarted: (name: string, reason: string) =>
    new ParlanceError(`The ${name} process could not be started: ${reason}`, {
      code: "process.timeout",
      status: 500,
      retryable: true,
    }),
  /** @param detail  what it failed with: foreign text */
  processFailed: (name: string, detail: string) =>
    new ParlanceError(`The ${name} process failed; the log has the reason`, {
      code: "process.failed",
      status: 500,
      detail,
    }),
  recognitionQueueFull: () =>
    new ParlanceError("The recogniser's queue is full", {
      code: "recognition.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  aborted: () => new ParlanceError("The work was stopped", { code: "work.aborted", status: 503, retryable: true }),
  internal: (cause: unknown) =>
    new ParlanceError("Something went wrong on our side; the log has the reason under this request id", {
      code: "internal",
      status: 500,
      cause,
    }),
  notReady: (reason: string) =>
    new ParlanceError(`The service cannot take requests: ${reason}`, {
      code: "service.not_ready",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  cannotListen: (where: string, reason: string, cause: unknown) =>
    new ParlanceError(`The service cannot listen on ${where}: ${reason}.`, {
      code: "service.cannot_listen",
      status: 500,
      cause,
    }),
  invalidSettings: (problems: string[]) =>
    new ParlanceError(`The configuration cannot be used:\n${problems.map((line) => `  - ${line}`).join("\n")}`, {
      code: "settings.invalid",
      status: 500,
    }),
};
