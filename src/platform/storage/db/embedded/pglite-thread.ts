// The embedded database on a thread of its own: a query that takes long must not hold the event loop that answers
// requests. Statements arrive one at a time in the order they were sent; the driver sees to transactions.
import v8 from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { copyCluster } from "./pglite-backup.ts";
import { DurableFiles } from "./pglite-files.ts";
import { isFatal, PreparedStatements, type StatementResult } from "./pglite-statements.ts";

export interface ThreadData {
  folder: string;
  /** Whether commits are synced before they are answered. */
  isDurable: boolean;
}

export interface StatementMessage {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}
/** Copies the files of the database while statements run. */
export interface BackupMessage {
  id: number;
  backupFolder: string;
}
/** isFatal: the thread ends, and the connection cannot be used any more. */
interface StatementError {
  message: string;
  code?: string;
  /** The name of the constraint that the statement violates. */
  constraint?: string;
  isFatal: boolean;
}
type ResultMessage = { id: number; ticket: number } & (StatementResult | { error: StatementError });
/** Everything that was executed with a ticket up to this one is on disk. */
interface SyncedMessage {
  synced: number;
}
interface NotificationMessage {
  /** Payload of a notification on a channel that a statement listens to. */
  notified: string;
}
export type ThreadMessage = "ready" | ResultMessage | SyncedMessage | NotificationMessage;

const port = parentPort;
if (!port) throw new Error("pglite-thread must be started as a worker thread");
const { folder, isDurable } = workerData as ThreadData;

/** Pages kept in memory; the default of 128 MB is for machines that do nothing else. */
const SHARED_BUFFERS = "32MB";
/** PGlite's own parameters switch syncs off with this one. */
const NO_SYNC = "-F";
/** fsync is the method that DurableFiles can provide: Emscripten answers fdatasync without a call to the file system. */
const SYNC_PARAMETERS = ["-c", "fsync=on", "-c", "full_page_writes=on", "-c", "wal_sync_method=fsync"];
/**
 * A checkpoint after so much WAL. PostgreSQL's single-user mode makes none by itself: the WAL would grow until the service stops, and
 * a start after a crash would read all of it.
 */
const CHECKPOINT_WAL_BYTES = 64 * 1024 * 1024;

// The optimising compiler makes long queries a third faster, short ones, which are nearly all, none; and takes 70 MB.
v8.setFlagsFromString("--liftoff-only");
// Functions are compiled on their first call: nine in ten are never called.
v8.setFlagsFromString("--wasm-lazy-compilation");
const files = new DurableFiles(folder, isDurable, (synced) => port.postMessage({ synced } satisfies SyncedMessage));
const ownParameters = PGlite.defaultStartParams.filter((parameter) => !isDurable || parameter !== NO_SYNC);
const database = await PGlite.create({
  dataDir: folder,
  fs: files,
  startParams: [
    ...ownParameters,
    ...(isDurable ? SYNC_PARAMETERS : []),
    ...["-c", `shared_buffers=${SHARED_BUFFERS}`],
    // Checkpoints are made here.
    ...["-c", "max_wal_size=1GB"],
  ],
});

const statements = new PreparedStatements(database);
database.onNotification((_, notified) => port.postMessage({ notified } satisfies NotificationMessage));

/** Only migrations are several statements at once; these have no parameters. */
const mayBeSeveral = (sql: string) => sql.includes(";");

async function runAll(sql: string): Promise<StatementResult> {
  const last = (await database.exec(sql)).at(-1);
  return { rows: last?.rows ?? [], affectedRows: last?.affectedRows ?? 0 };
}

/** Set when PostgreSQL must not get another statement, because it may never answer. */
let isLost = false;

/** Ends the thread; the driver starts another one, which recovers. */
function giveUp(thrown: unknown): void {
  isLost = true;
  setImmediate(() => {
    throw thrown;
  });
}

/** The error for the driver. A fatal one ends the thread. */
function asStatementError(thrown: unknown): StatementError {
  const { message = String(thrown), code, constraint } = thrown as Partial<StatementError>;
  if (isFatal(thrown)) giveUp(thrown);
  return { message, ...(code ? { code } : {}), ...(constraint ? { constraint } : {}), isFatal: isLost };
}

async function execute({ id, sql, parameters }: StatementMessage): Promise<ResultMessage> {
  try {
    const isOne = parameters.length > 0 || !mayBeSeveral(sql);
    const result = isOne ? await statements.run(sql, parameters) : await runAll(sql);
    return { id, ticket: files.ticket, ...result };
  } catch (thrown) {
    return { id, ticket: files.ticket, error: asStatementError(thrown) };
  }
}

let walBytes = 0;
async function checkpointWhenDue(): Promise<void> {
  walBytes += files.takeWalBytes();
  // A backup needs all WAL since the checkpoint that it began with.
  if (walBytes < CHECKPOINT_WAL_BYTES || isBackingUp) return;
  walBytes = 0;
  // A full disk fails it; the WAL keeps what it would have written, and the next one is due later.
  await database.exec("checkpoint").catch((error: unknown) => isFatal(error) && giveUp(error));
}

let isBackingUp = false;
let isClosing = false;

async function backUp({ id, backupFolder }: BackupMessage): Promise<ResultMessage> {
  try {
    isBackingUp = true;
    await database.exec("checkpoint");
    await copyCluster(folder, backupFolder, () => {
      if (isClosing) throw new Error("the database is being closed");
    });
    return { id, ticket: files.ticket, rows: [], affectedRows: 0 };
  } catch (thrown) {
    return { id, ticket: files.ticket, error: asStatementError(thrown) };
  } finally {
    isBackingUp = false;
  }
}

port.on("message", async (message: StatementMessage | BackupMessage | "close") => {
  if (isLost) return;
  if (typeof message === "object" && "backupFolder" in message) {
    port.postMessage(await backUp(message));
    return;
  }
  if (message === "close") {
    isClosing = true;
    await database.close();
    port.close();
    return;
  }
  port.postMessage(await execute(message));
  if (isLost) return;
  files.flush();
  await checkpointWhenDue();
});
// Opening, and a recovery even more, syncs, too.
files.flush();
port.postMessage("ready");
