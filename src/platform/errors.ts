// The catalogue of everything that can go wrong on purpose. The only error class of the project: foreign errors
// are translated into it at the border where they enter, and one renderer per medium shows it.
// One factory per error says what was wrong, what was given, and what is allowed; errors/ has them by topic.

import { accountErrors } from "./errors/accounts.ts";
import { commandErrors } from "./errors/commands.ts";
import { databaseErrors } from "./errors/database.ts";
import { fetchErrors } from "./errors/fetch.ts";
import { jobErrors } from "./errors/jobs.ts";
import { languageModelErrors } from "./errors/language-model.ts";
import { liveErrors } from "./errors/live.ts";
import { mediaErrors } from "./errors/media.ts";
import { HUB_REMEDY, modelErrors } from "./errors/models.ts";
import { ParlanceError as CodedError, type ErrorDetails } from "./errors/parlance-error.ts";
import { processErrors } from "./errors/processes.ts";
import { requestErrors } from "./errors/requests.ts";
import { storageErrors } from "./errors/storage.ts";
import { transferErrors } from "./errors/transfer.ts";
import { uploadErrors } from "./errors/uploads.ts";
import { voiceErrors } from "./errors/voices.ts";
import { shortageOf } from "./system-shortage.ts";

export { MOST_PROBLEMS } from "./errors/parlance-error.ts";

const topics = {
  ...requestErrors,
  ...accountErrors,
  ...mediaErrors,
  ...fetchErrors,
  ...jobErrors,
  ...liveErrors,
  ...modelErrors,
  ...languageModelErrors,
  ...voiceErrors,
  ...storageErrors,
  ...uploadErrors,
  ...databaseErrors,
  ...transferErrors,
  ...processErrors,
  ...commandErrors,
};

/** Every code of the catalogue, derived from its factories: a comparison with another text does not compile. */
export type ErrorCode = ReturnType<(typeof topics)[keyof typeof topics]>["code"];

export type ParlanceError = CodedError<ErrorCode>;
/** For `instanceof`. It is abstract because only factories create errors: a new error is a new factory. */
export const ParlanceError: abstract new (...parameters: never) => ParlanceError = CodedError<ErrorCode>;

/** An error as the operator reads it. */
export const withDetail = (message: string, detail: string | undefined) =>
  detail === undefined ? message : `${message} (${detail})`;

/** What is wrong, for a reader who gets one text: the problems of single fields, or the message. */
export const reasonOf = ({ fields, message }: Pick<ParlanceError, "fields" | "message">) =>
  fields?.join("; ") ?? message;

/** Errors made from other errors, whose code may be any of the catalogue. */
const madeFromErrors = {
  /** @param thrown  what its fetch ended with: it names addresses and folders of the operator's */
  modelNotFetched: (id: string, thrown: unknown) => {
    const { code, message, detail } = toParlanceError(thrown);
    if (code === "models.missing") return modelErrors.modelMissing(id);
    return new CodedError(
      `The model ${id} is not installed. It could not be fetched; the log has the reason. ${HUB_REMEDY}`,
      { code: "models.missing", status: 422, detail: withDetail(message, detail), cause: thrown },
    );
  },
  /** @param last  error of the last attempt */
  fetchGivenUp: (last: ParlanceError, attempts: number) => {
    const { code, status, message, retryAfterSeconds } = last;
    const tried = attempts === 1 ? "after 1 attempt" : `after ${attempts} attempts`;
    const pause =
      retryAfterSeconds === undefined
        ? ""
        : `; the pause of ${retryAfterSeconds} s that it requests is too long to wait`;
    return new CodedError(`${message} (given up ${tried}${pause})`, { code, status, cause: last });
  },
  /** @param error  what the fetch for an upload failed with: its status must not be taken for this service's own refusal */
  uploadNotFetched: ({ code, message, cause }: ParlanceError) => new CodedError(message, { code, status: 424, cause }),
};

export const errors = { ...topics, ...madeFromErrors };

/**
 * An error that another process sent as data, so that its code may be any text. The type claims one of the catalogue: a child
 * runs the same version of the program, and any other text equals none of the codes that are compared.
 */
export const transferredError = (message: string, details: ErrorDetails<string>): ParlanceError =>
  new CodedError(message, details as ErrorDetails<ErrorCode>);

/** Converts any thrown value to an error of the catalogue. */
export function toParlanceError(thrown: unknown): ParlanceError {
  return thrown instanceof ParlanceError ? thrown : (shortageError(thrown) ?? errors.internal(thrown));
}

/** The error of the catalogue for a shortage of the system; undefined for any other error. */
export function shortageError(thrown: unknown): ParlanceError | undefined {
  switch (shortageOf(thrown)) {
    case "room":
      return errors.storageExhausted(thrown);
    case "resources":
      return errors.resourcesExhausted(thrown);
    default:
      return undefined;
  }
}

/** Whether another process took a live session over, or it was deleted. */
export const isLogLost = (thrown: unknown): boolean =>
  thrown instanceof ParlanceError && thrown.code === "live.log_lost";
