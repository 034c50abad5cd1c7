// What every kind of log of live sessions promises, held against each: folders, and a stream of NATS servers; then what
// only machines that share them can show.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { leaveTombstones } from "../../src/platform/storage/db/files/tombstones.ts";
import { startLiveJob } from "../../src/platform/storage/db/jobs/jobs.ts";
import { createTokens } from "../../src/platform/storage/db/jobs/live-sessions.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { liveFolder } from "../../src/platform/storage/objects/keys.ts";
import { Quarantine } from "../../src/platform/storage/quarantine.ts";
import { prepareAccounts } from "../../src/service/accounts/first-account.ts";
import { copiesIn } from "../../src/service/live/log/audio-copies.ts";
import { FolderLogs } from "../../src/service/live/log/folder-logs.ts";
import { StreamLogs } from "../../src/service/live/log/jetstream/stream-logs.ts";
import type { Claim, JournalEntry, SessionLog, SessionLogs } from "../../src/service/live/log/log-contract.ts";
import { removeLeftoverLogs } from "../../src/service/live/session/leftover-logs.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { startTcpProxy } from "../fixtures/tcp-proxy.ts";

let folder: string;
let database: Database;
let nats: NatsServers | undefined;
let accountId: string;
let machines = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-logs-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
  if (hasNats) nats = await startNats();
});
afterEach(async () => {
  for (const log of open.splice(0)) await log.close().catch(() => undefined);
});
afterAll(async () => {
  await database?.destroy();
  await nats?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A session that has begun according to the database. */
async function begun(): Promise<string> {
  const id = crypto.randomUUID();
  const createdAt = clientTime(new Date());
  await insertJob(database, { id, accountId, kind: "live", model: "moonshine-base-en", createdAt, params: {} });
  await createTokens(database, id, null, false);
  await startLiveJob(database, id);
  return id;
}

type Lost = [id: string, reason: string][];

async function folderLogs(): Promise<{ logs: SessionLogs; lost: Lost }> {
  const options = {
    database,
    machine: "one",
    folder: path.join(folder, "live"),
    disk: new Disk(false),
    adoptsAll: true,
    isOnlyMachine: true,
    quarantine: new Quarantine(folder),
    logger: pino({ level: "silent" }),
  };
  const logs = new FolderLogs(options);
  await logs.start();
  return { logs, lost: [] };
}

async function streamLogs(url = nats?.url ?? "") {
  const machine = `machine-${++machines}`;
  const logs = await StreamLogs.connect({
    database,
    machine,
    copies: copiesIn(path.join(folder, machine)),
    url,
    credentialsFile: "",
    prefix: "tests",
    streams: 2,
    bytes: 0,
    replicas: 0,
    keepSeconds: 600,
    logger: pino({ level: "silent" }),
  });
  const lost: Lost = [];
  const unavailable: string[] = [];
  const node = { sessions: 0, capacity: 0, isAccepting: true, models: [machine] };
  await logs.start((id, reason) => lost.push([id, reason]), {
    report: async () => node,
    onUnavailable: (id) => unavailable.push(id),
  });
  return { logs, lost, machine, unavailable };
}

const open: SessionLog[] = [];
const FINDER: Claim = { by: "finder" };
const opened = async (logs: SessionLogs, id: string, claim?: Claim) => {
  const log = await logs.open(id, claim ?? { by: "client", at: Date.now() });
  if (!log) throw new Error("another machine has it");
  open.push(log);
  return log;
};
const message = (number: number, text = `message ${number}`): JournalEntry => ({ kind: "message", number, text });

describe.each([
  ["folders", folderLogs, true],
  ["NATS (skipped without nats-server)", streamLogs, hasNats],
] as const)("%s", (_, make, isThere) => {
  describe.skipIf(!isThere)("promises", () => {
    test("what was stored is there when it is opened again, in order and to the byte", async () => {
      const { logs } = await make();
      const id = await begun();
      const audio = randomBytes(300_000);
      const log = await opened(logs, id);
      expect([log.entries, log.audio.total]).toEqual([[], 0]);
      const entries: JournalEntry[] = [];
      for (let at = 0; at < audio.length; at += 30_000) {
        await log.audio.append(audio.subarray(at, at + 30_000));
        entries.push(message(entries.length));
        await log.appendEntries(entries.at(-1) as JournalEntry);
      }
      await log.appendEntries(message(entries.length), { kind: "stop" });
      expect((await log.audio.read(1_000, 2_000)).equals(audio.subarray(1_000, 2_000))).toBe(true);
      await log.close();

      const again = await opened(logs, id);
      expect(again.entries).toEqual([...entries, message(entries.length), { kind: "stop" }]);
      expect(again.audio.total).toBe(audio.length);
      expect((await buffer(again.stream(0, audio.length))).equals(audio)).toBe(true);
      // Where a client continues that received no acknowledgment of the last two chunks.
      expect(await again.audio.placeOf(audio.subarray(240_000, 290_000))).toBe(240_000);
      await again.close();
      await logs.stop();
    });

    test("a chunk of many megabytes and a message of a million characters are stored whole", async () => {
      const { logs } = await make();
      const id = await begun();
      const audio = randomBytes(5_000_001);
      const text = '"'.repeat(1_000_000);
      const log = await opened(logs, id);
      await Promise.all([log.audio.append(audio), log.appendEntries(message(0, text))]);
      await log.close();
      const again = await opened(logs, id);
      expect(again.entries).toEqual([message(0, text)]);
      expect((await again.audio.read(0, audio.length)).equals(audio)).toBe(true);
      await again.close();
      await logs.stop();
    });

    test("sessions without an owner are listed until they have ended; removed ones are gone", async () => {
      const { logs } = await make();
      const id = await begun();
      expect(await logs.abandoned()).toContain(id);
      const log = await opened(logs, id);
      await log.audio.append(randomBytes(1_000));
      await log.close();
      await logs.remove(id, "deleted");
      const empty = await opened(logs, id);
      expect([empty.entries, empty.audio.total]).toEqual([[], 0]);
      await empty.close();
      await database.updateTable("jobs").set({ status: "done" }).where("id", "=", id).execute();
      expect(await logs.abandoned()).not.toContain(id);
      await logs.stop();
    });
  });
});

describe.skipIf(!hasNats)("machines that share them (skipped without nats-server)", () => {
  test("a client that comes to another machine is followed by its session; the former one can add nothing", async () => {
    const [one, two] = [await streamLogs(), await streamLogs()];
    const id = await begun();
    const audio = randomBytes(20_000);
    const first = await opened(one.logs, id);
    await first.audio.append(audio.subarray(0, 10_000));
    await first.appendEntries(message(0));
    // Nobody takes it without a client from a machine that lives.
    expect(await two.logs.open(id, FINDER)).toBeUndefined();
    expect(await one.logs.confirm(id)).toBe(true);
    const second = await opened(two.logs, id);
    expect([second.audio.total, second.entries]).toEqual([10_000, [message(0)]]);
    await expect(first.audio.append(randomBytes(100))).rejects.toMatchObject({ code: "live.log_lost" });
    await expect(first.appendEntries(message(1))).rejects.toMatchObject({ code: "live.log_lost" });
    await expect.poll(() => one.lost).toEqual([[id, "replaced"]]);
    expect([await one.logs.confirm(id), await two.logs.confirm(id)]).toEqual([false, true]);
    await second.audio.append(audio.subarray(10_000));
    // Its client may reconnect.
    const third = await opened(one.logs, id);
    expect((await third.audio.read(0, 20_000)).equals(audio)).toBe(true);
    await expect.poll(() => two.lost).toEqual([[id, "replaced"]]);
    for (const log of [first, second, third]) await log.close();
    for (const { logs } of [one, two]) await logs.stop();
  });

  test("of two connections the later one gets the session, whichever machine claims first", async () => {
    const [one, two] = [await streamLogs(), await streamLogs()];
    const id = await begun();
    const at = Date.now();
    const later = await opened(two.logs, id, { by: "client", at });
    expect(await one.logs.open(id, { by: "client", at: at - 30 })).toBeUndefined();
    await later.audio.append(randomBytes(10));
    // A clock that is far ahead does not keep a session forever.
    await opened(two.logs, id, { by: "client", at: at + 3_600_000 });
    expect(await opened(one.logs, id, { by: "client", at: at + 1_000 })).toBeDefined();
    for (const { logs } of [one, two]) await logs.stop();
  });

  test("of machines that claim a session at once one has it, and what it stores counts", async () => {
    const id = await begun();
    const all = await Promise.all(Array.from({ length: 4 }, () => streamLogs()));
    const attempts = await Promise.allSettled(all.map(({ logs }) => opened(logs, id)));
    const stored = await Promise.allSettled(
      attempts.map(async (attempt) => {
        if (attempt.status === "rejected") throw attempt.reason;
        await attempt.value.audio.append(Buffer.from([attempts.indexOf(attempt)]));
      }),
    );
    expect(stored.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { logs } = await streamLogs();
    expect((await opened(logs, id)).audio.total).toBe(1);
    for (const machine of [...all, { logs }]) await machine.logs.stop();
  });

  test("a session closed by its machine can be claimed by any machine, and so can that of an ended machine", async () => {
    const [one, two] = [await streamLogs(), await streamLogs()];
    const [left, kept] = [await begun(), await begun()];
    await (await opened(one.logs, left)).close();
    await opened(one.logs, kept);
    expect(await two.logs.abandoned()).toContain(left);
    expect(await two.logs.abandoned()).not.toContain(kept);
    expect(await opened(two.logs, left, FINDER)).toBeDefined();
    await one.logs.stop();
    await expect.poll(() => two.logs.abandoned()).toContain(kept);
    expect(await opened(two.logs, kept, FINDER)).toBeDefined();
    await two.logs.stop();
  });

  test("logs whose owner was lost after the end or the deletion of their session are removed in the second round", async () => {
    const [one, two] = [await streamLogs(), await streamLogs()];
    const [deleted, done, failed, running, foreign, owned] = [
      await begun(),
      await begun(),
      await begun(),
      await begun(),
      await begun(),
      await begun(),
    ];
    for (const id of [deleted, done, failed, running, foreign]) {
      const log = await opened(one.logs, id);
      await log.appendEntries(message(0, `phrase of ${id}`));
      // Its owner stops.
      await log.close();
    }
    await (await opened(one.logs, owned)).appendEntries(message(0));
    await leaveTombstones(
      database,
      [deleted, owned].map((id) => ({ key: liveFolder(id), isFolder: true })),
    );
    // Without a tombstone, a session may be of another database that uses the same NATS.
    await database.deleteFrom("jobs").where("id", "in", [deleted, foreign, owned]).execute();
    const long = { completed_at: clientTime(new Date(Date.now() - 600_000)) };
    await database
      .updateTable("jobs")
      .set({ ...long, status: "done" })
      .where("id", "=", done)
      .execute();
    await database
      .updateTable("jobs")
      .set({ ...long, status: "error" })
      .where("id", "=", failed)
      .execute();
    const connection = await connect({ servers: nats?.url as string });
    const { streams } = await jetstreamManager(connection);
    const stored = async () => {
      const states = [0, 1].map((number) => streams.info(`tests-live-${number}`, { subjects_filter: ">" }));
      const subjects = (await Promise.all(states)).flatMap(({ state }) => Object.keys(state.subjects ?? {}));
      return [deleted, done, failed, running, foreign, owned].filter((id) =>
        subjects.some((subject) => subject.endsWith(id)),
      );
    };
    const services = { database, duties: { holds: async () => true }, logs: two.logs };
    await removeLeftoverLogs(services);
    expect(await stored()).toHaveLength(6);
    await removeLeftoverLogs(services);
    expect(await stored()).toEqual([failed, running, foreign, owned]);
    expect(await two.logs.isKept(done)).toBe(false);
    for (const { logs } of [one, two]) await logs.stop();
    await connection.close();
  });

  test("machines follow each other by one subscription each, however often they look for sessions", async () => {
    const [one, two] = [await streamLogs(), await streamLogs()];
    const connection = await connect({ servers: nats?.url as string });
    const { consumers } = await jetstreamManager(connection);
    const count = async () => {
      let found = 0;
      for await (const _ of consumers.list("KV_tests-machines")) found++;
      return found;
    };
    const before = await count();
    for (let times = 0; times < 5; times++) for (const { logs } of [one, two]) await logs.abandoned();
    expect(await count()).toBe(before);
    const models = () => one.logs.others().flatMap((node) => node?.models ?? []);
    await expect.poll(models).toContain(two.machine);
    expect(models()).not.toContain(one.machine);
    for (const { logs } of [one, two]) await logs.stop();
    await connection.close();
  });

  test("storage is full: a session is reported as unavailable, waits, and continues", {
    timeout: 120_000,
  }, async () => {
    const { logs, unavailable } = await streamLogs();
    const [id, other] = [await begun(), await begun()];
    const [log, quiet] = [await opened(logs, id), await opened(logs, other)];
    const connection = await connect({ servers: nats?.url as string });
    const { streams } = await jetstreamManager(connection);
    const limit = async (bytes: number) => {
      for (const name of ["tests-live-0", "tests-live-1"]) await streams.update(name, { max_bytes: bytes });
    };
    await limit(1);
    const chunk = randomBytes(1_000);
    const written = log.audio.append(chunk);
    await expect.poll(() => unavailable, { timeout: 60_000 }).toContain(id);
    expect(logs.problem).toMatch(/cannot store/);
    await limit(-1);
    await written;
    await quiet.audio.append(chunk);
    expect([logs.problem, log.audio.total, quiet.audio.total]).toEqual([undefined, 1_000, 1_000]);
    await logs.stop();
    await connection.close();
  });

  test("the servers are silent, cut off, and killed: writes wait, and each is stored once", {
    timeout: 120_000,
  }, async () => {
    const proxy = await startTcpProxy({ port: nats?.ports[0] as number });
    const { logs } = await streamLogs(`nats://127.0.0.1:${proxy.port}`);
    const id = await begun();
    const log = await opened(logs, id);
    const audio = randomBytes(60_000);
    const faults = [
      async () => {
        proxy.delay(300);
      },
      async () => {
        proxy.silence();
        setTimeout(() => proxy.mend(), 7_000);
      },
      async () => {
        proxy.cut();
        setTimeout(() => proxy.mend(), 1_000);
      },
      async () => {
        await nats?.kill();
        setTimeout(() => void nats?.start(), 1_000);
      },
    ];
    for (let at = 0; at < audio.length; at += 1_000) {
      if (at % 15_000 === 7_000) await faults[Math.floor(at / 15_000)]?.();
      await log.audio.append(audio.subarray(at, at + 1_000));
    }
    const { logs: other } = await streamLogs();
    const again = await opened(other, id);
    expect(again.audio.total).toBe(audio.length);
    expect((await again.audio.read(0, audio.length)).equals(audio)).toBe(true);
    await Promise.all([logs.stop(), other.stop()]);
    await proxy.stop();
  });

  test("a cluster of three keeps everything three times: one of them may die", { timeout: 120_000 }, async () => {
    const cluster = await startNats(3);
    const { logs } = await streamLogs(cluster.url);
    const id = await begun();
    const log = await opened(logs, id);
    const audio = randomBytes(30_000);
    for (let at = 0; at < audio.length; at += 1_000) {
      if (at === 10_000) await cluster.kill(0);
      if (at === 20_000) {
        await cluster.start(0);
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await cluster.kill(1);
      }
      await log.audio.append(audio.subarray(at, at + 1_000));
    }
    const { logs: other } = await streamLogs(cluster.url);
    const again = await opened(other, id);
    expect((await again.audio.read(0, audio.length)).equals(audio)).toBe(true);
    await Promise.all([logs.stop(), other.stop()]);
    await cluster.remove();
  });
});
