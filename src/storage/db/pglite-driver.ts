// Kysely's driver for the embedded database. There is one connection; a transaction has it to itself.
import { Worker } from "node:worker_threads";
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
import { entryFile } from "../../process/entry.ts";
import type { ResultMessage, StatementMessage } from "./pglite-thread.ts";

interface Pending {
  resolve(result: QueryResult<never>): void;
  reject(error: Error): void;
}

class PGliteConnection implements DatabaseConnection {
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private ended = false;

  private constructor(private readonly worker: Worker) {
    worker.on("message", (message: ResultMessage) => this.receive(message));
    worker.on("error", (error) => this.fail(error as Error));
    worker.on("exit", () => this.fail(new Error("the embedded database has stopped")));
  }

  static open(folder: string): Promise<PGliteConnection> {
    const worker = new Worker(entryFile("./pglite-thread.js", import.meta.url), { workerData: folder });
    return new Promise((resolve, reject) => {
      worker.once("error", reject);
      worker.once("message", () => {
        worker.off("error", reject);
        resolve(new PGliteConnection(worker));
      });
    });
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.ended) return Promise.reject(new Error("the embedded database has stopped"));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      const message: StatementMessage = { id, sql: query.sql, parameters: query.parameters };
      this.worker.postMessage(message);
    });
  }

  // biome-ignore lint/correctness/useYield: rows of the embedded database come all at once
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("the embedded database does not stream rows");
  }

  async close(): Promise<void> {
    if (this.ended) return;
    const exit = new Promise((resolve) => this.worker.once("exit", resolve));
    this.worker.postMessage("close");
    await exit;
  }

  private receive(message: ResultMessage): void {
    const pending = this.pending.get(message.id);
    if (!pending) return;
    this.pending.delete(message.id);
    if ("error" in message) {
      pending.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    } else {
      pending.resolve({ rows: message.rows as never[], numAffectedRows: BigInt(message.affectedRows) });
    }
  }

  private fail(error: Error): void {
    this.ended = true;
    for (const pending of this.pending.values()) pending.reject(error);
    this.pending.clear();
  }
}

class PGliteDriver implements Driver {
  private connection: PGliteConnection | undefined;
  private isTaken = false;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly folder: string) {}

  async init(): Promise<void> {
    this.connection = await PGliteConnection.open(this.folder);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isTaken = true;
    return this.connection as PGliteConnection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.waiting.shift();
    if (next) next();
    else this.isTaken = false;
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

/** @param folder  where the database lives; made at the first start */
export function pgliteDialect(folder: string): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PGliteDriver(folder),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
