// A database in memory that runs the statements of the service: it reads their SQL (sql/statements.ts), so that the conditions are
// those of the real code. It has the isolation of PostgreSQL that matters here: a statement sees what is committed, and a
// statement that changes a row which another transaction has changed or locked waits for its end. Statements that it does not know fail.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { errors } from "../../src/platform/errors.ts";
import type { Database } from "../../src/platform/storage/db/database.ts";
import { TABLES, type Triggered } from "./memory-tables.ts";
import type { Network } from "./network.ts";
import type { Query, Row, Run } from "./sql/frames.ts";
import { type Catalogue, Statement } from "./sql/statements.ts";
import type { Place } from "./virtual-time.ts";

export type { Row } from "./sql/frames.ts";

interface Change {
  table: string;
  /** Undefined: deleted. */
  row: Row | undefined;
}

interface Transaction {
  place: Place;
  /** By the name of the table and the key of the row. */
  changes: Map<string, Change>;
  locks: Set<string>;
  topics: Set<string>;
  began: Date;
  isOver: boolean;
  waitsFor?: Transaction | undefined;
}

/** @param place  that sent the statement */
export type OnChange = (table: string, before: Row | undefined, after: Row | undefined, place: Place) => void;

const STATEMENT_MILLISECONDS = 10_000;
/** A transaction ends within this time after its connection is lost. */
const MOST_ABANDONED_MILLISECONDS = 3_000;
/** Its statement is too wide for the reader of SQL: it corrects counts that were changed by hand. */
const REPAIR = "with recounted as";

class Blocked extends Error {
  constructor(readonly by: Transaction) {
    super("another transaction has changed or locked the row");
  }
}

const tableOf = (name: string) => {
  const table = TABLES[name];
  if (!table) throw new Error(`the database of the simulation has no table ${name}`);
  return table;
};
const columnNames = new Map(Object.entries(TABLES).map(([name, { columns }]) => [name, Object.keys(columns)]));
const CATALOGUE: Catalogue = {
  columnsOf: (table) => columnNames.get(table),
  keyOf: (table) => tableOf(table).key,
};
const read = new Map<string, Query>();

function queryOf(text: string): Query {
  const known = read.get(text) ?? Statement.read(text, CATALOGUE);
  read.set(text, known);
  return known;
}

const compiler = new PostgresQueryCompiler();
const keyOf = (table: string, row: Row) => tableOf(table).key.reduce((text, name) => `${text} ${row[name]}`, table);

/** A statement under way. Its changes are part of the transaction when it ends. */
class Execution implements Run, Triggered {
  readonly named = new Map<string, Row[]>();
  affected = 0;
  readonly changes = new Map<string, Change>();
  readonly locks = new Set<string>();
  readonly topics = new Set<string>();

  constructor(
    private readonly store: MemoryRows,
    private readonly transaction: Transaction,
    readonly parameters: readonly unknown[],
    readonly processNow: Date,
  ) {}

  get now(): Date {
    return this.transaction.began;
  }

  scan(table: string): readonly Row[] {
    return overlaid(this.store.table(table), table, this.transaction.changes);
  }

  latest(table: string): readonly Row[] {
    const { changes } = this.transaction;
    if (this.changes.size === 0) return this.scan(table);
    return overlaid(this.store.table(table), table, new Map([...changes, ...this.changes]));
  }

  notify(topic: string): void {
    this.topics.add(topic);
  }

  lock(table: string, row: Row, skipsLocked: boolean): boolean {
    const key = keyOf(table, row);
    const holder = this.store.holderOf(key, this.transaction);
    if (!holder) this.locks.add(key);
    else if (!skipsLocked) throw new Blocked(holder);
    return !holder;
  }

  insert(table: string, given: Row): Row {
    const { columns } = tableOf(table);
    for (const name of Object.keys(given)) if (!(name in columns)) throw new Error(`${table} has no column ${name}`);
    const row: Row = { ...columns, ...this.parsed(table, given) };
    for (const [name, value] of Object.entries(row))
      if (value === undefined) throw new Error(`a row of ${table} needs the column ${name}`);
    this.change(table, undefined, row, row);
    return row;
  }

