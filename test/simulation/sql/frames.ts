// Types of the reader of SQL: the rows and values to which expressions refer, and the changes of statements.
import type { Value } from "./values.ts";

export type Row = Record<string, Value>;

/** A statement under way. */
export interface Run {
  readonly parameters: readonly Value[];
  /** When the transaction began, by the clock of the servers. */
  readonly now: Date;
  /** The clock of the process that sent it. */
  readonly processNow: Date;
  /** Rows of the queries in `with`. */
  readonly named: Map<string, Row[]>;
  /** Rows that the last command changed. */
  affected: number;
  /** What the statement sees. */
  scan(table: string): readonly Row[];
  /** The same with its own changes. */
  latest(table: string): readonly Row[];
  /** @returns false if another transaction has the row, and it is skipped */
  lock(table: string, row: Row, skipsLocked: boolean): boolean;
  insert(table: string, row: Row): Row;
  update(table: string, before: Row, changes: Row): Row;
  remove(table: string, row: Row): void;
}

export interface Frame {
  /** By the name that the statement uses; null where an outer join found none. */
  readonly rows: Readonly<Record<string, Row | null>>;
  readonly up: Frame | undefined;
  readonly run: Run;
  /** Of an aggregation. */
  readonly group?: readonly Frame[];
}

export type Expression = (frame: Frame) => Value;

export interface Query {
  readonly columns: readonly string[];
  run(run: Run, up?: Frame): Row[];
}

/** A column without the name of its table. */
export function columnOf(name: string): Expression {
  return (frame) => {
    for (let one: Frame | undefined = frame; one; one = one.up) {
      for (const row of Object.values(one.rows)) if (row && name in row) return row[name] ?? null;
    }
    for (let one: Frame | undefined = frame; one; one = one.up) if (Object.values(one.rows).includes(null)) return null;
    throw new Error(`the database of the simulation has no column ${name} here`);
  };
}

export function columnOfTable(table: string, name: string): Expression {
  return (frame) => {
    for (let one: Frame | undefined = frame; one; one = one.up) {
      const row = one.rows[table];
      if (row === undefined) continue;
      if (row && !(name in row)) throw new Error(`the database of the simulation has no column ${table}.${name}`);
      return row?.[name] ?? null;
    }
    throw new Error(`the database of the simulation has no table ${table} here`);
  };
}
