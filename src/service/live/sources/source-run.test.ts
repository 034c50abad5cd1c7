// A source whose database is unavailable: its session begins later, and does not end for inactivity.
import { pino } from "pino";
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { Connection } from "../session/session-contract.ts";
import { SourceRun } from "./source-run.ts";

/** Answers any query with no rows. @param mayAnswer  called for each query */
function databaseThat(mayAnswer: () => boolean): unknown {
  const execute = async () => {
    if (!mayAnswer()) throw errors.databaseUnavailable(undefined);
    return [];
  };
  const first = async () => (await execute())[0];
  const query: unknown = new Proxy(() => query, {
    get: (_, name) => {
      if (name === "execute") return execute;
      return name === "executeTakeFirst" ? first : query;
    },
    apply: () => query,
  });
  return query;
}

test("a source waits for the database at its beginning, and keeps its session active without it", async () => {
  let queries = 0;
  const database = databaseThat(() => ++queries === 2 || queries === 3 || queries === 4);
  const attached: Connection[] = [];
  const received: string[] = [];
  const session = {
    ...{ id: "session", state: "recording", isReleased: false, log: { isLost: false } },
    params: { maximumSeconds: 5, endpointingSeconds: 0.05 },
    attach: async (connection: Connection) => {
      attached.push(connection);
      if (attached.length === 1) throw errors.databaseUnavailable(undefined);
    },
    receive: (_: Connection, command: { kind: string; bytes: number; print?: (reached: object) => void }) => {
      received.push(command.kind);
      command.print?.({ bytes: 0, seconds: 0, detectedSeconds: 0 });
    },
  };
  const services = {
    ...{ database, decoders: { close: async () => undefined }, feeds: {}, format: {}, allowPrivateAddresses: false },
    logger: pino({ level: "silent" }),
  };
  const wanted = { address: "http://127.0.0.1:9/live", accountId: "a", createdAt: new Date(), outageSeconds: 600 };
  const stopping = new AbortController();
  const run = new SourceRun(services as never, session as never, wanted, stopping.signal).run();
  await expect.poll(() => received, { timeout: 20_000 }).toContain("audio");
  // All connections of the process share their numbers.
  const [first, second] = attached.map(({ number }) => number) as [number, number];
  expect([attached.length, second - first]).toEqual([2, 1]);
  stopping.abort();
  attached.at(-1)?.close({ kind: "restarting" });
  await run;
});