  update(table: string, before: Row, changes: Row): Row {
    const latest = this.changes.get(keyOf(table, before))?.row ?? before;
    const row = { ...latest, ...this.parsed(table, changes) };
    this.change(table, latest, row, changes);
    return row;
  }

  remove(table: string, row: Row): void {
    this.change(table, row, undefined, {});
  }

  private parsed(table: string, given: Row): Row {
    const { json } = tableOf(table);
    if (!json) return given;
    const row = { ...given };
    for (const name of json) if (typeof row[name] === "string") row[name] = JSON.parse(row[name] as string);
    return row;
  }

  private change(table: string, before: Row | undefined, after: Row | undefined, set: Row): void {
    const key = keyOf(table, (after ?? before) as Row);
    const holder = this.store.holderOf(key, this.transaction);
    if (holder) throw new Blocked(holder);
    this.changes.set(key, { table, row: after });
    tableOf(table).trigger?.(this, before, after, set);
  }
}

function overlaid(rows: ReadonlyMap<string, Row>, table: string, changes: ReadonlyMap<string, Change>): Row[] {
  if (changes.size === 0) return [...rows.values()];
  const all = new Map(rows);
  for (const [key, { table: changed, row }] of changes) {
    if (changed !== table) continue;
    if (row) all.set(key, row);
    else all.delete(key);
  }
  return [...all.values()];
}

export class MemoryRows {
  private readonly tables = new Map<string, Map<string, Row>>();
  private readonly open = new Set<Transaction>();
  private readonly listeners = new Map<Place, (topic: string) => void>();
  private waiting: (() => void)[] = [];
  /** Changes the text of statements, for defects that tests put in. */
  static rewrite: ((text: string) => string) | undefined;

  /** @param onChange  called for each committed change of a row */
  constructor(
    private readonly network: Network,
    private readonly onChange: OnChange,
  ) {}

  table(name: string): Map<string, Row> {
    const known = this.tables.get(name) ?? new Map<string, Row>();
    this.tables.set(name, known);
    return known;
  }

  rows(name: string): Row[] {
    return [...this.table(name).values()];
  }

  find(name: string, id: string): Row | undefined {
    return this.table(name).get(`${name} ${id}`);
  }

  /** Adds a row that exists from the beginning. */
  add(table: string, given: Row): void {
    const transaction = this.begun(this.network.servers);
    const execution = new Execution(this, transaction, [], transaction.began);
    execution.insert(table, given);
    for (const [key, { table: changed, row }] of execution.changes) this.table(changed).set(key, row as Row);
  }

  /** The connections of a process. */
  connect(place: Place): Database {
    return this.connected(place, (work, transaction) => this.send(place, work, transaction));
  }

  /** Connections without a network between. */
  connectDirectly(place: Place): Database {
    return this.connected(place, async (work) => work());
  }

