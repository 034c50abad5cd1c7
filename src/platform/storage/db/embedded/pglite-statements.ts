// Statements of the embedded database, prepared once each: reading and planning one takes five times as long as carrying
// it out. PGlite's own `query` does both every time.
import { type PGlite, protocol } from "@electric-sql/pglite";

export interface StatementResult {
  rows: Record<string, unknown>[];
  affectedRows: number;
}

interface Prepared {
  name: string;
  /** Object identifiers of the parameters' types. */
  parameterTypes: readonly number[];
  fields: readonly { name: string; dataTypeID: number }[];
}

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

/** Lists with filters have a statement for each pair of them. */
const MOST_STATEMENTS = 256;
const { serialize } = protocol;
const { CommandCompleteMessage, DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } =
  protocol.messages;

const those = <Kind>(messages: Messages, kind: new (...parts: never[]) => Kind) =>
  messages.filter((message): message is Messages[number] & Kind => message instanceof kind);

/** "UPDATE 3" and "INSERT 0 3" end with how many rows they changed; so does "SELECT 3", which changes none. */
function affectedBy(command: string): number {
  return command.startsWith("SELECT") ? 0 : Number(/ (\d+)$/.exec(command)?.[1] ?? 0);
}

/** Errors after which PostgreSQL's memory cannot be trusted: it must be started again, and recovers from its write-ahead log. */
const FATAL_SEVERITIES = new Set(["PANIC", "FATAL"]);

/**
 * A segment of the write-ahead log cannot be made, as on a full disk. PostgreSQL reports an error that ends the statement alone. But in the
 * embedded build, about one in a hundred times, the next statement never finishes (test/storage/embedded-database.slow.test.ts).
 */
const WAL_FILE = /^could not [\w ]*file "pg_wal\//;

/** Whether PostgreSQL must not get another statement, because it may never answer. */
export function isFatal(thrown: unknown): boolean {
  const { severity = "", name, message = "" } = thrown as { severity?: string; name?: string; message?: string };
  // WebAssembly's own: memory ran out, or a trap.
  return FATAL_SEVERITIES.has(severity) || name === "RuntimeError" || WAL_FILE.test(message);
}

export class PreparedStatements {
  /** By their text, least recently used first. */
  private readonly known = new Map<string, Prepared>();
  private made = 0;

  constructor(private readonly database: PGlite) {}

  /**
   * @param sql  one statement
   * @throws what the database says, with its `code` and `constraint`
   */
  async run(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const prepared = this.known.get(sql) ?? (await this.prepare(sql));
    this.known.delete(sql);
    try {
      const { serializers } = this.database;
      const values = parameters.map((value, at) => {
        if (value === null || value === undefined) return null;
        return (serializers[prepared.parameterTypes[at] as number] ?? String)(value);
      });
      const messages = await this.send(
        serialize.bind({ statement: prepared.name, values }),
        serialize.execute({}),
        serialize.sync(),
      );
      const rows = those(messages, DataRowMessage).map(({ fields }) => this.row(prepared, fields));
      const affectedRows = affectedBy(those(messages, CommandCompleteMessage).at(-1)?.text ?? "");
      this.known.set(sql, prepared);
      return { rows, affectedRows };
    } catch (error) {
      // Prepared again next time: a table may have other columns now.
      if (!isFatal(error)) await this.close(prepared);
      throw error;
    }
  }

  private row({ fields }: Prepared, texts: readonly (string | null)[]): Record<string, unknown> {
    const { parsers } = this.database;
    return Object.fromEntries(
      fields.map(({ name, dataTypeID }, at) => {
        const text = texts[at] ?? null;
        const parse = parsers[dataTypeID];
        return [name, text === null || !parse ? text : parse(text, dataTypeID)];
      }),
    );
  }

  private async prepare(sql: string): Promise<Prepared> {
    const [oldest] = this.known;
    if (oldest && this.known.size >= MOST_STATEMENTS) {
      this.known.delete(oldest[0]);
      await this.close(oldest[1]);
    }
    this.made++;
    const name = `s${this.made}`;
    const messages = await this.send(
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    );
    return {
      name,
      parameterTypes: those(messages, ParameterDescriptionMessage)[0]?.dataTypeIDs ?? [],
      fields: those(messages, RowDescriptionMessage)[0]?.fields ?? [],
    };
  }

  private async close({ name }: Prepared): Promise<void> {
    await this.send(serialize.close({ type: "S", name }), serialize.sync());
  }

  private send(...messages: Uint8Array[]): Promise<Messages> {
    return this.database.execProtocolStream(Buffer.concat(messages));
  }
}
