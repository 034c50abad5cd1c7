// Two registries that share the embedded database and the logs of their sessions, as two machines do. Random commands
// are compared with a model: what a token opens, which machine owns a session, how its job stands. Timers are fake.
// fast-check prints the seed and the path of a failure; passing both to fc.assert replays it.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { ModelCommand } from "../../../../test/fixtures/model-command.ts";
import { availableCores } from "../../../platform/config/container-limits.ts";
import type { Settings } from "../../../platform/config/settings.ts";
import { errors } from "../../../platform/errors.ts";
import { NO_TRACING } from "../../../platform/observability/tracing.ts";
import { type Account, findAccount } from "../../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { endUnusedSession, findJob } from "../../../platform/storage/db/jobs/jobs.ts";
import { createTokens } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { insertJob } from "../../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { BUILT_IN_MODELS } from "../../../speech/engines/registry.ts";
import { failedEnding } from "../../jobs/end-job.ts";
import { ModelStore } from "../../models/store.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { ClosingKind } from "../events/closing.ts";
import type { LastEvent } from "../events/live-event.ts";
import type { Claim, LiveNode, LiveProcess, LossReason, SessionLog, SessionLogs } from "../log/log-contract.ts";
import { LiveRegistry, type TokenOutcome } from "./registry.ts";
import type { RegistryServices } from "./registry-services.ts";
import type { Session } from "./session.ts";
import type { Connection } from "./session-contract.ts";

const RUNS = 20;
const MOST_COMMANDS = 20;
/** Live sessions of an account. */
const LIMIT = 2;
const TOKEN_SECONDS = 600;
/** REMEMBER_MILLISECONDS, RECOVERY_MILLISECONDS of the registry. */
const REMEMBER_MILLISECONDS = 60_000;
const RECOVERY_MILLISECONDS = 5_000;
/** An expected state that takes longer is a failure. */
const PATIENCE_MILLISECONDS = 30_000;

interface SharedLog {
  log: MemoryLog;
  owner: MachineLogs | undefined;
}

/** The logs of all machines. */
class Hub {
  readonly kept = new Map<string, SharedLog>();
  readonly removed: [string, "ended" | "deleted"][] = [];
}

/** The logs as one machine sees them. */
class MachineLogs implements SessionLogs {
  private onLost: (id: string, reason: LossReason) => void = () => undefined;
  /** Called before a log is opened, and when it is closed. */
  beforeOpen: (id: string) => Promise<void> = async () => undefined;
  onClose: (id: string) => void = () => undefined;
  afterOpen: () => Promise<void> = async () => undefined;
  /** What is opened in place of a log. */
  replaced: (log: SessionLog) => Partial<SessionLog> = () => ({});
  /** Whether it learns of a loss from `confirm` only. */
  isNotifiedLate = false;
  opened = 0;

  constructor(
    private readonly hub: Hub,
    readonly isShared = true,
  ) {}

  async start(onLost: (id: string, reason: LossReason) => void, live?: LiveProcess): Promise<void> {
    this.onLost = onLost;
    this.live = live;
  }

  problem: string | undefined;
  readonly messenger = undefined;
  reports: (LiveNode | undefined)[] = [];
  live: LiveProcess | undefined;
  follow = () => undefined;
  others = () => this.reports;

  async open(id: string, claim: Claim): Promise<SessionLog | undefined> {
    await this.beforeOpen(id);
    const shared = this.hub.kept.get(id) ?? { log: new MemoryLog(true), owner: undefined };
    this.hub.kept.set(id, shared);
    const { owner } = shared;
    if (owner && owner !== this && claim.by === "finder") return undefined;
    shared.owner = this;
    this.opened++;
    const log = shared.log.open();
    if (owner && owner !== this && !owner.isNotifiedLate) owner.onLost(id, "taken");
    const close = async () => {
      this.onClose(id);
      if (shared.owner === this && !log.isLost) shared.owner = undefined;
    };
    await this.afterOpen();
    return Object.defineProperties({ ...log, close, ...this.replaced(log) }, { isLost: { get: () => log.isLost } });
  }

  async confirm(id: string): Promise<boolean> {
    const isOwner = !this.isShared || this.hub.kept.get(id)?.owner === this;
    if (!isOwner) this.onLost(id, "taken");
    return isOwner;
  }

  async abandoned(): Promise<string[]> {
    const isAbandoned = ({ log, owner }: SharedLog) =>
      !owner && log.eventKinds.includes("recordingStarted") && !log.eventKinds.includes("sessionEnded");
    return [...this.hub.kept].filter(([, shared]) => isAbandoned(shared)).map(([id]) => id);
  }

  isKept = async (id: string) => this.hub.kept.has(id);

