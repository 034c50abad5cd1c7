// Repeats transactions that PostgreSQL cancels because they conflict with others.
import type { Transaction } from "kysely";
import { doubling, retry } from "../../process/retry.ts";
import type { Database, DatabaseSchema } from "./schema.ts";

/** SQLSTATE of serialization failures and deadlocks. PostgreSQL has rolled the transaction back; its manual says to repeat it. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MOST_ATTEMPTS = 8;
/** Longest wait before the second attempt; it doubles with each further one. */
const FIRST_WAIT_MILLISECONDS = 10;

export const isConflict = (thrown: unknown): boolean => CONFLICTS.has((thrown as { code?: string } | null)?.code ?? "");

/** Repeats an attempt that fails because of a conflict. The wait before it is random, so that the same two do not conflict again. */
export function despiteConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const longest = doubling(FIRST_WAIT_MILLISECONDS, MOST_ATTEMPTS);
  return retry(() => attempt(), {
    pauseAfter: (error, attempts) => {
      const most = isConflict(error) ? longest(attempts) : undefined;
      return most === undefined ? undefined : Math.random() * most;
    },
  });
}

/** @param work  changes only the database, because it may run several times */
export function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction<DatabaseSchema>) => Promise<Result>,
): Promise<Result> {
  return despiteConflicts(() => database.transaction().execute(work));
}
