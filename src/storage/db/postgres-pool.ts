// Connections to a PostgreSQL server that may go away and come back. What fails because of that is told as such, so that it is tried
// again; anything else stays as it is.
import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { errors } from "../../errors.ts";

const MOST_CONNECTIONS = 10;
const CONNECT_MILLISECONDS = 5_000;
/** A server that takes an answer's time and does not give it is taken for gone. */
const QUERY_MILLISECONDS = 60_000;

const LOST_SOCKET = /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/**
 * Connection exceptions (08), shutdowns and starts (57P), too many connections (53300), and a server that was the first and is not any
 * more (25006).
 */
const LOST_STATE = /^(08...|57P0[1-5]|53300|25006)$/;
/** Errors of the client's own, which have no code. */
const LOST_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered)/;

function isLost(thrown: unknown): boolean {
  const {
    code = "",
    message = "",
    errors: several,
  } = thrown as { code?: string; message?: string; errors?: unknown[] };
  // An address with two numbers fails twice.
  if (several && several.length > 0) return several.every(isLost);
  return LOST_SOCKET.test(code) || LOST_STATE.test(code) || LOST_MESSAGE.test(message);
}

/** @throws database.unavailable */
function told(thrown: unknown): never {
  throw isLost(thrown) ? errors.databaseUnavailable(thrown) : thrown;
}

class Connection {
  private isBroken = false;

  constructor(private readonly client: pg.PoolClient) {}

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signatures go through
  async query(...query: any[]): Promise<any> {
    try {
      return await (this.client.query as (...all: unknown[]) => unknown)(...query);
    } catch (error) {
      this.isBroken ||= isLost(error);
      return told(error);
    }
  }

  /** A connection that failed is not used again: a late answer would be taken for that to another question. */
  release(): void {
    this.client.release(this.isBroken);
  }
}

export interface PoolOptions {
  url: string;
  /** Longest time that a query may take; 0 is any. */
  queryMilliseconds?: number;
}

export function postgresPool({ url, queryMilliseconds = QUERY_MILLISECONDS }: PoolOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    keepAlive: true,
    ...(queryMilliseconds > 0 ? { query_timeout: queryMilliseconds } : {}),
  });
  // Idle connections that end are replaced when they are needed; whoever uses one is told by its query.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    connect: async () => new Connection(await pool.connect().catch(told)) as unknown as PostgresPoolClient,
    end: () => pool.end(),
  };
}
