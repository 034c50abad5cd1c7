// Pages of lists, each with the cursor of the next one.
import { firstOf } from "../../contract/first-of.ts";
import { errors } from "../../platform/errors.ts";

/** The error for a cursor that is not one of the list. */
export const badCursor = () => errors.invalidParameters(["cursor must be `next` of a page of the same list"]);

/**
 * @param rows      of the page and, if there is a next page, at least one more
 * @param cursorOf  the cursor behind a row
 * @returns the rows of the page, and the cursor of the next one; null if there is none
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { items: Row[]; next: string | null } {
  const { first, rest } = firstOf(rows, limit);
  const last = first.at(-1);
  return { items: first, next: rest > 0 && last !== undefined ? cursorOf(last) : null };
}
