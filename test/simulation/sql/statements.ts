// Reads statements of SQL into functions over rows: select, insert, update and delete, with queries in `with`, joins and locks of rows.
import { SqlReader } from "./expressions.ts";
import type { Expression, Frame, Query, Row, Run } from "./frames.ts";
import { comparable, inOrder, type Value } from "./values.ts";

/** Tables of the database. */
export interface Catalogue {
  columnsOf(table: string): readonly string[] | undefined;
  /** Columns that identify a row. */
  keyOf(table: string): readonly string[];
}

interface Source {
  name: string;
  columns: readonly string[];
  /** Undefined for a query. */
  table?: string;
  rows(run: Run, up: Frame | undefined): readonly Row[];
}

interface Joined extends Source {
  isOuter: boolean;
  on: Expression | undefined;
}

type Item = { star: string | undefined } | { name: string; value: Expression };

const ENDS_OF_SOURCE = new Set(
  "where join left inner on order limit for union group set using returning cross full from values".split(" "),
);
const noRows = (): Row[] => [];

function framesOf(sources: readonly Joined[], run: Run, up: Frame | undefined, given: Frame["rows"]): Frame[] {
  let frames: Frame[] = [{ rows: given, up, run }];
  for (const { name, rows, isOuter, on } of sources) {
    const all = rows(run, up);
    frames = frames.flatMap((frame): Frame[] => {
      const found: Frame[] = [];
      for (const row of all) {
        const joined = { rows: { ...frame.rows, [name]: row }, up, run };
        if (!on || on(joined) === true) found.push(joined);
      }
      return found.length === 0 && isOuter ? [{ rows: { ...frame.rows, [name]: null }, up, run }] : found;
    });
  }
  return frames;
}

/** @returns names and values of the result */
function resolved(items: readonly Item[], sources: readonly Source[]): { name: string; value: Expression }[] {
  return items.flatMap((item) => {
    if ("name" in item) return [item];
    return sources
      .filter(({ name }) => item.star === undefined || item.star === name)
      .flatMap(({ name: source, columns }) =>
        columns.map((name) => ({ name, value: (frame: Frame) => frame.rows[source]?.[name] ?? null })),
      );
  });
}

/** Equal names would overwrite each other. */
function apart(items: readonly { name: string; value: Expression }[]): { name: string; value: Expression }[] {
  const names = new Set<string>();
  return items.map(({ name, value }, at) => {
    const own = names.has(name) ? `${name} ${at}` : name;
    names.add(own);
    return { name: own, value };
  });
}

function resultOf(items: readonly { name: string; value: Expression }[], frame: Frame): Row {
  const row: Row = {};
  for (const { name, value } of items) row[name] = value(frame);
  return row;
}

export class Statement extends SqlReader {
  private readonly queries = new Map<string, readonly string[]>();

  private constructor(
    text: string,
    private readonly catalogue: Catalogue,
  ) {
    super(text);
  }

  static read(text: string, catalogue: Catalogue): Query {
    const statement = new Statement(text, catalogue);
    const query = statement.query();
    if (!statement.isAtEnd) statement.fail();
    return query;
  }

  private query(): Query {
    const before: [string, Query][] = [];
    if (this.take("with")) {
      before.push(
        ...this.list((): [string, Query] => {
          const name = this.identifier();
          this.expect("as");
          this.take("not");
          this.take("materialized");
          const query = this.inParentheses(() => this.query());
          this.queries.set(name, query.columns);
          return [name, query];
        }),
      );
    }
    const main = this.command();
    if (before.length === 0) return main;
    return {
      columns: main.columns,
      run: (run, up) => {
        for (const [name, query] of before) run.named.set(name, query.run(run, up));
        return main.run(run, up);
      },
    };
  }

  private command(): Query {
    if (this.take("update")) return this.update();
    if (this.take("insert", "into")) return this.insert();
    if (this.take("delete", "from")) return this.delete();
    return this.select();
  }

  protected select(): Query {
    const first = this.term();
    const others: Query[] = [];
    while (this.take("union", "all")) others.push(this.term());
    if (others.length === 0) return first;
    return { columns: first.columns, run: (run, up) => [first, ...others].flatMap((one) => one.run(run, up)) };
  }

