// What viewers of a live session read while it runs, and how far its source was read. The process that owns the session writes; every
// process reads.
import type { Database } from "../database.ts";

/** Messages that are read at once. */
const MOST_READ = 500;

export interface CaptionMessage {
  number: number;
  message: string;
}

/** A part of the audio. Seconds on the clock of the session. */
export interface CaptionPart {
  number: number;
  /** Of the part in the playlist of its source; null without one. */
  sequence: number | null;
  starts: number;
  seconds: number;
  onAirAt: Date;
  /** Of its start in the clock of the source, 90 kHz; null if that has none. */
  ticks: number | null;
  /** Breaks in the clock of the source before it. */
  discontinuities: number;
  /** WebVTT; null until it is published. */
  text: string | null;
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

export async function addPart(database: Database, sessionId: string, part: CaptionPart): Promise<void> {
  await database
    .insertInto("live_caption_parts")
    .values({
      session_id: sessionId,
      number: part.number,
      sequence: part.sequence,
      starts: part.starts,
      seconds: part.seconds,
      on_air_at: part.onAirAt.getTime(),
      ticks: part.ticks,
      discontinuities: part.discontinuities,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The clock of the source became known within the part. */
export async function setTicks(database: Database, sessionId: string, number: number, ticks: number): Promise<void> {
  await database
    .updateTable("live_caption_parts")
    .set({ ticks })
    .where("session_id", "=", sessionId)
    .where("number", "=", String(number))
    .execute();
}

/** A published part never changes. @param seconds  that it has */
export async function publishPart(
  database: Database,
  sessionId: string,
  number: number,
  seconds: number,
  text: string,
): Promise<void> {
  await database
    .updateTable("live_caption_parts")
    .set({ text, seconds })
    .where("session_id", "=", sessionId)
    .where("number", "=", String(number))
    .where("text", "is", null)
    .execute();
}

const COLUMNS = ["number", "sequence", "starts", "seconds", "on_air_at", "ticks", "discontinuities"] as const;

function partOf(row: {
  number: string;
  sequence: string | null;
  starts: number;
  seconds: number;
  on_air_at: number;
  ticks: string | null;
  discontinuities: number;
}): Omit<CaptionPart, "text"> {
  const { number, sequence, starts, seconds, on_air_at, ticks, discontinuities } = row;
  return {
    ...{ number: Number(number), starts, seconds, discontinuities, onAirAt: new Date(on_air_at) },
    sequence: sequence === null ? null : Number(sequence),
    ticks: ticks === null ? null : Number(ticks),
  };
}

/** Parts that are not published, and the last one in any case. */
export async function openParts(database: Database, sessionId: string): Promise<CaptionPart[]> {
  const own = database
    .selectFrom("live_caption_parts")
    .select([...COLUMNS, "text"])
    .where("session_id", "=", sessionId);
  const [last] = await own.orderBy("number", "desc").limit(1).execute();
  const waiting = await own.where("text", "is", null).orderBy("number").execute();
  const rows = last && last.text !== null ? [last, ...waiting] : waiting;
  return rows.map((row) => ({ ...partOf(row), text: row.text }));
}

/** The last published parts, in their order, without their texts. */
export async function publishedParts(
  database: Database,
  sessionId: string,
  count: number,
): Promise<{ parts: Omit<CaptionPart, "text">[]; longestSeconds: number }> {
  const published = database
    .selectFrom("live_caption_parts")
    .where("session_id", "=", sessionId)
    .where("text", "is not", null);
  const rows = await published
    .select([...COLUMNS])
    .orderBy("number", "desc")
    .limit(count)
    .execute();
  const { longest } = await published.select((row) => row.fn.max("seconds").as("longest")).executeTakeFirstOrThrow();
  return { parts: rows.reverse().map(partOf), longestSeconds: Number(longest ?? 0) };
}

/** Whether parts wait for their captions. */
export async function hasOpenParts(database: Database, sessionId: string): Promise<boolean> {
  const row = await database
    .selectFrom("live_caption_parts")
    .select("number")
    .where("session_id", "=", sessionId)
    .where("text", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns undefined for a part that does not exist or is not published */
export async function publishedText(
  database: Database,
  sessionId: string,
  number: number,
): Promise<string | undefined> {
  const row = await database
    .selectFrom("live_caption_parts")
    .select("text")
    .where("session_id", "=", sessionId)
    .where("number", "=", String(number))
    .executeTakeFirst();
  return row?.text ?? undefined;
}

/** @returns whether the session was known */
export async function requestStop(database: Database, sessionId: string): Promise<boolean> {
  const row = await database
    .updateTable("live_sessions")
    .set({ stop_requested: true })
    .where("id", "=", sessionId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function isStopRequested(database: Database, sessionId: string): Promise<boolean> {
  const row = await database
    .selectFrom("live_sessions")
    .select("stop_requested")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return row?.stop_requested === true;
}

/** Sessions with a source that no process has opened, oldest first. */
export async function waitingSources(database: Database, most: number): Promise<string[]> {
  const rows = await database
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", "live")
    .where("status", "=", "queued")
    .where("audio_url", "is not", null)
    .orderBy("created_at")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}
