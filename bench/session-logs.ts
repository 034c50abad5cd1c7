// The cost of keeping live sessions in NATS: time until a chunk is stored, with one session and with many, on one
// server and on three with three replicas; and the time to read a session back. Needs nats-server.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { openDatabase } from "../src/platform/storage/db/database.ts";
import { prepareAccounts } from "../src/service/accounts/first-account.ts";
import { copiesIn } from "../src/service/live/log/audio-copies.ts";
import { StreamLogs } from "../src/service/live/log/jetstream/stream-logs.ts";
import type { SessionLog } from "../src/service/live/log/log-contract.ts";
import { hasNats, startNats } from "../test/fixtures/nats.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

/** 20 ms of 16-bit samples at 16 kHz. */
const CHUNK_BYTES = 640;
const CHUNKS_AN_HOUR = 180_000;
const SECONDS = 5;

if (!hasNats)
  throw new Error(
    "this bench needs nats-server: apt-get install nats-server, or go install github.com/nats-io/nats-server/v2@latest",
  );

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-logs-"));
const database = await openDatabase("", folder);
await prepareAccounts(database, false, () => crypto.randomUUID());
const results: Result[] = [];

async function machine(url: string, name: string): Promise<StreamLogs> {
  const logs = await StreamLogs.connect({
    database,
    machine: name,
    copies: copiesIn(path.join(folder, name)),
    url,
    credentialsFile: "",
    prefix: "bench",
    streams: 4,
    bytes: 0,
    replicas: 0,
    keepSeconds: 86_400,
    logger: pino({ level: "silent" }),
  });
  await logs.start(() => undefined);
  return logs;
}

const open = async (logs: StreamLogs, id: string) =>
  (await logs.open(id, { by: "client", at: Date.now() })) as SessionLog;

/** Sessions that each store one chunk after another, as fast as possible. */
async function writing(servers: number, url: string, sessions: number): Promise<void> {
  const logs = await machine(url, `writer-${sessions}`);
  const opened = await Promise.all(Array.from({ length: sessions }, () => open(logs, crypto.randomUUID())));
  const chunk = randomBytes(CHUNK_BYTES);
  const took: number[] = [];
  const until = performance.now() + SECONDS * 1000;
  await Promise.all(
    opened.map(async ({ audio }) => {
      while (performance.now() < until) {
        const began = performance.now();
        await audio.append(chunk);
        took.push(performance.now() - began);
      }
    }),
  );
  for (const log of opened) await log.close();
  await logs.stop();
  results.push({
    name: `${servers === 1 ? "one server" : "three servers"}, ${sessions} sessions`,
    values: {
      "chunks a second": Math.round(took.length / SECONDS),
      "ms median": rounded(percentile(took, 0.5)),
      "ms 95th percentile": rounded(percentile(took, 0.95)),
    },
  });
}

/** An hour of a session is read by the machine that takes it over. */
async function reading(url: string): Promise<number> {
  const [one, two] = [await machine(url, "reader-1"), await machine(url, "reader-2")];
  const id = crypto.randomUUID();
  const log = await open(one, id);
  const chunk = randomBytes(CHUNK_BYTES);
  for (let count = 0; count < CHUNKS_AN_HOUR; count++) await log.audio.append(chunk);
  const began = performance.now();
  const other = await open(two, id);
  const seconds = (performance.now() - began) / 1000;
  if (other.audio.total !== CHUNKS_AN_HOUR * CHUNK_BYTES) throw new Error("not all of it was read back");
  await log.close();
  await other.close();
  await Promise.all([one.stop(), two.stop()]);
  return seconds;
}

try {
  for (const servers of [1, 3]) {
    const nats = await startNats(servers);
    for (const sessions of [1, 16, 128]) await writing(servers, nats.url, sessions);
    if (servers === 1) {
      const seconds = await reading(nats.url);
      results.push({ name: "an hour in chunks of 20 ms read back", values: { seconds: rounded(seconds, 1) } });
    }
    await nats.remove();
  }
  printResults("Live sessions in NATS", results);
  saveResults("session-logs", results);
} finally {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
}