  async remove(id: string, why: "ended" | "deleted"): Promise<void> {
    const owner = this.hub.kept.get(id)?.owner;
    this.hub.kept.delete(id);
    this.hub.removed.push([id, why]);
    if (owner && owner !== this) owner.onLost(id, "deleted");
  }

  /** The process ends without closing anything. */
  crash(): void {
    for (const shared of this.hub.kept.values()) if (shared.owner === this) shared.owner = undefined;
  }

  check = async () => undefined;
  stop = async () => undefined;
}

interface Client extends Connection {
  /** The first close, as of a socket. */
  closed: (ClosingKind | "lost")[];
}

function client(number: number, lastEvent: LastEvent = "sessionEnded"): Client {
  const closed: Client["closed"] = [];
  return {
    number,
    lastEvent,
    closed,
    isReceiving: false,
    close: ({ kind }) => {
      if (closed.length === 0) closed.push(kind);
    },
    pause: () => undefined,
    resume: () => undefined,
    send: async () => undefined,
    answer: async () => undefined,
    arrival: async () => undefined,
  };
}

let folder: string;
let database: Database;
let objects: FileStore;
const registries: LiveRegistry[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-registry-"));
  database = await openDatabase("", folder, new Disk(false));
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.stop()));
  vi.useRealTimers();
  await database.deleteFrom("jobs").execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const SETTINGS = {
  ...{ model: BUILT_IN_MODELS[0]?.id ?? "", multilingualModel: "", keepsEnglish: true, fetchModels: false },
  ...{
    maximumLiveSessions: 0,
    accountLiveSessions: LIMIT,
    liveTokenSeconds: TOKEN_SECONDS,
    speakerModel: "",
    workers: 2,
  },
  ...{ liveIdleSeconds: 600, liveGraceSeconds: 600, liveMaximumSeconds: 3_600 },
};

interface Machine {
  logs: MachineLogs;
  live: LiveRegistry;
  recognition: { idleCount: number; finalDelay: number };
  detectable: { from: Promise<void> };
  models: ModelStore;
}

function machine(hub: Hub, settings: Partial<Settings> = {}, isShared = true): Machine {
  const logs = new MachineLogs(hub, isShared);
  const recognition = { idleCount: 0, finalDelay: 0 };
  const detectable = { from: Promise.resolve() };
  const models = new ModelStore(path.join(folder, "models"));
  const services = {
    ...{
      database,
      objects,
      models,
      liveModels: models,
      logs,
      recognition,
      recordFormat: RECORD_FORMAT,
      tracing: NO_TRACING,
    },
    space: { hasRoom: async () => true },
    detection: {
      voiceActivity: async (samples: Float32Array) => {
        await detectable.from;
        const probabilities = new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES));
        return { probabilities, state: new Float32Array(1) };
      },
    },
    wakeProcesses: () => undefined,
    ...{ supply: {}, enhancer: {}, voices: {}, resultProcesses: {}, callbacks: {} },
    settings: { ...SETTINGS, ...settings },
    cores: availableCores(),
    duties: { holds: async () => true },
    logger: pino({ level: "silent" }),
  };
  const live = new LiveRegistry(services as unknown as RegistryServices);
  registries.push(live);
  return { logs, live, recognition, detectable, models };
}

interface Created {
  id: string;
  token: string;
  keyId: string;
}

/** Sessions of one account, their clients and the machines. */
class World {
  readonly hub = new Hub();
  readonly accountId = uuid();
  readonly machines: Machine[] = [];
  /** The newest client of each session. */
  readonly clients = new Map<string, Client>();
  readonly sessions = new Map<string, Session>();
  private connections = 0;

  static async open(count: number, settings: Partial<Settings> = {}, isShared = true): Promise<World> {
    const world = new World();
    await database
      .insertInto("accounts")
      .values({ id: world.accountId, name: world.accountId, created_at: new Date() } as never)
      .execute();
    for (let at = 0; at < count; at++) world.machines.push(machine(world.hub, settings, isShared));
    for (const { live } of world.machines) await live.start();
    return world;
  }

  at(index: number): Machine {
    return this.machines[index] as Machine;
  }

  async account(): Promise<Account> {
    return (await findAccount(database, this.accountId)) as Account;
  }

  async create(createdAt = clientTime(new Date()), params: object = {}): Promise<Created> {
    const [id, keyId] = [uuid(), uuid()];
    const key = { id: keyId, account_id: this.accountId, name: keyId, hash: keyId, created_at: createdAt };
    await database
      .insertInto("api_keys")
      .values({ ...key, revoked_at: null })
      .execute();
    await insertJob(database, { id, accountId: this.accountId, kind: "live", model: "m", createdAt, params });
    return { id, keyId, ...(await createTokens(database, id, keyId, false)) };
  }

  byToken(index: number, token: string): Promise<TokenOutcome> {
    return this.at(index).live.byToken(token, Date.now());
  }

