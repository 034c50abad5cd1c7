// The data folders that work on this database, and how often each was started.
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { databaseTime, fromStatement, statementTime } from "./database-time.ts";
import type { ProcessReport } from "./machine-tables.ts";

/** One less than the column's maximum: a damaged row must not make the increment at a start fail. */
const MOST_GENERATIONS = 2_147_483_646;

/**
 * Counts a start of a data folder.
 * @param above  the highest generation recorded in the folder
 * @returns the generation of this process: higher than that of every process before it
 */
export async function beginGeneration(database: Database, name: string, above: number): Promise<number> {
  const { generation } = await database
    .insertInto("machines")
    .values({ name, generation: above + 1, started_at: statementTime })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        generation: sql<number>`least(greatest(machines.generation, ${above}::integer), ${MOST_GENERATIONS}::integer) + 1`,
        started_at: statementTime,
      }),
    )
    .returning("generation")
    .executeTakeFirstOrThrow();
  return generation;
}

/** @returns undefined if no process of that folder has started */
export async function generationOf(database: Database, name: string): Promise<number | undefined> {
  const row = await database.selectFrom("machines").select("generation").where("name", "=", name).executeTakeFirst();
  return row?.generation;
}

/** Names in rows of this database: of data folders, and of live sessions that have not ended. */
export async function knownMachines(database: Database): Promise<string[]> {
  const [folders, owners] = await Promise.all([
    database.selectFrom("machines").select("name").execute(),
    database.selectFrom("live_sessions").select("owner as name").distinct().where("owner", "is not", null).execute(),
  ]);
  return [...new Set([...folders, ...owners].map(({ name }) => name as string))];
}

/** Interval of the reports. */
export const REPORT_MILLISECONDS = 60_000;
/** A process that has reported nothing for so long no longer runs: it has missed two reports. */
const MOST_REPORT_SECONDS = 150;

/** Clock of this machine minus that of the database, which follows it since it was opened. */
export const clockDifference = (database: Database) => Math.round(Date.now() - databaseTime(database).getTime());

export async function reportProcess(database: Database, name: string, report: ProcessReport): Promise<void> {
  await database
    .updateTable("machines")
    .set({ report: JSON.stringify(report), reported_at: statementTime })
    .where("name", "=", name)
    .execute();
}

/** Other processes read the reports again at once. */
export async function announceReport(database: Database): Promise<void> {
  await sql`select pg_notify(signal_channel(), 'models')`.execute(database);
}

/** The process stops in order. */
export async function endReports(database: Database, name: string): Promise<void> {
  await database
    .updateTable("machines")
    .set({ last_report: sql`report`, report: null, reported_at: statementTime })
    .where("name", "=", name)
    .where("report", "is not", null)
    .execute();
}

export interface ReportedProcess extends ProcessReport {
  /** Name of its data folder. */
  machine: string;
  /** Since its last report, or since it stopped in order. */
  ageSeconds: number;
  isRunning: boolean;
}

/**
 * The newest report first.
 * @param stoppedSeconds  includes the processes that have stopped in order less than this ago
 */
export async function reportedProcesses(database: Database, stoppedSeconds = 0): Promise<ReportedProcess[]> {
  const rows = await database
    .selectFrom("machines")
    .select(["name", "report", "last_report", sql<number>`extract(epoch from now() - reported_at)::float8`.as("age")])
    .where((either) =>
      either.or([
        either("report", "is not", null),
        either.and([either("last_report", "is not", null), either("reported_at", ">", fromStatement(-stoppedSeconds))]),
      ]),
    )
    .orderBy("reported_at", "desc")
    .execute();
  return rows.flatMap(({ name, report, last_report, age }) => {
    const last = report ?? last_report;
    const isRunning = report !== null && age <= MOST_REPORT_SECONDS;
    return last ? [{ ...last, machine: name, ageSeconds: Math.round(age), isRunning }] : [];
  });
}
