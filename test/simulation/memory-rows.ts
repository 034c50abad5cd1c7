// A database in memory that runs the statements of the service: it evaluates the query that Kysely built, so that the conditions are
// those of the real code. It has the isolation of PostgreSQL that matters here: a statement sees what is committed, and a
// statement that changes a row which another transaction has changed waits for its end. Statements that it does not know fail.
import {
  type AliasNode,
  type BinaryOperationNode,
  type ColumnUpdateNode,
  type CompiledQuery,
  type DatabaseConnection,
  type DeleteQueryNode,
  type Driver,
  type InsertQueryNode,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  type QueryResult,
  type RawNode,
  type RootOperationNode,
  type SelectQueryNode,
  type UpdateQueryNode,
} from "kysely";
import { errors } from "../../src/platform/errors.ts";
import type { Database } from "../../src/platform/storage/db/database.ts";
import type { Network } from "./network.ts";
import type { Place } from "./virtual-time.ts";

type Value = unknown;
export type Row = Record<string, Value>;
/** Rows of the joined tables, by the name that the statement uses. */
type Scope = Record<string, Row | undefined>;

interface Change {
  table: string;
  id: string;
  /** Undefined: deleted. */
  row: Row | undefined;
}

interface Transaction {
  place: Place;
  changes: Map<string, Change>;
  isOver: boolean;
}

const STATEMENT_MILLISECONDS = 10_000;
/** A transaction ends within this time after its connection is lost. */
const MOST_ABANDONED_MILLISECONDS = 3_000;

const unknown = (node: OperationNode): never => {
  throw new Error(`the database of the simulation does not know this part of a statement: ${JSON.stringify(node)}`);
};

// biome-ignore lint/suspicious/noExplicitAny: nodes are distinguished by their kind
type AnyNode = any;

const nameOf = (node: AnyNode): string => node.table.identifier?.name ?? node.table.table.identifier.name;
const columnOf = (node: AnyNode): string => (node.column.column ?? node.column).name;

class Blocked extends Error {
  constructor(readonly by: Transaction) {
    super("another transaction has changed the row");
  }
}

export class MemoryRows {
  private readonly tables = new Map<string, Map<string, Row>>();
  private readonly open = new Set<Transaction>();
  private waiting: (() => void)[] = [];

  /** @param onChange  called for each committed change of a row */
  constructor(
    private readonly network: Network,
    private readonly onChange: (table: string, before: Row | undefined, after: Row | undefined) => void,
  ) {}

  table(name: string): Map<string, Row> {
    const known = this.tables.get(name) ?? new Map<string, Row>();
    this.tables.set(name, known);
    return known;
  }