  async attach(id: string, session: Session, lastEvent?: LastEvent): Promise<Client> {
    const next = client(++this.connections, lastEvent);
    this.clients.set(id, next);
    this.sessions.set(id, session);
    await session.attach(next);
    return next;
  }

  /** Opens the session and connects a client. */
  async connect(index: number, { id, token }: Created, lastEvent?: LastEvent): Promise<Client> {
    return this.attach(id, sessionOf(await this.byToken(index, token)), lastEvent);
  }

  finish(id: string): void {
    this.sessions.get(id)?.receive(this.clients.get(id) as Client, { kind: "stop" });
  }

  async status(id: string): Promise<string> {
    return (await findJob(database, id))?.status ?? "deleted";
  }
}

function sessionOf(outcome: TokenOutcome): Session {
  if (outcome.kind !== "session") throw new Error(`the token opens no session: ${outcome.kind}`);
  return outcome.session;
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`never seen: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

interface ModelSession extends Created {
  state: "queued" | "processing" | "done" | "deleted";
  /** Number of the machine that has it open, also after its end. */
  owner: number | undefined;
  isConnected: boolean;
  isRevoked: boolean;
}

type Model = ModelSession[];

/** What its token opens on a machine. */
function expectedOutcome(session: ModelSession, index: number, model: Model): TokenOutcome["kind"] {
  if (session.state === "deleted") return "unknown";
  if (session.isRevoked) return "revoked";
  const running = model.filter(({ state }) => state === "processing");
  if (session.state === "queued" && session.owner !== index && running.length >= LIMIT) return "over-limit";
  return "session";
}

const summaryOf = (model: Readonly<Model>) =>
  model.map(({ state, owner, isConnected }) => `${state}, owner ${owner}, ${isConnected ? "connected" : "away"}`);

async function observed(world: World, model: Readonly<Model>): Promise<string[]> {
  return Promise.all(
    model.map(async ({ id }) => {
      const owner = world.machines.findIndex(({ logs }) => logs === world.hub.kept.get(id)?.owner);
      const isConnected = world.clients.get(id)?.closed.length === 0;
      const status = await world.status(id);
      return `${status}, owner ${owner < 0 ? undefined : owner}, ${isConnected ? "connected" : "away"}`;
    }),
  );
}

abstract class Command extends ModelCommand<Model, World> {
  protected async verify(model: Model, world: World): Promise<void> {
    const wanted = summaryOf(model);
    let last: string[] = [];
    await until(async () => {
      last = await observed(world, model);
      return last.join() === wanted.join();
    }, "the state of the model").catch(() => expect(last).toEqual(wanted));
    for (const [index, { live }] of world.machines.entries()) {
      const own = model.filter(({ state, owner }) => state === "processing" && owner === index);
      await until(() => live.active === own.length, `${own.length} active sessions, not ${live.active}`);
    }
  }
}

class Create extends Command {
  protected async act(model: Model, world: World): Promise<void> {
    const created = await world.create();
    model.push({ ...created, state: "queued", owner: undefined, isConnected: false, isRevoked: false });
  }
  toString = () => "create";
}

/** @param choice  which session */
abstract class OfSession extends Command {
  constructor(
    protected readonly choice: number,
    protected readonly index: number,
  ) {
    super();
  }
  override check = (model: Readonly<Model>) => model.length > 0;
  protected chosen(model: Readonly<Model>): ModelSession {
    return model[this.choice % model.length] as ModelSession;
  }
  protected get place(): string {
    return `${this.choice} on machine ${this.index}`;
  }
}

class Connect extends OfSession {
  /** @param count  connections at once */
  constructor(
    choice: number,
    index: number,
    private readonly count: number,
  ) {
    super(choice, index);
  }
  protected async act(model: Model, world: World): Promise<void> {
    const session = this.chosen(model);
    const before = world.clients.get(session.id);
    const openedBefore = world.at(this.index).logs.opened;
    const outcomes = await Promise.all(
      Array.from({ length: this.count }, () => world.byToken(this.index, session.token)),
    );
    const expected = expectedOutcome(session, this.index, model);
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => expected));
    if (expected !== "session") return;
    // One session and one open log for all of them.
    const [first, ...others] = outcomes.map(sessionOf);
    for (const other of others) expect(other).toBe(first);
    const isHere = session.owner === this.index;
    expect(world.at(this.index).logs.opened - openedBefore).toBe(isHere ? 0 : 1);
    const next = await world.attach(session.id, first as Session);
    if (session.isConnected) expect(before?.closed).toEqual([isHere ? "replaced" : "taken"]);
    session.owner = this.index;
    if (session.state === "done") {
      await until(() => next.closed.length > 0, "the end for a late client");
      expect(next.closed).toEqual(["complete"]);
      return;
    }
    Object.assign(session, { state: "processing", isConnected: true });
  }
  toString = () => `connect ${this.place}, ${this.count} at once`;
}

class Finish extends OfSession {
  override check = (model: Readonly<Model>) => model.length > 0 && this.chosen(model).isConnected;
  protected async act(model: Model, world: World): Promise<void> {
    const session = this.chosen(model);
    world.finish(session.id);
    await until(() => world.clients.get(session.id)?.closed.length === 1, "the end of the session");
    expect(world.clients.get(session.id)?.closed).toEqual(["complete"]);
    Object.assign(session, { state: "done", isConnected: false });
  }
  toString = () => `finish ${this.choice}`;
}

class Revoke extends OfSession {
  protected async act(model: Model, world: World): Promise<void> {
    const session = this.chosen(model);
    await database
      .updateTable("api_keys")
      .set({ revoked_at: clientTime(new Date()) })
      .where("id", "=", session.keyId)
      .execute();
    for (const { live } of world.machines) await live.endWithoutAccess();
    session.isRevoked = true;
    if (session.isConnected) expect(world.clients.get(session.id)?.closed).toEqual(["revoked"]);
    if (session.state === "processing") Object.assign(session, { state: "done", isConnected: false });
  }
  toString = () => `revoke the key of ${this.choice}`;
}

class Delete extends OfSession {
  protected async act(model: Model, world: World): Promise<void> {
    const session = this.chosen(model);
    await database.deleteFrom("jobs").where("id", "=", session.id).execute();
    await world.at(this.index).live.discard(session.id);
    if (session.isConnected) expect(world.clients.get(session.id)?.closed).toEqual(["deleted"]);
    Object.assign(session, { state: "deleted", owner: undefined, isConnected: false });
    expect(world.hub.removed).toContainEqual([session.id, "deleted"]);
  }
  toString = () => `delete ${this.place}`;
}

/** A process stops, or ends at once, and the next one starts. */
class Restart extends Command {
  constructor(
    private readonly index: number,
    private readonly isOrderly: boolean,
  ) {
    super();
  }
  protected async act(model: Model, world: World): Promise<void> {
    const { live, logs } = world.at(this.index);
    const own = model.filter(({ owner }) => owner === this.index);
    if (this.isOrderly) await live.stop();
    for (const { id, isConnected } of own) {
      if (!isConnected) continue;
      if (this.isOrderly) expect(world.clients.get(id)?.closed).toEqual(["restarting"]);
      else world.clients.get(id)?.closed.push("lost");
    }
    logs.crash();
    world.machines[this.index] = machine(world.hub);
    await world.at(this.index).live.start();
    await world.at(this.index).live.recovered;
    // It recovers what has not ended.
    for (const session of own) {
      session.isConnected = false;
      if (session.state !== "processing") session.owner = undefined;
    }
  }
  toString = () => `${this.isOrderly ? "restart" : "crash"} of machine ${this.index}`;
}

const choice = fc.nat({ max: 5 });
const index = fc.nat({ max: 1 });
const connect = fc.tuple(choice, index, fc.integer({ min: 1, max: 3 })).map((of) => new Connect(...of));
const commands = fc.commands(
  [
    fc.constant(new Create()),
    fc.constant(new Create()),
    connect,
    connect,
    connect,
    fc.tuple(choice, index).map((of) => new Finish(...of)),
    fc.tuple(choice, index).map((of) => new Finish(...of)),
    fc.tuple(choice, index).map((of) => new Revoke(...of)),
    fc.tuple(choice, index).map((of) => new Delete(...of)),
    fc.tuple(index, fc.boolean()).map((of) => new Restart(...of)),
  ],
  { maxCommands: MOST_COMMANDS, size: "max" },
);

test("sessions of two machines under random commands have one owner, one client and one end", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const world = await World.open(2);
    await fc.asyncModelRun(() => ({ model: [] as Model, real: world }), list);
    await Promise.all(world.machines.map(({ live }) => live.stop()));
    for (const { closed } of world.clients.values()) expect(closed).toHaveLength(1);
    await database.deleteFrom("jobs").execute();
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20_261_126, endOnFailure: false });
});

test("of sessions that start at once, as many are opened as the account's limit allows", async () => {
  const world = await World.open(1);
  const created = await Promise.all(Array.from({ length: 5 }, () => world.create()));
  const outcomes = await Promise.all(created.map(({ token }) => world.byToken(0, token)));
  const kinds = outcomes.map(({ kind }) => kind).toSorted();
  expect(kinds).toEqual(["over-limit", "over-limit", "over-limit", "session", "session"]);
  expect(world.at(0).live.active).toBe(LIMIT);
});

test("a session that cannot be opened does not count against the limit", async () => {
  const world = await World.open(1, { accountLiveSessions: 1 });
  const { logs } = world.at(0);
  logs.beforeOpen = () => Promise.reject(errors.storageUnavailable(new Error("ECONNREFUSED")));
  const [first, second] = [await world.create(), await world.create()];
  await expect(world.byToken(0, first.token)).rejects.toMatchObject({ code: "storage.unavailable" });
  logs.beforeOpen = async () => undefined;
  expect((await world.byToken(0, second.token)).kind).toBe("session");
});

test("an ended session no longer counts against the limit", async () => {
  const world = await World.open(1, { accountLiveSessions: 1 });
  const [first, second] = [await world.create(), await world.create()];
  const connection = await world.connect(0, first);
  expect((await world.byToken(0, second.token)).kind).toBe("over-limit");
  world.finish(first.id);
  await until(() => connection.closed.length > 0, "the end of the session");
  expect((await world.byToken(0, second.token)).kind).toBe("session");
});

test("a session whose client has its end counts against no limit while the result is stored", async () => {
  const world = await World.open(1, { accountLiveSessions: 1, maximumLiveSessions: 1 });
  let store: () => void = () => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const write = objects.write.bind(objects);
  vi.spyOn(objects, "write").mockImplementation(async (...given) => {
    await stored;
    return write(...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const [first, second, third] = [await world.create(), await world.create(), await world.create()];
  const connection = await world.connect(0, first, "recordingEnded");
  expect((await world.byToken(0, second.token)).kind).not.toBe("session");
  world.finish(first.id);
  await until(() => connection.closed.length > 0, "the end of the client");
  expect(await world.status(first.id)).toBe("processing");
  await world.connect(0, second);
  expect((await world.byToken(0, third.token)).kind).not.toBe("session");
  store();
  await until(async () => (await world.status(first.id)) === "done", "the result");
  expect((await world.byToken(0, third.token)).kind).not.toBe("session");
});

test("a session whose client has its end counts against no limit in another process", async () => {
  const world = await World.open(2, { accountLiveSessions: 1 });
  let store: () => void = () => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const write = objects.write.bind(objects);
  vi.spyOn(objects, "write").mockImplementation(async (...given) => {
    await stored;
    return write(...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const [first, second, third] = [await world.create(), await world.create(), await world.create()];
  const connection = await world.connect(0, first, "recordingEnded");
  expect((await world.byToken(1, second.token)).kind).toBe("over-limit");
  world.finish(first.id);
  await until(() => connection.closed.length > 0, "the end of the client");
  expect(await world.status(first.id)).toBe("processing");
  await world.connect(1, second);
  for (const process of [0, 1]) expect((await world.byToken(process, third.token)).kind).toBe("over-limit");
  store();
  await until(async () => (await world.status(first.id)) === "done", "the result");
  for (const process of [0, 1]) expect((await world.byToken(process, third.token)).kind).toBe("over-limit");
});

test("capacity is refused at the limits of the machine and of the account, and while finals are late", async () => {
  const world = await World.open(1, { maximumLiveSessions: 5, accountLiveSessions: 0 });
  const { live, recognition } = world.at(0);
  recognition.finalDelay = 2;
  const account = await world.account();
  const request = async (of = account) => {
    const id = uuid();
    await live.reserve(id, of, "m");
    live.capacity.release(id);
  };
  for (let count = 0; count < 4; count++) {
    await request();
    await world.connect(0, await world.create());
  }
  await expect(request()).rejects.toMatchObject({ code: "service.overloaded", status: 503, retryAfterSeconds: 10 });
  recognition.finalDelay = 1;
  await request();
  const limited = { ...account, live_sessions: 4 };
  await expect(request(limited)).rejects.toMatchObject({ code: "limit.live_sessions" });
  const [fifth, sixth] = [await world.create(), await world.create()];
  expect(await live.refusalOf(fifth.token)).toBeUndefined();
  await world.connect(0, fifth);
  await expect(request()).rejects.toMatchObject({ code: "limit.live_sessions" });
  // A session that runs keeps its place; a new one is refused before the upgrade, and behind it.
  expect(await live.refusalOf(fifth.token)).toBeUndefined();
  expect(await live.refusalOf(sixth.token)).toMatchObject({ code: "limit.live_sessions" });
  expect(await world.byToken(0, sixth.token)).toEqual({ kind: "full" });
  expect((await world.byToken(0, fifth.token)).kind).toBe("session");
});

test("an account that creates sessions and opens none leaves places to others", async () => {
  const world = await World.open(1, { accountLiveSessions: 0 });
  const { live } = world.at(0);
  const account = await world.account();
  const fill = async () => {
    for (let count = 0; count < 1_000; count++) await live.reserve(uuid(), account, "m");
  };
  await expect(fill()).rejects.toMatchObject({ code: "service.overloaded" });
  const session = await world.create();
  await expect(live.reserve(session.id, { ...account, id: uuid() }, "m")).resolves.toBeUndefined();
  expect(await live.refusalOf(session.token)).toBeUndefined();
  expect((await world.byToken(0, session.token)).kind).toBe("session");
});

test("a process without live sessions judges capacity and models by the reports of those that run them", async () => {
  const world = await World.open(0);
  const { live, logs } = machine(world.hub);
  const account = await world.account();
  const node = (changes: Partial<LiveNode> = {}): LiveNode => ({
    ...{ sessions: 0, capacity: 2, isAccepting: true, models: ["m"] },
    ...changes,
  });
  await expect(live.reserve(uuid(), account, "m")).rejects.toMatchObject({ code: "service.not_ready", status: 503 });
  logs.reports = [node({ models: ["other"] })];
  await expect(live.reserve(uuid(), account, "m")).rejects.toMatchObject({ code: "models.missing" });
  logs.reports = [node({ models: ["other"] }), node({ isAccepting: false })];
  await expect(live.reserve(uuid(), account, "m")).rejects.toMatchObject({ code: "service.overloaded", status: 503 });
  logs.reports.push(node({ sessions: 1 }));
  await live.reserve(uuid(), account, "m");
  expect(live.capacity.everywhere).toEqual({ sessions: 1, capacity: 6 });
  expect([live.capacity.isElsewhere("other"), live.capacity.isElsewhere("none")]).toEqual([true, false]);
  // The previous version reports nothing.
  logs.reports = [undefined];
  await live.reserve(uuid(), account, "m");
});

test("a process with live sessions reports them; while it cannot store any, clients are disconnected and refused", async () => {
  const world = await World.open(1, { maximumLiveSessions: 2 });
  const { live, logs } = world.at(0);
  const [known, next] = [await world.create(), await world.create()];
  const connection = await world.connect(0, known);
  expect(await logs.live?.report()).toMatchObject({ sessions: 1, capacity: 2, isAccepting: true });
  logs.reports = [{ sessions: 3, capacity: 5, isAccepting: true, models: [] }, undefined];
  expect(live.capacity.everywhere).toEqual({ sessions: 4, capacity: 7 });
  logs.problem = "NATS does not answer";
  logs.live?.onUnavailable(known.id);
  expect(connection.closed).toEqual(["restarting"]);
  expect(await logs.live?.report()).toMatchObject({ isAccepting: false });
  for (const { token } of [known, next]) expect(await live.refusalOf(token)).toMatchObject({ status: 503 });
  const account = await world.account();
  await expect(live.reserve(uuid(), account, "m")).rejects.toMatchObject({ code: "service.not_ready" });
  logs.problem = undefined;
  const back = await world.connect(0, known);
  expect(back.closed).toEqual([]);
  expect(await live.refusalOf(next.token)).toBeUndefined();
});

test("unknown, empty and late tokens open nothing; an unused session ends as an error", async () => {
  const world = await World.open(1);
  expect(await world.byToken(0, "")).toEqual({ kind: "unknown" });
  expect(await world.byToken(0, "abc")).toEqual({ kind: "unknown" });
  const late = await world.create(clientTime(new Date(Date.now() - (TOKEN_SECONDS + 60) * 1000)));
  const early = await world.create(clientTime(new Date(Date.now() - (TOKEN_SECONDS - 60) * 1000)));
  expect(await world.byToken(0, late.token)).toEqual({ kind: "expired" });
  await machine(world.hub).live.start();
  await until(async () => (await world.status(late.id)) === "error", "the end of the unused session");
  expect(await findJob(database, late.id)).toMatchObject({ error_code: 408 });
  expect(await world.byToken(0, late.token)).toEqual({ kind: "expired" });
  expect((await world.byToken(0, early.token)).kind).toBe("session");
});

test("a session that was ended as unused while it was opened is refused", async () => {
  const world = await World.open(1);
  const created = await world.create();
  const session = sessionOf(await world.byToken(0, created.token));
  const createdAt = clientTime(new Date(Date.now() - (TOKEN_SECONDS + 60) * 1000));
  await database.updateTable("jobs").set({ created_at: createdAt }).where("id", "=", created.id).execute();
  await machine(world.hub).live.start();
  await until(async () => (await world.status(created.id)) === "error", "the end of the unused session");
  await expect(world.attach(created.id, session)).rejects.toMatchObject({ code: "live.unused" });
  expect(world.clients.get(created.id)?.closed).toEqual(["expired"]);
  expect(world.at(0).live.active).toBe(0);
});

test("a session that a client has started is not ended as unused", async () => {
  const world = await World.open(1);
  const created = await world.create();
  const ending = failedEnding(errors.liveSessionUnused(), databaseTime(database));
  await world.connect(0, created);
  expect(await endUnusedSession(database, created.id, ending)).toBe(false);
  expect(await world.status(created.id)).toBe("processing");
});

test("a session that another machine takes over while it is opened is elsewhere", async () => {
  const world = await World.open(2);
  const created = await world.create();
  let proceed: () => void = () => undefined;
  world.at(0).logs.afterOpen = () => new Promise((resolve) => (proceed = resolve));
  const slow = world.byToken(0, created.token);
  await until(() => world.at(0).logs.opened === 1, "the log of the first machine");
  const owner = await world.connect(1, created);
  proceed();
  expect(await slow).toEqual({ kind: "elsewhere" });
  expect(world.machines.map(({ live }) => live.active)).toEqual([0, 1]);
  expect(owner.closed).toEqual([]);
});

test("a client that returns before the loss of its session was reported takes the session back", async () => {
  const world = await World.open(2);
  const created = await world.create();
  const first = await world.connect(0, created);
  const lost = world.sessions.get(created.id);
  world.at(0).logs.isNotifiedLate = true;
  const second = await world.connect(1, created);
  expect(first.closed).toEqual([]);
  const third = await world.connect(0, created);
  expect(world.sessions.get(created.id)).not.toBe(lost);
  expect([first, second, third].map(({ closed }) => closed)).toEqual([["taken"], ["taken"], []]);
});

test("a process that lost a session without notice does not end it in the database", async () => {
  const world = await World.open(2);
  const created = await world.create();
  const first = await world.connect(0, created);
  const stalled = world.sessions.get(created.id) as Session;
  world.at(0).logs.isNotifiedLate = true;
  await world.connect(1, created);
  expect(first.closed).toEqual([]);
  await expect(world.at(0).live.failed(created.id, new Error("it woke"))).rejects.toMatchObject({
    code: "live.log_lost",
  });
  await expect(world.at(0).live.ended(created.id, {} as never, stalled)).rejects.toMatchObject({
    code: "live.log_lost",
  });
  expect(await world.status(created.id)).toBe("processing");
  expect(first.closed).toEqual(["taken"]);
});

test("a session that fails for a missing model says which one, and another failure stays in the log", async () => {
  const world = await World.open(1);
  for (const [error, message] of [
    [errors.modelMissing("gone"), /The model gone is not installed. Add it with/],
    [new Error("private"), /^The service failed on this session/],
  ] as const) {
    const created = await world.create();
    await world.connect(0, created);
    await world.at(0).live.failed(created.id, error);
    expect(await findJob(database, created.id)).toMatchObject({
      status: "error",
      error_message: expect.stringMatching(message),
    });
  }
});

test("an ended session is kept for late clients for a minute, then its log is removed", async () => {
  const world = await World.open(1);
  const created = await world.create();
  const connection = await world.connect(0, created);
  world.finish(created.id);
  await until(() => connection.closed.length > 0, "the end of the session");
  vi.advanceTimersByTime(REMEMBER_MILLISECONDS - 1);
  expect((await world.byToken(0, created.token)).kind).toBe("session");
  vi.advanceTimersByTime(1);
  await until(() => world.hub.removed.length > 0, "the removal of the log");
  expect(world.hub.removed).toEqual([[created.id, "ended"]]);
  expect(await world.byToken(0, created.token)).toEqual({ kind: "ended" });
});

/** A started session whose process is gone. */
async function abandonedSession(world: World): Promise<Created> {
  const created = await world.create();
  await world.connect(0, created);
  await world.at(0).live.stop();
  return created;
}

test("a session whose client cannot reconnect ends when its connection is lost, and when a later process finds it", async () => {
  const world = await World.open(1, {}, false);
  const rules = { client_rules: { reconnects: false } };
  const [created, other, left] = [
    await world.create(undefined, rules),
    await world.create(),
    await world.create(undefined, rules),
  ];
  for (const one of [created, other]) {
    const lost = await world.connect(0, one);
    world.sessions.get(one.id)?.detach(lost, "lost");
  }
  await until(async () => {
    vi.advanceTimersByTime(1);
    return (await world.status(created.id)) === "done";
  }, "the end of the session");
  expect(await world.status(other.id)).toBe("processing");
  await world.connect(0, left);
  await world.at(0).live.stop();
  const next = machine(world.hub, {}, false);
  await next.live.start();
  await next.live.recovered;
  await until(async () => {
    vi.advanceTimersByTime(1);
    return (await world.status(left.id)) === "done";
  }, "the end of the session that a process left");
});

test("a session that cannot be recovered for now is recovered later", async () => {
  const world = await World.open(1, {}, false);
  const { id } = await abandonedSession(world);
  const next = machine(world.hub, {}, false);
  next.logs.beforeOpen = () => Promise.reject(errors.storageUnavailable(new Error("ECONNREFUSED")));
  await next.live.start();
  await next.live.recovered;
  expect(next.live.active).toBe(0);
  expect(await world.status(id)).toBe("processing");
  next.logs.beforeOpen = async () => undefined;
  vi.advanceTimersByTime(RECOVERY_MILLISECONDS);
  await until(() => next.live.active === 1, "the recovery");
});

test("a start does not wait for the sessions of an earlier process, and a client need not either", async () => {
  const world = await World.open(1, {}, false);
  const { id, token } = await abandonedSession(world);
  const next = machine(world.hub, {}, false);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  next.logs.beforeOpen = () => opened;
  await next.live.start();
  const found = next.live.byToken(token, Date.now());
  open();
  expect(await found).toMatchObject({ kind: "session", session: { id } });
  await next.live.recovered;
  expect(next.live.active).toBe(1);
});

test("a session whose log is damaged fails where no other machine can open it", async () => {
  const world = await World.open(1, {}, false);
  const { id, token } = await abandonedSession(world);
  const next = machine(world.hub, {}, false);
  next.logs.beforeOpen = () => Promise.reject(new Error("EIO: i/o error, read"));
  await next.live.start();
  await next.live.recovered;
  expect(await findJob(database, id)).toMatchObject({ status: "error", error_code: 500 });
  expect(await next.live.byToken(token, Date.now())).toEqual({ kind: "ended" });
  // The log has the only copy of the audio.
  expect(world.hub.removed).toEqual([]);
});

test("a session that does not stop cleanly does not keep the others from stopping", async () => {
  const world = await World.open(1);
  const [broken, whole] = [await world.create(), await world.create()];
  const clients = [await world.connect(0, broken), await world.connect(0, whole)];
  world.at(0).logs.onClose = (id) => {
    if (id === broken.id) throw new Error("EIO: i/o error, close");
  };
  await world.at(0).live.stop();
  expect(clients.map(({ closed }) => closed)).toEqual([["restarting"], ["restarting"]]);
  expect(world.hub.kept.get(whole.id)?.owner).toBeUndefined();
  expect(await world.status(whole.id)).toBe("processing");
});

/** A log that cannot be written; writes are retried until it stops. @param error  of the writes then */
function fullLog({ audio }: SessionLog, error: Error): Partial<SessionLog> {
  let stopRetrying: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stopRetrying = resolve;
  });
  const refuse = async () => {
    await stopped;
    throw error;
  };
  const total = { get: () => audio.total };
  const own = Object.defineProperties({ ...audio, append: refuse, stored: refuse }, { total });
  return { audio: own, appendEntries: refuse, stopRetrying };
}

const FORMAT = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
const lostAudio = {
  kind: "channel",
  channel: 0,
  state: { position: 16_000, context: { startSample: 0, settled: [] } },
} as never;

test("a process stops while it opens a session whose storage is full, and the next one opens the session", async () => {
  const world = await World.open(1, {}, false);
  const { id } = await abandonedSession(world);
  // One second of audio is lost: it is replaced when the session is opened.
  world.hub.kept.get(id)?.log.entries.push({ kind: "format", headerBytes: 0, format: FORMAT }, lostAudio);
  const next = machine(world.hub, {}, false);
  next.logs.replaced = (log) => fullLog(log, new Error("ENOSPC: no space left on device, write"));
  await next.live.start();
  await until(() => next.logs.opened === 1, "the log of the session");
  await next.live.stop();
  expect(next.live.active).toBe(0);
  expect(await world.status(id)).toBe("processing");
  const last = machine(world.hub, {}, false);
  await last.live.start();
  await last.live.recovered;
  expect(last.live.active).toBe(1);
});

test("a process stops while the stored audio of a session is detected", async () => {
  const world = await World.open(1, {}, false);
  const { id } = await abandonedSession(world);
  const { log } = world.hub.kept.get(id) ?? {};
  log?.entries.push({ kind: "format", headerBytes: 0, format: FORMAT });
  if (log) log.bytes = Buffer.alloc(60 * 32_000);
  const next = machine(world.hub, {}, false);
  next.detectable.from = new Promise(() => undefined);
  await next.live.start();
  await until(() => next.logs.opened === 1, "the log of the session");
  let hasStopped = false;
  const stop = next.live.stop().then(() => {
    hasStopped = true;
  });
  await until(() => {
    vi.advanceTimersByTime(20);
    return hasStopped;
  }, "the stop");
  await stop;
  expect(await world.status(id)).toBe("processing");
});

test("a session whose log is lost while its audio is replaced is elsewhere", async () => {
  const world = await World.open(1);
  const created = await world.create();
  await world.connect(0, created);
  await world.at(0).live.stop();
  world.hub.kept.get(created.id)?.log.entries.push({ kind: "format", headerBytes: 0, format: FORMAT }, lostAudio);
  const next = machine(world.hub);
  next.logs.replaced = (log) => {
    const full = fullLog(log, errors.logLost());
    full.stopRetrying?.();
    return full;
  };
  expect(await next.live.byToken(created.token, Date.now())).toEqual({ kind: "elsewhere" });
  expect(await world.status(created.id)).toBe("processing");
});
