// The error class of the catalogue. Each factory creates errors whose type names the code of the factory; errors.ts derives the union
// of all codes. Other modules import errors.ts only.

import { firstOf } from "../../contract/first-of.ts";
import { beginningOf, storableText } from "../storable.ts";

export interface ErrorDetails<Code extends string> {
  /** Stable name, dotted, for logs and tests. */
  code: Code;
  /** HTTP status, also a job's error_code. */
  status: number;
  /** Whether the same request can succeed later without being changed. */
  retryable?: boolean;
  /** One sentence per invalid field, each beginning with the field's dotted path. */
  fields?: string[];
  /** Seconds after which to try again. */
  retryAfterSeconds?: number;
  /** For the operator: shown in the log and on the command line, never in an answer. */
  detail?: string;
  cause?: unknown;
}

/** Messages can quote clients and other programs; they are answered, logged and stored in jobs' rows. */
const MOST_MESSAGE_CHARACTERS = 4_000;

/** A longer list does not help a caller to correct the request, and could make the answer larger than the request. */
export const MOST_PROBLEMS = 20;
const MOST_SENTENCE_CHARACTERS = 2_000;

/** The first MOST_PROBLEMS sentences, each of bounded length, and the number of the others. */
function boundedProblems(sentences: readonly string[]): string[] {
  const { first, rest } = firstOf(sentences, MOST_PROBLEMS);
  const shown = first.map((sentence) => storableText(beginningOf(sentence, MOST_SENTENCE_CHARACTERS)));
  if (rest === 0) return shown;
  return [...shown, rest === 1 ? "1 more problem is not listed" : `${rest} more problems are not listed`];
}

export class ParlanceError<Code extends string> extends Error {
  readonly code: Code;
  readonly status: number;
  readonly retryable: boolean;
  readonly fields?: string[];
  readonly retryAfterSeconds?: number;
  readonly detail?: string;

  constructor(message: string, details: ErrorDetails<Code>) {
    super(storableText(beginningOf(message, MOST_MESSAGE_CHARACTERS)), { cause: details.cause });
    this.name = "ParlanceError";
    this.code = details.code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    if (details.fields) this.fields = boundedProblems(details.fields);
    if (details.detail !== undefined) this.detail = details.detail;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