  /** The connections of a process. */
  connect(place: Place): Database {
    const rows = this;
    class Connection implements DatabaseConnection {
      transaction: Transaction | undefined;
      executeQuery<Result>({ query }: CompiledQuery): Promise<QueryResult<Result>> {
        return rows.send(place, () => rows.execute(query, this.transaction)) as Promise<QueryResult<Result>>;
      }
      streamQuery(): never {
        throw new Error("not used");
      }
    }
    const driver: Driver = {
      init: async () => undefined,
      acquireConnection: async () => new Connection(),
      beginTransaction: async (connection) => {
        const transaction: Transaction = { place, changes: new Map(), isOver: false };
        (connection as Connection).transaction = transaction;
        await rows.send(place, () => void rows.open.add(transaction));
      },
      commitTransaction: (connection) =>
        rows.send(place, () => rows.end((connection as Connection).transaction as Transaction, true)),
      rollbackTransaction: (connection) =>
        rows.send(place, () => rows.end((connection as Connection).transaction as Transaction, false)),
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    };
    return new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: () => ({}) as never,
        createQueryCompiler: () => ({
          compileQuery: (query, queryId) => ({ query: query as RootOperationNode, queryId, sql: "", parameters: [] }),
        }),
      },
    }) as unknown as Database;
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

  private send<Answer>(place: Place, work: () => Answer): Promise<Answer> {
    const unavailable = () => errors.databaseUnavailable(new Error("no answer"));
    if (this.network.isCut(place, "database")) return Promise.reject(unavailable());
    return this.network.request<Answer>(
      place,
      "database",
      (answer) => {
        const attempt = () => {
          try {
            answer({ value: work() });
          } catch (error) {
            if (error instanceof Blocked) this.waiting.push(attempt);
            else answer({ error });
          }
        };
        attempt();
      },
      STATEMENT_MILLISECONDS,
      unavailable,
    );
  }

  private end(transaction: Transaction, isCommitted: boolean): void {
    if (transaction.isOver) {
      if (isCommitted) throw errors.databaseUnavailable(new Error("the transaction was ended"));
      return;
    }
    transaction.isOver = true;
    this.open.delete(transaction);
    if (isCommitted) for (const change of transaction.changes.values()) this.commit(change);
    for (const attempt of this.waiting.splice(0)) attempt();
  }

  private commit({ table, id, row }: Change): void {
    const rows = this.table(table);
    const before = rows.get(id);
    if (row) rows.set(id, row);
    else rows.delete(id);
    this.onChange(table, before, row);
  }

  private change(change: Change, transaction: Transaction | undefined): void {
    const key = `${change.table} ${change.id}`;
    for (const other of this.open) if (other !== transaction && other.changes.has(key)) throw new Blocked(other);
    if (transaction) transaction.changes.set(key, change);
    else this.commit(change);
  }

  private rowsOf(table: string, transaction: Transaction | undefined): Row[] {
    if (!transaction || transaction.changes.size === 0) return [...this.table(table).values()];
    const rows = new Map(this.table(table));
    for (const { table: changed, id, row } of transaction.changes.values()) {
      if (changed !== table) continue;
      if (row) rows.set(id, row);
      else rows.delete(id);
    }
    return [...rows.values()];
  }

  private execute(query: RootOperationNode, transaction: Transaction | undefined): QueryResult<Row> {
    if (transaction?.isOver) throw errors.databaseUnavailable(new Error("the transaction was ended"));
    if (query.kind === "SelectQueryNode") return { rows: this.select(query, transaction) };
    if (query.kind === "UpdateQueryNode") return this.update(query, transaction);
    if (query.kind === "InsertQueryNode") return this.insert(query, transaction);
    if (query.kind === "DeleteQueryNode") return this.delete(query, transaction);
    if (query.kind === "RawNode" && query.sqlFragments[0]?.includes("clock_timestamp()"))
      return { rows: [{ milliseconds: this.network.time.serverTime.getTime() }] };
    return unknown(query);
  }

  private select(query: SelectQueryNode, transaction: Transaction | undefined): Row[] {
    const [from, ...others] = query.from?.froms ?? [];
    if (!from || others.length > 0 || query.groupBy || query.limit || query.orderBy) unknown(query);
    let scopes: Scope[] = this.rowsOf(this.joined(from as OperationNode).table, transaction).map((row) => ({
      [this.joined(from as OperationNode).name]: row,
    }));
    for (const { joinType, table, on } of query.joins ?? []) {
      const { table: other, name } = this.joined(table);
      scopes = scopes.flatMap((scope): Scope[] => {
        const found = this.rowsOf(other, transaction)
          .map((row) => ({ ...scope, [name]: row }))
          .filter((both) => !on || this.holds(on.on, both));
        return found.length === 0 && joinType === "LeftJoin" ? [{ ...scope, [name]: undefined }] : found;
      });
    }
    const { where } = query;
    const matching = where ? scopes.filter((scope) => this.holds(where.where, scope)) : scopes;
    return matching.map((scope) => this.selected(query, scope));
  }

  private selected(query: SelectQueryNode, scope: Scope): Row {
    const row: Row = {};
    for (const { selection } of query.selections ?? []) {
      const node = selection as AnyNode;
      if (node.kind === "SelectAllNode") for (const one of Object.values(scope)) Object.assign(row, one);
      else if (node.kind === "ReferenceNode" && node.column.kind === "SelectAllNode")
        Object.assign(row, scope[nameOf(node.table)]);
      else if (node.kind === "AliasNode") row[(node as AliasNode & AnyNode).alias.name] = this.value(node.node, scope);
      else row[columnOf(node)] = this.value(node, scope);
    }
    return row;
  }

  private joined(node: OperationNode): { table: string; name: string } {
    const one = node as AnyNode;
    if (one.kind === "AliasNode") return { table: nameOf(one.node), name: one.alias.name };
    return { table: nameOf(one), name: nameOf(one) };
  }

  private update(query: UpdateQueryNode, transaction: Transaction | undefined): QueryResult<Row> {
    const table = nameOf(query.table as OperationNode);
    const { where } = query;
    const changed: Row[] = [];
    for (const row of this.rowsOf(table, transaction)) {
      const scope = { [table]: row };
      if (where && !this.holds(where.where, scope)) continue;
      const next = { ...row, ...this.assigned(query.updates ?? [], scope) };
      this.change({ table, id: String(row["id"]), row: next }, transaction);
      changed.push(next);
    }
    return { rows: query.returning ? changed : [], numAffectedRows: BigInt(changed.length) };
  }

  private delete(query: DeleteQueryNode, transaction: Transaction | undefined): QueryResult<Row> {
    const table = nameOf(query.from.froms[0] as OperationNode);
    const { where } = query;
    const gone = this.rowsOf(table, transaction).filter((row) => !where || this.holds(where.where, { [table]: row }));
    for (const row of gone)
      this.change({ table, id: String(row["id"] ?? row["session_id"]), row: undefined }, transaction);
    return { rows: query.returning ? gone : [], numAffectedRows: BigInt(gone.length) };
  }

  private insert(query: InsertQueryNode, transaction: Transaction | undefined): QueryResult<Row> {
    const table = nameOf(query.into as OperationNode);
    const columns = (query.columns ?? []).map((column) => column.column.name);
    const lists = (query.values as AnyNode).values as AnyNode[];
    const added: Row[] = [];
    for (const list of lists) {
      const values = list.values as Value[];
      const isPlain = list.kind === "PrimitiveValueListNode";
      const row = Object.fromEntries(
        columns.map((column, at) => [column, isPlain ? values[at] : this.value(values[at] as OperationNode, {})]),
      );
      const known = this.rowsOf(table, transaction).find(({ id }) => id === row["id"]);
      if (known && query.onConflict?.doNothing) continue;
      if (known && !query.onConflict) throw new Error(`${table} has a row ${String(row["id"])} already`);
      const next = known ? { ...known, ...this.assigned(query.onConflict?.updates ?? [], { [table]: known }) } : row;
      this.change({ table, id: String(row["id"]), row: next }, transaction);
      added.push(next);
    }
    return { rows: query.returning ? added : [], numAffectedRows: BigInt(added.length) };
  }

  private assigned(updates: readonly ColumnUpdateNode[], scope: Scope): Row {
    return Object.fromEntries(updates.map(({ column, value }) => [columnOf({ column }), this.value(value, scope)]));
  }

  private holds(node: OperationNode, scope: Scope): boolean {
    const one = node as AnyNode;
    if (one.kind === "ParensNode") return this.holds(one.node, scope);
    if (one.kind === "AndNode") return this.holds(one.left, scope) && this.holds(one.right, scope);
    if (one.kind === "OrNode") return this.holds(one.left, scope) || this.holds(one.right, scope);
    if (one.kind === "BinaryOperationNode") return this.compares(one, scope);
    return this.value(node, scope) === true;
  }

  private compares(node: BinaryOperationNode, scope: Scope): boolean {
    const left = comparable(this.value(node.leftOperand, scope));
    const operator = (node.operator as AnyNode).operator as string;
    const right = node.rightOperand as AnyNode;
    if (operator === "is") return left === null;
    if (operator === "is not") return left !== null;
    if (left === null) return false;
    if (operator === "in" || operator === "not in") return this.list(right).includes(left) === (operator === "in");
    const other = comparable(this.value(right, scope));
    if (other === null) return false;
    if (operator === "=") return left === other;
    if (operator === "<") return (left as number) < (other as number);
    return unknown(node);
  }

  private list(node: AnyNode): Value[] {
    if (node.kind === "PrimitiveValueListNode") return node.values;
    if (node.kind === "ValueListNode") return node.values.map((one: OperationNode) => this.value(one, {}));
    return unknown(node);
  }

  private value(node: OperationNode, scope: Scope): Value {
    const one = node as AnyNode;
    if (one.kind === "ValueNode") return one.value;
    if (one.kind === "RawNode") return this.raw(one, scope);
    if (one.kind === "ColumnNode") return ofAny(scope, one.column.name);
    if (one.kind === "ReferenceNode") {
      const name = columnOf(one);
      return one.table ? (scope[nameOf(one.table)]?.[name] ?? null) : ofAny(scope, name);
    }
    return unknown(node);
  }

  private raw(node: RawNode, scope: Scope): Value {
    const [text = ""] = node.sqlFragments;
    const { serverTime } = this.network.time;
    if (text === "now()") return serverTime;
    if (text.startsWith("now() + make_interval")) {
      const seconds = this.value(node.parameters[0] as OperationNode, scope) as number;
      serverTime.setTime(serverTime.getTime() + seconds * 1000);
      return serverTime;
    }
    // No key of the simulation is revoked.
    if (text.startsWith("live_sessions.key_id is not null")) return false;
    // Voices and passwords in addresses: no session of the simulation has any.
    if (text.startsWith("regexp_replace(audio_url")) return null;
    if (text.includes("request_params")) return scope["jobs"]?.["request_params"];
    return unknown(node);
  }
}

/** A column without the name of its table. */
function ofAny(scope: Scope, column: string): Value {
  for (const row of Object.values(scope)) if (row && column in row) return row[column];
  return null;
}

const comparable = (value: Value): Value => (value instanceof Date ? value.getTime() : (value ?? null));
