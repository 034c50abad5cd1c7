// Messages of live sessions for their viewers. The process that owns a session writes them; every process reads them.
import type { Database } from "../database.ts";

/** Messages that are read at once. */
const MOST_READ = 500;

export interface CaptionMessage {
  number: number;
  message: string;
}

/** @returns whether it is new */
export async function addCaption(
  database: Database,
  sessionId: string,
  { number, message }: CaptionMessage,
  hash: string,
): Promise<boolean> {
  const added = await database
    .insertInto("live_captions")
    .values({ session_id: sessionId, number, hash, message })
    .onConflict((conflict) => conflict.doNothing())
    .returning("number")
    .executeTakeFirst();
  return added !== undefined;
}

/** The hashes of all messages of a session, and the number of the last one; 0 without one. */
export async function captionState(database: Database, sessionId: string): Promise<{ hashes: string[]; last: number }> {
  const rows = await database
    .selectFrom("live_captions")
    .select(["number", "hash"])
    .where("session_id", "=", sessionId)
    .execute();
  return { hashes: rows.map(({ hash }) => hash), last: rows.reduce((last, { number }) => Math.max(last, number), 0) };
}

/** The next messages. @param after  number of the last one that the reader has */
export async function captionsAfter(database: Database, sessionId: string, after: number): Promise<CaptionMessage[]> {
  return database
    .selectFrom("live_captions")
    .select(["number", "message"])
    .where("session_id", "=", sessionId)
    .where("number", ">", after)
    .orderBy("number")
    .limit(MOST_READ)
    .execute();
}

/** The last messages, in their order. */
export async function lastCaptions(database: Database, sessionId: string, count: number): Promise<CaptionMessage[]> {
  const rows = await database
    .selectFrom("live_captions")
    .select(["number", "message"])
    .where("session_id", "=", sessionId)
    .orderBy("number", "desc")
    .limit(count)
    .execute();
  return rows.reverse();
}
