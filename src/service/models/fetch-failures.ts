// Errors of fetches in the rows of models, from which the other processes report them.
import { type ParlanceError, toParlanceError, transferredError } from "../../platform/errors.ts";
import type { FetchFailure } from "../../platform/storage/db/fleet-models.ts";

export const errorOf = ({ message, ...details }: FetchFailure): ParlanceError => transferredError(message, details);

export function failureOf(thrown: unknown): FetchFailure {
  const { message, code, status, retryable, detail } = toParlanceError(thrown);
  return { message, code, status, retryable, ...(detail === undefined ? {} : { detail }) };
}
