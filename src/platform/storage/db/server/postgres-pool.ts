// Connections to a PostgreSQL server that may be restarted. Errors of a lost connection are translated to temporary ones of the
// catalogue, so that callers retry; other errors are not changed.
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { type PostgresAddress, type PostgresHost, tlsOf } from "../../../addresses/postgres-address.ts";
import { errors } from "../../../errors.ts";
import { sleep } from "../../../process/sleep.ts";
import { shortageOf } from "../../../system-shortage.ts";
import { asRefusedValue } from "../refused-values.ts";
import { despiteConflicts } from "../transaction.ts";

const DEFAULT_CONNECTIONS = 10;
const CONNECT_MILLISECONDS = 5_000;
/** How long a query waits for a connection: of this pool, or of the server where others have all that it allows. */
const WAIT_MILLISECONDS = 30_000;
/** Between attempts while the server has no connection left. */
const RETRY_MILLISECONDS = 100;
/** Too many connections, of the server, the database or the role. */
const NO_CONNECTION_LEFT = "53300";
/** A server that does not answer within this time is treated as unreachable. */
const QUERY_MILLISECONDS = 60_000;

const LOST_SOCKET = /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/**
 * Connection exceptions (08), shutdowns and starts (57P), too many connections (53300), and a server that was the first and is not any
 * more (25006).
 */
const LOST_STATE = /^(08...|57P0[1-5]|53300|25006)$/;
/** A standby where the primary is needed: as PostgreSQL names a write on it. */
const STANDBY = "25006";
/** Errors of the client's own, which have no code. */
const LOST_MESSAGE =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/;

function isLost(thrown: unknown): boolean {
  const {
    code = "",
    message = "",
    errors: several,
  } = thrown as { code?: string; message?: string; errors?: unknown[] };
  // A Unix socket is missing while its server restarts.
  if (code === "ENOENT" && (thrown as NodeJS.ErrnoException).syscall === "connect") return true;
  // A name with two IP addresses fails twice.
  if (several && several.length > 0) return several.every(isLost);
  return LOST_SOCKET.test(code) || LOST_STATE.test(code) || LOST_MESSAGE.test(message);
}

/** @throws database.unavailable */
function throwDatabaseError(thrown: unknown): never {
  // A full disk of the server's is another matter: PostgreSQL answers.
  const isShort = shortageOf(thrown) === "resources";
  throw isLost(thrown) || isShort ? errors.databaseUnavailable(thrown) : asRefusedValue(thrown);
}

/**
 * Session parameters that the service needs. The server, the database or the role may have other defaults. The driver reads dates only in
 * ISO form, and bytes only in hexadecimal.
 */
