// Where the notifications of a database come from: a connection of its own to a server, or the thread of the embedded database.
import { Kysely, PostgresDialect } from "kysely";
import type { PostgresAddress } from "../../addresses/postgres-address.ts";
import type { EmbeddedDialect } from "./embedded/pglite-driver.ts";
import type { Database, DatabaseSchema } from "./schema.ts";
import type { postgresPool } from "./server/postgres-pool.ts";

/** A server that does not answer within this time is treated as lost, and the connection is made again. */
const QUERY_MILLISECONDS = 10_000;

export interface Receiver {
  onNotification(payload: string): void;
  onEnd(): void;
}

export interface Listening {
  /** Statements on the connection that listens. */
  database: Database;
  close(): Promise<void>;
}

type Source = (receiver: Receiver) => Listening;

const sources = new WeakMap<Database, Source>();

/** @param makePool  postgresPool, which a process with the embedded database does not read */
export function notifiesFromServer(database: Database, address: PostgresAddress, makePool: typeof postgresPool): void {
  sources.set(database, (notifications) => {
    const pool = makePool({ address, connections: 1, queryMilliseconds: QUERY_MILLISECONDS, notifications });
    const own = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect({ pool }) });
    return { database: own, close: () => own.destroy() };
  });
}

export function notifiesFromThread(database: Database, dialect: EmbeddedDialect): void {
  sources.set(database, ({ onNotification }) => {
    dialect.onNotification(onNotification);
    return { database, close: async () => dialect.onNotification(undefined) };
  });
}

/** @param database  of openDatabase */
export function openNotifications(database: Database, receiver: Receiver): Listening {
  const source = sources.get(database);
  if (!source) throw new Error("no notifications: pass the database that openDatabase returned");
  return source(receiver);
}
