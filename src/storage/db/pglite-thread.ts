// The embedded database on a thread of its own: a query that takes long must not hold the event loop that answers
// requests. Statements arrive one at a time in the order they were sent; the driver sees to transactions.
import v8 from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { PreparedStatements, type StatementResult } from "./pglite-statements.ts";

export interface StatementMessage {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}
export type ResultMessage =
  | ({ id: number } & StatementResult)
  | { id: number; error: { message: string; code?: string } };

const port = parentPort;
if (!port) throw new Error("pglite-thread must be started as a worker thread");
/** Pages kept in memory; the default of 128 MB is for machines that do nothing else. */
const SHARED_BUFFERS = "32MB";
// The optimising compiler makes long queries a third faster, short ones, which are nearly all, none; and takes 70 MB.
v8.setFlagsFromString("--liftoff-only");
const database = await PGlite.create(workerData as string, {
  startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${SHARED_BUFFERS}`],
});

const statements = new PreparedStatements(database);

/** Only migrations are several statements at once; these have no parameters. */
const mayBeSeveral = (sql: string) => sql.includes(";");

async function runAll(sql: string): Promise<StatementResult> {
  const last = (await database.exec(sql)).at(-1);
  return { rows: last?.rows ?? [], affectedRows: last?.affectedRows ?? 0 };
}

async function execute({ id, sql, parameters }: StatementMessage): Promise<ResultMessage> {
  try {
    const isOne = parameters.length > 0 || !mayBeSeveral(sql);
    return { id, ...(isOne ? await statements.run(sql, parameters) : await runAll(sql)) };
  } catch (thrown) {
    const { message, code } = thrown as { message: string; code?: string };
    return { id, error: { message, ...(code ? { code } : {}) } };
  }
}

port.on("message", async (message: StatementMessage | "close") => {
  if (message === "close") {
    await database.close();
    port.close();
    return;
  }
  port.postMessage(await execute(message));
});
port.postMessage("ready");
