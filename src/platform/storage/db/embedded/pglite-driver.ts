// Kysely's driver for the embedded database. It has one connection, which a transaction uses exclusively.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { errors } from "../../../errors.ts";
import { PGliteConnection } from "./pglite-connection.ts";
import type { ThreadData } from "./pglite-thread.ts";

/** Minimum interval between attempts to open the database again. */
const REOPEN_PAUSE_MILLISECONDS = 1_000;
/** A thread that takes longer for a statement is assumed never to answer. */
const STALL_MILLISECONDS = 300_000;

class PGliteDriver implements Driver {
  private connection: PGliteConnection | undefined;
  private isTaken = false;
  private reopenAt = 0;
  private readonly waiting: (() => void)[] = [];
  /** Limit for a statement, a start and a stop. */
  private stallMilliseconds = Number.POSITIVE_INFINITY;

  constructor(
    private readonly data: ThreadData,
    private readonly onNotification: (payload: string) => void,
  ) {}

  limitStatements(milliseconds: number): void {
    this.stallMilliseconds = milliseconds;
  }

  private open(): Promise<PGliteConnection> {
    return PGliteConnection.open(this.data, () => this.stallMilliseconds, this.onNotification);
  }

  async init(): Promise<void> {
    this.connection = await this.open();
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
    if (connection && !(await connection.hasEnded()))
      throw errors.databaseUnavailable(new Error("its former thread has not ended yet"));
    if (performance.now() < this.reopenAt)
      throw errors.databaseUnavailable(new Error("it is started again in a moment"));
    this.reopenAt = performance.now() + REOPEN_PAUSE_MILLISECONDS;
    try {
      this.connection = await this.open();
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
  /**
   * Limits each further statement, start and stop: after the limit, the thread is ended, and the next statement starts another one, which
   * recovers from the WAL. A first start and its migrations have no limit.
   */
  limitStatements(milliseconds?: number): void;
  /** Called with the payload of each notification that a statement listens to. One handler; undefined removes it. */
  onNotification(handler: ((payload: string) => void) | undefined): void;
}

/** @param data.folder  where the database lives; made at the first start */
export function pgliteDialect(data: ThreadData): EmbeddedDialect {
  let driver: PGliteDriver | undefined;
  let notify: ((payload: string) => void) | undefined;
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => {
      driver = new PGliteDriver(data, (payload) => notify?.(payload));
      return driver;
    },
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    backUp: async (folder) => {
      if (!driver) throw new Error("the database is not open");
      await driver.backUp(folder);
    },
    limitStatements: (milliseconds = STALL_MILLISECONDS) => driver?.limitStatements(milliseconds),
    onNotification: (handler) => {
      notify = handler;
    },
  };
}
