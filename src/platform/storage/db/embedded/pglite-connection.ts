// Sends statements to the thread of the embedded database and receives the results, and its errors as Node reports them. Ends the thread
// if it does not answer in time.
import path from "node:path";
import type { Worker } from "node:worker_threads";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { childEnvironment } from "../../../config/load.ts";
import { errors } from "../../../errors.ts";
import { entryFile } from "../../../process/entry.ts";
import { startThread } from "../../../process/run-module.ts";
import { within } from "../../../process/within.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asRefusedValue } from "../refused-values.ts";
import type { BackupMessage, StatementMessage, ThreadData, ThreadMessage } from "./pglite-thread.ts";

interface Pending {
  resolve(result: QueryResult<never>): void;
  reject(error: Error): void;
}

interface Unsynced {
  ticket: number;
  resolve(): void;
  reject(error: Error): void;
}

/** After the limit, an answer that was delayed with the whole process, as in a frozen container, can still arrive. */
const GRACE_MILLISECONDS = 5_000;
/** Longest wait for the end of a thread. A thread that waits for a disk cannot be interrupted, and its last write must not follow a recovery. */
const EXIT_MILLISECONDS = 5_000;

export class PGliteConnection implements DatabaseConnection {
  private readonly pending = new Map<number, Pending>();
  private unsynced: Unsynced[] = [];
  private nextId = 1;
  /** Number of the last executed write. */
  private ticket = 0;
  private synced = 0;
  private failure: Error | undefined;

  private readonly opened: Promise<void>;
  private readonly exited: Promise<true>;
  private noteOpened: (error?: Error) => void = () => undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly isDurable: boolean,
    private readonly limit: () => number,
    private readonly onNotification: (payload: string) => void,
  ) {
    this.opened = new Promise((resolve, reject) => {
      this.noteOpened = (error) => (error ? reject(error) : resolve());
    });
    this.exited = new Promise((resolve) => worker.once("exit", () => resolve(true)));
    worker.on("message", (message: ThreadMessage) => this.receive(message));
    worker.on("error", (error) => this.fail(asSystemError(error)));
    worker.on("exit", () => this.fail(new Error("the embedded database has stopped")));
  }

  static async open(
    data: ThreadData,
    limit: () => number,
    onNotification: (payload: string) => void,
  ): Promise<PGliteConnection> {
    const environment = childEnvironment(temporaryFolder(path.dirname(data.folder)));
    const worker = startThread(entryFile("./pglite-thread.js", import.meta.url), data, environment);
    const connection = new PGliteConnection(worker, data.isDurable, limit, onNotification);
    await connection.bounded(connection.opened);
    return connection;
  }

  /** The connection cannot be used any more, for example because PostgreSQL cannot write its WAL. Its thread has ended, or is being ended. */
  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.failure) return Promise.reject(this.failure);
    const id = this.nextId++;
    const answer = new Promise<QueryResult<R>>((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      const message: StatementMessage = { id, sql: query.sql, parameters: query.parameters };
      this.worker.postMessage(message);
    });
    return this.bounded(answer);
  }

  /** Ends the thread if it does not answer in time; everything that waits for it is then rejected with database.unavailable. */
  private async bounded<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const stallMilliseconds = this.limit();
    if (!Number.isFinite(stallMilliseconds)) return answer;
    const end = () => {
      this.fail(new Error(`the embedded database has not answered for ${stallMilliseconds / 1000} s`));
      void this.worker.terminate();
    };
    let timer = setTimeout(() => {
      timer = setTimeout(end, GRACE_MILLISECONDS).unref();
    }, stallMilliseconds).unref();
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for the end of the thread, for a few seconds. @returns whether it has ended */
  hasEnded(): Promise<boolean> {
    return within(EXIT_MILLISECONDS, this.exited).catch(() => false);
  }

  /**
   * Resolves when everything executed so far is on disk: own writes, and the writes of others that own reads have seen.
   * @throws database.unavailable when that is not known
   */
  async settled(): Promise<void> {
    const { ticket } = this;
    if (!this.isDurable || ticket <= this.synced) return;
    if (this.failure) throw this.failure;
    await this.bounded(new Promise<void>((resolve, reject) => this.unsynced.push({ ticket, resolve, reject })));
  }

  /** Copies the files as they are at one moment. Statements of others run meanwhile. */
  async backUp(backupFolder: string): Promise<void> {
    if (this.failure) throw this.failure;
    const id = this.nextId++;
    await new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ id, backupFolder } satisfies BackupMessage);
    });
  }

  // biome-ignore lint/correctness/useYield: rows of the embedded database come all at once
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("the embedded database does not stream rows");
  }

  async close(): Promise<void> {
    if (this.failure) {
      await this.hasEnded();
      return;
    }
    this.worker.postMessage("close");
    await this.bounded(this.exited);
  }

  private receive(message: ThreadMessage): void {
    if (message === "ready") {
      this.noteOpened();
      return;
    }
    if ("synced" in message) {
      this.noteSynced(message.synced);
      return;
    }
    if ("notified" in message) {
      this.onNotification(message.notified);
      return;
    }
    this.ticket = message.ticket;
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    if ("error" in message) {
      const { message: text, code, constraint, isFatal } = message.error;
      const error = Object.assign(new Error(text), { code, constraint });
      pending.reject(asRefusedValue(error) as Error);
      if (isFatal) this.fail(error);
    } else {
      pending.resolve({ rows: message.rows as never[], numAffectedRows: BigInt(message.affectedRows) });
    }
  }

  private noteSynced(count: number): void {
    this.synced = count;
    const settled = this.unsynced.filter(({ ticket }) => ticket <= count);
    this.unsynced = this.unsynced.filter(({ ticket }) => ticket > count);
    for (const { resolve } of settled) resolve();
  }

  private fail(error: Error): void {
    this.noteOpened(error);
    const failure = errors.databaseUnavailable(error);
    this.failure ??= failure;
    for (const { reject } of [...this.pending.values(), ...this.unsynced.splice(0)]) reject(failure);
    this.pending.clear();
  }
}

/** Emscripten's numbers of errors, which are those of WASI, by name. PGlite runs on its file system. */
const NAMES: Readonly<Record<number, string>> = {
  2: "EACCES",
  19: "EDQUOT",
  29: "EIO",
  33: "EMFILE",
  41: "ENFILE",
  44: "ENOENT",
  48: "ENOMEM",
  51: "ENOSPC",
  54: "ENOTDIR",
  63: "EPERM",
  69: "EROFS",
};

/** @returns an Error with the `code` of the system where `thrown` is an error of Emscripten's file system, else `thrown` */
export function asSystemError(thrown: unknown): Error {
  const { name, errno } = (thrown ?? {}) as { name?: string; errno?: number };
  if (name === "ErrnoError" && errno !== undefined) {
    const code = NAMES[errno] ?? `Emscripten error ${errno}`;
    return Object.assign(new Error(`${code} in a file of the embedded database`), { code });
  }
  return thrown instanceof Error ? thrown : new Error(JSON.stringify(thrown));
}