  private term(): Query {
    if (this.is("(")) return this.inParentheses(() => this.select());
    const outer = this.isAggregated;
    this.isAggregated = false;
    this.expect("select");
    const isDistinct = this.take("distinct");
    const given = this.is("from") || this.is(")") ? [] : this.list(() => this.item());
    const isAggregated = this.isAggregated;
    this.isAggregated = outer;
    const sources = this.take("from") ? this.sources() : [];
    const where = this.take("where") ? this.expression() : undefined;
    const order = this.take("order", "by") ? this.list(() => this.ordering()) : [];
    const limit = this.take("limit") ? this.expression() : undefined;
    const locks = this.lock(sources);
    const items = apart(resolved(given, sources));
    return {
      columns: items.map(({ name }) => name),
      run: (run, up) => {
        let frames = framesOf(sources, run, up, {});
        if (where) frames = frames.filter((frame) => where(frame) === true);
        if (isAggregated) frames = [{ rows: {}, up, run, group: frames }];
        if (order.length > 0) frames.sort((one, other) => order.reduce((sum, by) => sum || by(one, other), 0));
        const most = limit ? Number(limit({ rows: {}, up, run })) : Number.POSITIVE_INFINITY;
        const kept: Frame[] = [];
        for (const frame of frames) {
          if (kept.length >= most) break;
          if (locks.every((lock) => lock(frame))) kept.push(frame);
        }
        const rows = kept.map((frame) => resultOf(items, frame));
        if (!isDistinct) return rows;
        return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
      },
    };
  }

  private item(): Item {
    if (this.take("*")) return { star: undefined };
    const name = this.nameBeforeStar();
    if (name !== undefined) return { star: name };
    const shown = this.nameOfColumn();
    const value = this.expression();
    return { name: this.take("as") ? this.identifier() : shown, value };
  }

  private ordering(): (one: Frame, other: Frame) => number {
    const by = this.expression();
    const sign = this.take("desc") ? -1 : 1;
    this.take("asc");
    return (one, other) => sign * inOrder(by(one), by(other));
  }

  private lock(sources: readonly Source[]): ((frame: Frame) => boolean)[] {
    if (!this.take("for", "update") && !this.take("for", "no", "key", "update")) return [];
    const names = this.take("of") ? this.list(() => this.identifier()) : sources.map(({ name }) => name);
    const skips = this.take("skip", "locked");
    return sources
      .filter(({ name }) => names.includes(name))
      .map(
        ({ name, table }) =>
          ({ rows, run }: Frame) =>
            table === undefined || !rows[name] || run.lock(table, rows[name], skips),
      );
  }

  private sources(): Joined[] {
    const sources: Joined[] = [];
    do {
      sources.push({ ...this.source(), isOuter: false, on: undefined });
      for (;;) {
        const isOuter = this.take("left", "join");
        if (!isOuter && !this.take("inner", "join") && !this.take("join")) break;
        const source = this.source();
        this.expect("on");
        sources.push({ ...source, isOuter, on: this.expression() });
      }
    } while (this.take(","));
    return sources;
  }

  private alias(): string | undefined {
    if (this.take("as")) return this.identifier();
    return this.isWord && ![...ENDS_OF_SOURCE].some((word) => this.is(word)) ? this.identifier() : undefined;
  }

  private source(): Source {
    if (this.is("(")) {
      const query = this.inParentheses(() => this.select());
      return { name: this.alias() ?? this.fail(), columns: query.columns, rows: (run, up) => query.run(run, up) };
    }
    if (this.take("unnest")) return this.unnested();
    const table = this.identifier();
    const name = this.alias() ?? table;
    const known = this.queries.get(table);
    if (known) return { name, columns: known, rows: ({ named }) => named.get(table) ?? noRows() };
    const columns = this.catalogue.columnsOf(table);
    if (!columns) throw new Error(`the database of the simulation has no table ${table}`);
    return { name, columns, table, rows: (run) => run.scan(table) };
  }

  private unnested(): Source {
    const arrays = this.inParentheses(() => this.list(() => this.expression()));
    const name = this.alias() ?? this.fail();
    const columns = this.inParentheses(() => this.list(() => this.identifier()));
    return {
      ...{ name, columns },
      rows: (run, up) => {
        const values = arrays.map((array) => array({ rows: {}, up, run }) as Value[]);
        return (values[0] ?? []).map((_, at) =>
          Object.fromEntries(columns.map((column, which) => [column, values[which]?.[at] ?? null])),
        );
      },
    };
  }

  private assignments(): { column: string; value: Expression }[] {
    return this.list(() => {
      const column = this.identifier();
      this.expect("=");
      return { column, value: this.expression() };
    });
  }

  private returned(sources: readonly Source[]): { name: string; value: Expression }[] {
    return this.take("returning")
      ? resolved(
          this.list(() => this.item()),
          sources,
        )
      : [];
  }

