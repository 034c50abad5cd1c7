// Parts of the captions of sessions with a source, as players of HLS read them. They also record how far the source was read, for the next
// process that owns the session. The owner writes; every process reads.
import type { Database } from "../database.ts";

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
