// Kysely's driver for the embedded database. It has one connection, which a transaction uses exclusively.
import path from "node:path";
import type { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { childEnvironment } from "../../config/load.ts";
import { errors } from "../../errors.ts";
import { entryFile } from "../../process/entry.ts";
import { startThread } from "../../process/run-module.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { asSystemError } from "./emscripten-errors.ts";
import type { BackupMessage, StatementMessage, ThreadData, ThreadMessage } from "./pglite-thread.ts";
import { asRefusedValue } from "./refused-values.ts";

interface Pending {
  resolve(result: QueryResult<never>): void;
  reject(error: Error): void;
}

interface Unsynced {
  ticket: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Minimum interval between attempts to open the database again. */
const REOPEN_PAUSE_MILLISECONDS = 1_000;
/** A statement or a start that takes longer is assumed to compute without end. */
const STALL_MILLISECONDS = 300_000;

class PGliteConnection implements DatabaseConnection {
  private readonly pending = new Map<number, Pending>();
  private unsynced: Unsynced[] = [];
  private nextId = 1;
  /** Number of the last executed write. */
  private ticket = 0;
  private synced = 0;
  private failure: Error | undefined;

  private readonly opened: Promise<void>;
  private noteOpened: (error?: Error) => void = () => undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly isDurable: boolean,
    private readonly stallMilliseconds: number,
  ) {
    this.opened = new Promise((resolve, reject) => {
      this.noteOpened = (error) => (error ? reject(error) : resolve());
    });
    worker.on("message", (message: ThreadMessage) => this.receive(message));
    worker.on("error", (error) => this.fail(asSystemError(error)));
    worker.on("exit", () => this.fail(new Error("the embedded database has stopped")));
  }

  static async open(data: ThreadData, stallMilliseconds: number): Promise<PGliteConnection> {
    const environment = childEnvironment(temporaryFolder(path.dirname(data.folder)));
    const worker = startThread(entryFile("./pglite-thread.js", import.meta.url), data, environment);
    const connection = new PGliteConnection(worker, data.isDurable, stallMilliseconds);
    await connection.bounded(connection.opened);
    return connection;
  }

  /** Its thread has ended, as it does when PostgreSQL cannot write its WAL. */
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
    const timer = setTimeout(() => {
      this.fail(new Error(`the embedded database has not answered for ${this.stallMilliseconds / 1000} s`));
      void this.worker.terminate();
    }, this.stallMilliseconds).unref();
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Resolves when everything executed so far is on disk: own writes, and the writes of others that own reads have seen.
   * @throws database.unavailable when that is not known
   */
  async settled(): Promise<void> {
    const { ticket } = this;
    if (!this.isDurable || ticket <= this.synced) return;
    if (this.failure) throw this.failure;
    await new Promise<void>((resolve, reject) => this.unsynced.push({ ticket, resolve, reject }));
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
    if (this.failure) return;
    const exit = new Promise((resolve) => this.worker.once("exit", resolve));
    this.worker.postMessage("close");
    await this.bounded(exit);
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
    this.ticket = message.ticket;
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    if ("error" in message) {
      pending.reject(
        asRefusedValue(Object.assign(new Error(message.error.message), { code: message.error.code })) as Error,
      );
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

class PGliteDriver implements Driver {
  private connection: PGliteConnection | undefined;
  private isTaken = false;
  private reopenAt = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly data: ThreadData,
    private readonly stallMilliseconds: number,
  ) {}

  async init(): Promise<void> {
    this.connection = await PGliteConnection.open(this.data, this.stallMilliseconds);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isTaken = true;
    try {
      return await this.working();
    } catch (error) {
      this.handOn();
      throw error;
    }
  }

  /** Releases the connection immediately; resolves when its writes are on disk (group commit). */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const settled = (connection as PGliteConnection).settled();
    this.handOn();
    await settled;
  }

  private handOn(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.isTaken = false;
  }

  /** @throws database.unavailable while the database cannot be opened, as on a full disk */
  private async working(): Promise<PGliteConnection> {
    const { connection } = this;
    if (connection && !connection.hasFailed) return connection;
    if (performance.now() < this.reopenAt)
      throw errors.databaseUnavailable(new Error("it is started again in a moment"));
    this.reopenAt = performance.now() + REOPEN_PAUSE_MILLISECONDS;
    try {
      this.connection = await PGliteConnection.open(this.data, this.stallMilliseconds);
      return this.connection;
    } catch (error) {
      throw errors.databaseUnavailable(error);
    }
  }

  async backUp(folder: string): Promise<void> {
    await (await this.working()).backUp(folder);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin"));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async destroy(): Promise<void> {
    await this.connection?.close();
  }
}

export interface EmbeddedDialect extends Dialect {
  /** Copies the files of the open database to a new folder, as they are at one moment. */
  backUp(folder: string): Promise<void>;
}

/**
 * @param data.folder  where the database lives; made at the first start
 * @param stallMilliseconds  after which the thread is ended; the next statement starts another one, which recovers from the WAL
 */
export function pgliteDialect(data: ThreadData, stallMilliseconds = STALL_MILLISECONDS): EmbeddedDialect {
  let driver: PGliteDriver | undefined;
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => {
      driver = new PGliteDriver(data, stallMilliseconds);
      return driver;
    },
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    backUp: async (folder) => {
      if (!driver) throw new Error("the database is not open");
      await driver.backUp(folder);
    },
  };
}
