// The last check behind those of requests: a value that PostgreSQL cannot hold is the client's error, never a fault of the
// service, and nothing that a repetition could mend.
import { errors, ParlanceError } from "../../errors.ts";

/** SQLSTATE class 22, "data exception": text, numbers and dates outside of what a column can hold. */
const DATA_EXCEPTION = /^22/;
/** An index entry or a row that is too large (54000 program limit exceeded, 54001 stack depth). */
const PROGRAM_LIMIT = /^5400[01]$/;

/** @returns the error as one of the catalogue where a value was at fault; otherwise as it is */
export function asRefusedValue(thrown: unknown): unknown {
  if (thrown instanceof ParlanceError) return thrown;
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  if (typeof code !== "string" || !(DATA_EXCEPTION.test(code) || PROGRAM_LIMIT.test(code))) return thrown;
  return errors.valueNotStorable(String(message), thrown);
}