  private connected(
    place: Place,
    send: <Answer>(work: () => Answer, transaction?: Transaction) => Promise<Answer>,
  ): Database {
    const rows = this;
    class Connection implements DatabaseConnection {
      transaction: Transaction | undefined;
      executeQuery<Result>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Result>> {
        const processNow = new Date();
        const { transaction } = this;
        return send(() => rows.execute(sql, parameters, processNow, place, transaction), transaction) as Promise<
          QueryResult<Result>
        >;
      }
      streamQuery(): never {
        throw new Error("not used");
      }
    }
    const begin = (connection: DatabaseConnection) =>
      send(() => {
        const transaction = rows.begun(place);
        (connection as Connection).transaction = transaction;
        rows.open.add(transaction);
      });
    const end = (connection: DatabaseConnection, isCommitted: boolean) => {
      const { transaction } = connection as Connection;
      return send(() => transaction && rows.end(transaction, isCommitted));
    };
    const driver: Driver = {
      init: async () => undefined,
      acquireConnection: async () => new Connection(),
      beginTransaction: begin,
      commitTransaction: (connection) => end(connection, true),
      rollbackTransaction: (connection) => end(connection, false),
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    };
    return new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: () => ({}) as never,
        createQueryCompiler: () => compiler,
      },
    }) as unknown as Database;
  }

  /** Notifications for a process. */
  listen(place: Place, onTopic: (topic: string) => void): void {
    this.listeners.set(place, onTopic);
  }

  /** The transactions of a process that was killed or cut off end without effect. */
  abandon(place: Place): void {
    const { network } = this;
    for (const transaction of this.open) {
      if (transaction.place !== place) continue;
      const milliseconds = network.random() * MOST_ABANDONED_MILLISECONDS;
      network.time.after(network.servers, milliseconds, () => this.end(transaction, false));
    }
  }

  /** @returns the other transaction that has changed or locked a row */
  holderOf(key: string, transaction: Transaction): Transaction | undefined {
    for (const other of this.open)
      if (other !== transaction && (other.changes.has(key) || other.locks.has(key))) return other;
    return undefined;
  }

  private begun(place: Place): Transaction {
    const began = this.network.time.serverTime;
    return { place, changes: new Map(), locks: new Set(), topics: new Set(), began, isOver: false };
  }

  private send<Answer>(place: Place, work: () => Answer, transaction?: Transaction): Promise<Answer> {
    const unavailable = () => errors.databaseUnavailable(new Error("no answer"));
    if (this.network.isCut(place, "database")) return Promise.reject(unavailable());
    return this.network.request<Answer>(
      place,
      "database",
      (answer) => {
        const attempt = () => {
          try {
            if (transaction) transaction.waitsFor = undefined;
            answer({ value: work() });
          } catch (error) {
            if (!(error instanceof Blocked)) answer({ error });
            else if (this.isDeadlock(transaction, error.by)) answer({ error: { code: "40P01" } });
            else {
              if (transaction) transaction.waitsFor = error.by;
              this.waiting.push(attempt);
            }
          }
        };
        attempt();
      },
      STATEMENT_MILLISECONDS,
      unavailable,
    );
  }

  private isDeadlock(transaction: Transaction | undefined, by: Transaction): boolean {
    for (let one: Transaction | undefined = by; one; one = one.waitsFor) if (one === transaction) return true;
    return false;
  }

  private end(transaction: Transaction, isCommitted: boolean): void {
    if (transaction.isOver) {
      if (isCommitted) throw errors.databaseUnavailable(new Error("the transaction was ended"));
      return;
    }
    transaction.isOver = true;
    this.open.delete(transaction);
    if (isCommitted) this.commit(transaction);
    for (const attempt of this.waiting.splice(0)) attempt();
  }

  private commit({ changes, topics, place }: Transaction): void {
    for (const [key, { table, row }] of changes) {
      const rows = this.table(table);
      const before = rows.get(key);
      if (row) rows.set(key, row);
      else rows.delete(key);
      this.onChange(table, before, row, place);
    }
    const { network } = this;
    for (const topic of topics)
      for (const [listener, onTopic] of this.listeners) {
        if (listener.isDead || network.isCut(listener, "database")) continue;
        network.time.after(listener, network.delay(listener, "database"), () => onTopic(topic));
      }
  }

  private execute(
    text: string,
    parameters: readonly unknown[],
    processNow: Date,
    place: Place,
    given: Transaction | undefined,
  ): QueryResult<Row> {
    if (given?.isOver) throw errors.databaseUnavailable(new Error("the transaction was ended"));
    if (text.trimStart().startsWith(REPAIR)) return { rows: [] };
    const transaction = given ?? this.begun(place);
    const execution = new Execution(this, transaction, parameters, processNow);
    const rows = queryOf(MemoryRows.rewrite?.(text) ?? text).run(execution);
    for (const [key, change] of execution.changes) transaction.changes.set(key, change);
    for (const key of execution.locks) transaction.locks.add(key);
    for (const topic of execution.topics) transaction.topics.add(topic);
    if (!given) this.commit(transaction);
    return { rows, numAffectedRows: BigInt(execution.affected) };
  }
}