const SESSION_SETTINGS = {
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  default_transaction_isolation: "read committed",
  default_transaction_read_only: "off",
  // A process that was stopped in a transaction must not keep the rows that it has locked.
  idle_in_transaction_session_timeout: "60s",
  // Compiling a statement takes longer than executing it: our statements read few rows, but are estimated as expensive.
  jit: "off",
};

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Sets all of them in one statement, because even an idle process opens connections. */
function sessionStatement(schema: string | undefined): pg.QueryConfig {
  const settings = { ...SESSION_SETTINGS, ...(schema === undefined ? {} : { search_path: quoted(schema) }) };
  const calls = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, false)`);
  return { text: `select ${calls.join(", ")}`, values: Object.values(settings) };
}

class Connection {
  private isBroken = false;
  private isInTransaction = false;

  constructor(private readonly client: pg.PoolClient) {}

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signatures go through
  async query(...query: any[]): Promise<any> {
    const text = String(query[0]);
    if (/^(begin|start transaction)\b/i.test(text)) this.isInTransaction = true;
    if (/^(commit|rollback)\b/i.test(text)) this.isInTransaction = false;
    const send = () => this.send(query);
    // inTransaction repeats a whole transaction; a statement of its own is repeated here.
    return this.isInTransaction ? send() : despiteConflicts(send);
  }

  private async send(query: unknown[]): Promise<unknown> {
    try {
      return await (this.client.query as (...all: unknown[]) => unknown)(...query);
    } catch (error) {
      this.isBroken ||= isLost(error);
      return throwDatabaseError(error);
    }
  }

  /** A connection that failed is not used again: a late answer would be read as the answer to the next query. */
  release(): void {
    this.client.release(this.isBroken);
  }
}

export interface PoolOptions {
  address: PostgresAddress;
  /** Most connections to the server. */
  connections?: number;
  /** Longest time that a query may take; 0 is any. */
  queryMilliseconds?: number;
  /** Connections stay open while they are idle, and send their notifications here. */
  notifications?: {
    /** @param payload  of any channel that a connection listens to */
    onNotification(payload: string): void;
    /** A connection was lost. */
    onEnd(): void;
  };
}

/** Chooses the host of each connection, and its TLS as the address states. */
class Hosts {
  private current = 0;
  /** sslmode=prefer on a server without TLS. */
  private isPlain = false;

  constructor(private readonly address: PostgresAddress) {}

  get count(): number {
    return this.address.hosts.length;
  }

  get position(): number {
    return this.current;
  }

  settings(): pg.ClientConfig {
    const host = this.address.hosts[this.current] as PostgresHost;
    return { ...host, ssl: this.isPlain ? false : tlsOf(this.address, host) };
  }

  /** Several callers may have met the same host: it is left once. */
  leave(position: number): void {
    if (position === this.current) this.current = (this.current + 1) % this.count;
  }

  /** @returns whether a connection without TLS is to be tried */
  doWithoutTls(thrown: unknown): boolean {
    const { message = "" } = thrown as { message?: string };
    if (this.isPlain || this.address.sslMode !== "prefer" || !/does not support SSL/.test(message)) return false;
    this.isPlain = true;
    return true;
  }
}

export function postgresPool(options: PoolOptions): PostgresPool {
  const { address, connections = DEFAULT_CONNECTIONS, queryMilliseconds = QUERY_MILLISECONDS, notifications } = options;
  const { user, password, database, applicationName, options: sessionOptions, schema } = address;
  const hosts = new Hosts(address);
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, ...hosts.settings(), connectionTimeoutMillis: CONNECT_MILLISECONDS });
    }
  }
  const pool = new pg.Pool({
    Client: Client as never,
    max: connections,
    // Keeps one connection open: reopening an idle one takes more statements than an idle process sends.
    min: 1,
    connectionTimeoutMillis: WAIT_MILLISECONDS,
    keepAlive: true,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    ...(sessionOptions === undefined ? {} : { options: sessionOptions }),
    ...(queryMilliseconds > 0 ? { query_timeout: queryMilliseconds } : {}),
    ...(notifications ? { idleTimeoutMillis: 0 } : {}),
  });
  // Idle connections that end are replaced when they are needed; a connection in use fails its query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    if (!notifications) return;
    client.on("notification", ({ payload }) => notifications.onNotification(payload ?? ""));
    client.on("end", () => notifications.onEnd());
  });
  const prepared = new WeakSet<pg.PoolClient>();
  const settings = sessionStatement(schema);

  const prepare = async (client: pg.PoolClient) => {
    try {
      await client.query(settings);
      if (!address.needsPrimary) return;
      const { rows } = await client.query("select pg_is_in_recovery() as standby");
      if (rows[0].standby) throw Object.assign(new Error("the server is a standby"), { code: STANDBY });
    } catch (error) {
      client.release(true);
      throw error;
    }
  };

  const connectOnce = async () => {
    const client = await pool.connect();
    if (!prepared.has(client)) {
      await prepare(client);
      prepared.add(client);
    }
    return new Connection(client);
  };

  const connect = async (): Promise<Connection> => {
    const until = performance.now() + WAIT_MILLISECONDS;
    for (let left = hosts.count; ; ) {
      const { position } = hosts;
      try {
        return await connectOnce();
      } catch (error) {
        if (hosts.doWithoutTls(error)) continue;
        const { code } = error as { code?: string };
        if (code === NO_CONNECTION_LEFT && performance.now() < until) {
          await sleep(RETRY_MILLISECONDS * (1 + Math.random()));
          continue;
        }
        if (!isLost(error)) return throwDatabaseError(error);
        // The next attempt, or the next query, begins with another host.
        hosts.leave(position);
        if (--left === 0) return throwDatabaseError(error);
      }
    }
  };
  return {
    connect: async () => (await connect()) as unknown as PostgresPoolClient,
    end: () => pool.end(),
  };
}