  private update(): Query {
    const target = this.source();
    this.expect("set");
    const assigned = this.assignments();
    const others = this.take("from") ? this.sources() : [];
    const where = this.take("where") ? this.expression() : undefined;
    const items = this.returned([target, ...others]);
    const table = target.table ?? this.fail();
    return {
      columns: items.map(({ name }) => name),
      run: (run, up) => {
        const changed: Row[] = [];
        let affected = 0;
        for (const row of target.rows(run, up)) {
          const frames = framesOf(others, run, up, { [target.name]: row });
          const frame = where ? frames.find((one) => where(one) === true) : frames[0];
          if (!frame) continue;
          const changes: Row = {};
          for (const { column, value } of assigned) changes[column] = value(frame);
          const next = run.update(table, row, changes);
          affected++;
          if (items.length > 0)
            changed.push(resultOf(items, { ...frame, rows: { ...frame.rows, [target.name]: next } }));
        }
        run.affected = affected;
        return changed;
      },
    };
  }

  private delete(): Query {
    const target = this.source();
    const where = this.take("where") ? this.expression() : undefined;
    const items = this.returned([target]);
    const table = target.table ?? this.fail();
    return {
      columns: items.map(({ name }) => name),
      run: (run, up) => {
        const frames = target.rows(run, up).map((row): Frame => ({ rows: { [target.name]: row }, up, run }));
        const gone = where ? frames.filter((frame) => where(frame) === true) : frames;
        for (const { rows } of gone) run.remove(table, rows[target.name] as Row);
        run.affected = gone.length;
        return gone.map((frame) => resultOf(items, frame));
      },
    };
  }

  private insert(): Query {
    const target = this.source();
    const table = target.table ?? this.fail();
    const columns = this.inParentheses(() => this.list(() => this.identifier()));
    const rowsOf = this.inserted(columns);
    const settle = this.take("on", "conflict") ? this.conflict(target.name) : undefined;
    const keys = settle?.keys ?? this.catalogue.keyOf(table);
    const items = this.returned([target]);
    return {
      columns: items.map(({ name }) => name),
      run: (run, up) => {
        const added: Row[] = [];
        for (const row of rowsOf(run, up)) {
          const isEqual = (one: Row) => keys.every((key) => comparable(one[key]) === comparable(row[key]));
          const known = run.latest(table).find(isEqual);
          if (known && !settle) throw Object.assign(new Error(`${table} has the row`), { code: "23505" });
          const changes = known && settle?.changes({ rows: { [target.name]: known, excluded: row }, up, run });
          if (known && !changes) continue;
          added.push(known ? run.update(table, known, changes as Row) : run.insert(table, row));
        }
        run.affected = added.length;
        return added.map((row) => resultOf(items, { rows: { [target.name]: row }, up, run }));
      },
    };
  }

  private inserted(columns: readonly string[]): (run: Run, up: Frame | undefined) => Row[] {
    if (!this.take("values")) {
      const query = this.select();
      return (run, up) =>
        query
          .run(run, up)
          .map((row) => Object.fromEntries(columns.map((column, at) => [column, row[query.columns[at] ?? ""]])));
    }
    const lists = this.list(() =>
      this.inParentheses(() => this.list(() => (this.take("default") ? undefined : this.expression()))),
    );
    return (run, up) =>
      lists.map((values) => {
        const row: Row = {};
        for (const [at, column] of columns.entries()) {
          const value = values[at];
          if (value) row[column] = value({ rows: {}, up, run });
        }
        return row;
      });
  }

  private conflict(target: string): { keys: string[] | undefined; changes: (frame: Frame) => Row | undefined } {
    const keys = this.is("(") ? this.inParentheses(() => this.list(() => this.identifier())) : undefined;
    this.expect("do");
    if (this.take("nothing")) return { keys, changes: () => undefined };
    this.expect("update", "set");
    const assigned = this.assignments();
    const where = this.take("where") ? this.expression() : undefined;
    return {
      keys,
      changes: (frame) => {
        // A column without a table is that of the row that exists.
        const own: Frame = {
          ...frame,
          rows: { [target]: frame.rows[target] ?? null, excluded: frame.rows["excluded"] ?? null },
        };
        if (where && where(own) !== true) return undefined;
        return Object.fromEntries(assigned.map(({ column, value }) => [column, value(own)]));
      },
    };
  }

  /** `name.*` */
  private nameBeforeStar(): string | undefined {
    return this.lookAhead(() => {
      const name = this.takeKind("quoted") ?? this.takeKind("word");
      return name !== undefined && this.take(".", "*") ? name : undefined;
    });
  }

  /** The name that a result has without `as`. */
  private nameOfColumn(): string {
    const name = this.lookAhead(() => {
      const first = this.takeKind("quoted") ?? this.takeKind("word");
      return this.take(".") ? this.identifier() : first;
    }, true);
    return name ?? "?column?";
  }
}
