// The worker on the embedded database with recordings whose decoding and assembly the test ends. Random commands are
// compared with a model: which jobs compute, wait for add-ons, are queued or have ended. Timers are fake and do not
// advance, so that a missed wake-up fails. fast-check prints the seed and the path of a failure; passing both to
// fc.assert replays it.
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { sql } from "kysely";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ModelCommand } from "../../../test/fixtures/model-command.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import { errors } from "../../platform/errors.ts";
import { NO_TRACING } from "../../platform/observability/tracing.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FreeSpace } from "../../platform/storage/free-space.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { BUILT_IN_MODELS } from "../../speech/engines/registry.ts";
import { ModelStore } from "../models/store.ts";
import { JobQueue } from "./queue.ts";
import { recoverJobs } from "./recover.ts";
import { StageTimes } from "./stage-times.ts";
import { STAGES } from "./stages/all.ts";
import { resumeFromEarlier } from "./stages/resume.ts";
import type { Pipeline, StageServices } from "./stages/stage.ts";
import { WorkFiles } from "./stages/work-files.ts";
import { type EndedJob, JobWorker } from "./worker.ts";

const RUNS = 8;
const MOST_COMMANDS = 14;
const SLOTS = 2;
/** MOST_ASSEMBLIES_PER_ACCOUNT of the worker. */
const MOST_ASSEMBLIES = 32;
/** An expected state that takes longer is a failure. */
const PATIENCE_MILLISECONDS = 30_000;
const MODEL = BUILT_IN_MODELS[0]?.id ?? "";
const NAME = "a#1";
const PIPELINE = { stagesOf: () => STAGES, resume: resumeFromEarlier };

type Place = "decode" | "assemble";

/** Work on one job that waits for the test. */
interface Visit {
  job: string;
  place: Place;
  isSuspect: boolean;
  finish(): void;
  fail(error: unknown): void;
}

/** Where jobs compute: the decoder and the result process, both of which the test controls. */
class Workshop {
  readonly visits = new Map<string, Visit>();
  /** Number of visits of each job. */
  readonly counts = new Map<string, number>();
  mostDecoding = 0;

  of(place: Place): Visit[] {
    return [...this.visits.values()].filter((visit) => visit.place === place);
  }

  async visit(place: Place, file: string, signal: AbortSignal, isSuspect = false): Promise<void> {
    const job = /jobs\/([^/]+)\//.exec(file)?.[1] ?? "";
    if (this.visits.has(job)) throw new Error(`${job} runs twice`);
    const abort = () => this.visits.get(job)?.fail(signal.reason);
    try {
      await new Promise<void>((resolve, reject) => {
        this.visits.set(job, { job, place, isSuspect, finish: resolve, fail: reject });
        this.counts.set(job, (this.counts.get(job) ?? 0) + 1);
        this.mostDecoding = Math.max(this.mostDecoding, this.of("decode").length);
        signal.addEventListener("abort", abort);
        if (signal.aborted) abort();
      });
    } finally {
      signal.removeEventListener("abort", abort);
      this.visits.delete(job);
    }
  }
}

let folder: string;
let database: Database;
let objects: FileStore;
let accepted = 0;
const workers: JobWorker[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-worker-"));
  database = await openDatabase("", folder, new Disk(false));
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  vi.useRealTimers();
  await database.deleteFrom("jobs").execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function servicesOf(workshop: Workshop): StageServices {
  const services = {
    database,
    objects,
    space: new FreeSpace(folder, 0),
    decoders: {
      decode: async (
        _source: string,
        options: { outputs: string[]; signal: AbortSignal; isSuspect: boolean },
      ): Promise<object> => {
        const [output = ""] = options.outputs;
        await workshop.visit("decode", output, options.signal, options.isSuspect);
        await writeFile(output, "");
        const level = { rangeDecibels: 0 };
        return {
          ...{ durationSeconds: 1, gaps: [], holes: [[]], warnings: [], track: 0, trackCount: 1, channels: 1 },
          ...{ roles: ["FL"], levels: [level], pairs: [] },
        };
      },
    },
    recognition: {
      wake: () => undefined,
      voiceActivity: async () => ({ probabilities: new Float32Array(), state: new Float32Array() }),
      capabilitiesOf: async () => ({ languageDetection: false, bearsPauses: false }),
    },
    models: new ModelStore(path.join(folder, "models")),
    speech: { model: MODEL, multilingualModel: "", keepsEnglish: true, fetchModels: false },
    speakerModel: "",
    stageTimes: new StageTimes(),
    resultProcesses: {
      prepare: () => undefined,
      send: async ({ request }: { request: { recognized: string; result: string } }, signal: AbortSignal) => {
        await workshop.visit("assemble", request.recognized, signal);
        await writeFile(request.result, "{}");
        return { kind: "assembled", hash: "hash", speakerVoices: [] };
      },
    },
    limits: {
      ...{ maximumAudioSeconds: 60, maximumFileBytes: 1_000, fetchTimeoutSeconds: 1 },
      ...{ fetchMinimumRate: 0, fetchAttempts: 1, fetchRetrySeconds: 0 },
    },
    allowPrivateAddresses: false,
    tracing: NO_TRACING,
    logger: pino({ level: "silent" }),
  };
  return services as unknown as StageServices;
}

const accountRow = (id: string) => ({ id, name: id, created_at: new Date() }) as never;

/** A worker of one account and everything around it. */
class World {
  readonly account = uuid();
  workshop = new Workshop();
  readonly ended: EndedJob[] = [];
  readonly queue = new JobQueue(database, { fetch: 0, process: 0 }, new ModelStore(path.join(folder, "models")));
  worker!: JobWorker;

  private constructor(
    private readonly slots: number,
    private readonly pipeline: Pipeline,
  ) {}

  static async open(slots = SLOTS, pipeline: Pipeline = PIPELINE): Promise<World> {
    const world = new World(slots, pipeline);
    await database.insertInto("accounts").values(accountRow(world.account)).execute();
    world.start();
    return world;
  }

  start(): void {
    this.worker = new JobWorker(this.queue, servicesOf(this.workshop), {
      name: NAME,
      concurrency: { fetch: 1, process: this.slots },
      pipeline: this.pipeline,
      onEnded: (job) => this.ended.push(job),
    });
    workers.push(this.worker);
    this.worker.start();
  }

  /** Later jobs are younger. */
  async accept({ account = this.account, audioUrl }: { account?: string; audioUrl?: string } = {}): Promise<string> {
    const id = uuid();
    const createdAt = clientTime(new Date(Date.UTC(2026, 0) + accepted++));
    if (audioUrl === undefined) {
      await objects.put(`audio/${id}`, "");
      await saveFile(database, {
        ...{ id, account_id: account, filename: "a.wav", source: null, extension: "wav", size: 1 },
        ...{ audio_duration: 1, number_of_channels: 1, object_key: `audio/${id}`, created_at: createdAt },
      });
    }
    await insertJob(database, {
      ...{ id, accountId: account, kind: "pre-recorded", model: MODEL, createdAt, params: {} },
      ...(audioUrl === undefined ? { fileId: id } : { audioUrl: FetchAddress.of(audioUrl) }),
    });
    this.queue.wake();
    return id;
  }

  async jobs() {
    return database.selectFrom("jobs").selectAll().where("account_id", "=", this.account).execute();
  }

  visit(job: string): Visit {
    const visit = this.workshop.visits.get(job);
    if (!visit) throw new Error(`${job} does not run`);
    return visit;
  }

  /** Waits for the job to compute or to be assembled. */
  async at(place: Place, job: string): Promise<Visit> {
    await this.until(() => this.workshop.visits.get(job)?.place === place, `${place} of a job`);
    return this.visit(job);
  }

  async until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + PATIENCE_MILLISECONDS;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`never seen: ${what}`);
      // An acceptance during a claim is found by polling, which fake timers exclude.
      this.queue.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  status(job: string, wanted: string): Promise<void> {
    return this.until(async () => (await findJob(database, job))?.status === wanted, `status ${wanted} of a job`);
  }
}

interface ModelJob {
  state: "queued" | Place | "done" | "error";
  crashes: number;
  visits: number;
}

/** What the worker should be doing; the jobs in the order of their acceptance. */
type Model = Map<string, ModelJob>;

const inState = (model: Readonly<Model>, ...states: ModelJob["state"][]) =>
  [...model].filter(([, { state }]) => states.includes(state)).map(([id]) => id);

function enter(job: ModelJob, state: Place): void {
  job.state = state;
  job.visits++;
}

/** Free slots take the oldest jobs. */
function fillSlots(model: Model): void {
  const free = SLOTS - inState(model, "decode").length;
  for (const id of inState(model, "queued").slice(0, free)) enter(model.get(id) as ModelJob, "decode");
}

/** The jobs, and the endings that the worker reported. */
function summary(model: Readonly<Model>): string {
  const endings = inState(model, "done", "error").map((id) => `${id} ended as ${model.get(id)?.state}`);
  return [...[...model].map(([id, { state, visits }]) => `${id} ${state} ${visits}`), ...endings].toSorted().join("\n");
}

async function observed(world: World): Promise<string> {
  const { visits, counts } = world.workshop;
  const jobs = (await world.jobs()).map(({ id, status }) => {
    const state = status === "processing" ? visits.get(id)?.place : status;
    return `${id} ${state} ${counts.get(id) ?? 0}`;
  });
  const endings = world.ended.map(({ id, ending }) => `${id} ended as ${ending.status}`);
  return [...jobs, ...endings].toSorted().join("\n");
}

abstract class Command extends ModelCommand<Model, World> {
  protected async verify(model: Model, world: World): Promise<void> {
    fillSlots(model);
    const wanted = summary(model);
    let last = "";
    await world
      .until(async () => {
        last = await observed(world);
        return last === wanted;
      }, "the state of the model")
      .catch(() => expect(last).toBe(wanted));
    expect(world.workshop.mostDecoding).toBeLessThanOrEqual(SLOTS);
    for (const { job, place, isSuspect } of world.workshop.visits.values())
      if (place === "decode") expect(isSuspect).toBe((model.get(job)?.crashes ?? 0) > 0);
    for (const { status, worker, strikes } of await world.jobs()) {
      expect(worker).toBe(status === "processing" ? NAME : null);
      expect(strikes).toBe(0);
    }
  }
}

class Accept extends Command {
  protected async act(model: Model, world: World): Promise<void> {
    model.set(await world.accept(), { state: "queued", crashes: 0, visits: 0 });
  }
  toString = () => "accept";
}

/** @param choice  which of the jobs that are running */
abstract class OfRunning extends Command {
  constructor(protected readonly choice: number) {
    super();
  }
  override check = (model: Readonly<Model>) => inState(model, "decode", "assemble").length > 0;
  protected chosen(model: Model): [string, ModelJob] {
    const running = inState(model, "decode", "assemble");
    const id = running[this.choice % running.length] as string;
    return [id, model.get(id) as ModelJob];
  }
}

class Finish extends OfRunning {
  protected async act(model: Model, world: World): Promise<void> {
    const [id, job] = this.chosen(model);
    world.visit(id).finish();
    if (job.state === "decode") enter(job, "assemble");
    else job.state = "done";
  }
  toString = () => `finish ${this.choice}`;
}

class Fail extends OfRunning {
  protected async act(model: Model, world: World): Promise<void> {
    const [id, job] = this.chosen(model);
    world.visit(id).fail(errors.unknownFile());
    job.state = "error";
  }
  toString = () => `fail ${this.choice}`;
}

/** The first two crashes of a job repeat its stage. */
class Crash extends OfRunning {
  protected async act(model: Model, world: World): Promise<void> {
    const [id, job] = this.chosen(model);
    world.visit(id).fail(errors.processDied("decoder", "signal 11"));
    if (++job.crashes === 3) job.state = "error";
    else job.visits++;
  }
  toString = () => `crash ${this.choice}`;
}

class Delete extends OfRunning {
  protected async act(model: Model, world: World): Promise<void> {
    const [id] = this.chosen(model);
    await database.deleteFrom("jobs").where("id", "=", id).execute();
    await world.worker.cancel(id);
    expect(world.workshop.visits.has(id)).toBe(false);
    model.delete(id);
  }
  toString = () => `delete ${this.choice}`;
}

/** The process stops and starts again; jobs that were running are queued in between. */
class Restart extends Command {
  protected async act(model: Model, world: World): Promise<void> {
    await world.worker.stop();
    expect(world.workshop.visits.size).toBe(0);
    for (const id of inState(model, "decode", "assemble")) (model.get(id) as ModelJob).state = "queued";
    const rows = (await world.jobs()).map(({ id, status }) => `${id} ${status}`);
    expect(rows.toSorted()).toEqual([...model].map(([id, { state }]) => `${id} ${state}`).toSorted());
    world.start();
  }
  toString = () => "restart";
}

const choice = fc.nat({ max: 5 });
const commands = fc.commands(
  [
    fc.constant(new Accept()),
    fc.constant(new Accept()),
    fc.constant(new Accept()),
    choice.map((at) => new Finish(at)),
    choice.map((at) => new Finish(at)),
    choice.map((at) => new Finish(at)),
    choice.map((at) => new Fail(at)),
    choice.map((at) => new Crash(at)),
    choice.map((at) => new Crash(at)),
    choice.map((at) => new Delete(at)),
    fc.constant(new Restart()),
  ],
  { maxCommands: MOST_COMMANDS, size: "max" },
);

test("jobs under random commands run within the slots, are retried, requeued and ended once", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const world = await World.open();
    await fc.asyncModelRun(() => ({ model: new Map() as Model, real: world }), list);
    await world.worker.stop();
    await database.deleteFrom("jobs").execute();
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20_261_126, endOnFailure: false });
});

test("a job to be fetched is claimed while every slot for computing is taken", async () => {
  const world = await World.open();
  for (let count = 0; count < SLOTS; count++) await world.at("decode", await world.accept());
  const waiting = await world.accept();
  const fetched = await world.accept({ audioUrl: "http://me:secret@127.0.0.1/a.wav" });
  await world.status(fetched, "error");
  expect((await findJob(database, fetched))?.audio_url).toBe("http://127.0.0.1/a.wav");
  expect(await findJob(database, waiting)).toMatchObject({ status: "queued", worker: null });
});

test("an account whose assemblies are at the limit gets no further slot until one has ended", async () => {
  const world = await World.open(MOST_ASSEMBLIES + SLOTS);
  const jobs = await Promise.all(Array.from({ length: MOST_ASSEMBLIES }, () => world.accept()));
  for (const job of jobs) (await world.at("decode", job)).finish();
  for (const job of jobs) await world.at("assemble", job);
  const next = await world.accept();
  const account = uuid();
  await database.insertInto("accounts").values(accountRow(account)).execute();
  await world.at("decode", await world.accept({ account }));
  expect((await findJob(database, next))?.status).toBe("queued");
  world.visit(jobs[0] as string).finish();
  await world.at("decode", next);
});

test.each([
  ["without a stored recording are as many at once as fetches", "http://127.0.0.1/none.wav", 1],
  ["with a recording do not take slots of jobs that compute", undefined, 3],
])("add-ons %s", async (_what, audioUrl, most) => {
  let [running, seen] = [0, 0];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = async () => {
    seen = Math.max(seen, ++running);
    await finished;
    running--;
    return { failures: [] };
  };
  const add = { name: "add" as const, cost: () => ({ kind: "add", secondsPerAudioSecond: 0, seconds: 1 }), run };
  const world = await World.open(SLOTS, { ...PIPELINE, stagesOf: () => [add] });
  const accept = () => world.accept(audioUrl === undefined ? {} : { audioUrl });
  const jobs = [await accept(), await accept(), await accept()];
  await world.until(() => running === most, "the add-ons");
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toBe(most);
  finish();
  for (const job of jobs) await world.status(job, "done");
  expect(seen).toBe(most);
});

test("a worker that lost a job to another one aborts it and leaves the row alone", async () => {
  const world = await World.open();
  const [lost, kept] = [await world.accept(), await world.accept()];
  await world.at("decode", lost);
  await world.at("decode", kept);
  await database.updateTable("jobs").set({ worker: "b#1" }).where("id", "=", lost).execute();
  vi.advanceTimersByTime(4_000);
  await world.until(() => !world.workshop.visits.has(lost), "the abort of the lost job");
  await world.worker.stop();
  expect(await findJob(database, lost)).toMatchObject({ status: "processing", worker: "b#1", strikes: 0 });
  expect(await findJob(database, kept)).toMatchObject({ status: "queued", worker: null, strikes: 0 });
  expect(world.ended).toEqual([]);
});

test("a worker that lost a job to another one does not end it, and leaves its files", async () => {
  const world = await World.open();
  const job = await world.accept();
  (await world.at("decode", job)).finish();
  const assembly = await world.at("assemble", job);
  await database.updateTable("jobs").set({ worker: "b#1" }).where("id", "=", job).execute();
  assembly.finish();
  await world.until(() => !world.workshop.visits.has(job), "the end of the assembly");
  await world.worker.stop();
  expect(await findJob(database, job)).toMatchObject({ status: "processing", worker: "b#1" });
  expect(await objects.size(WorkFiles.ofAttempt(job, 1).segments)).toBeGreaterThan(0);
  expect(world.ended).toEqual([]);
});

/** The process stalls for longer than its leases. */
const expireLeases = () => sql`update jobs set lease_until = now() - interval '1 second'`.execute(database);

/** Recovery as the process of this worker runs it. */
const recoverBy = (name: string, running: readonly string[]) =>
  recoverJobs(
    { database, objects, logger: pino({ level: "silent" }) },
    { isOnlyProcess: false, self: { machine: name.split("#")[0] ?? "", generation: 1 }, running },
  );

/** A second process on the same database and store. */
function otherWorker(workshop: Workshop): { worker: JobWorker; ended: EndedJob[]; queue: JobQueue } {
  const queue = new JobQueue(database, { fetch: 0, process: 0 }, new ModelStore(path.join(folder, "models")));
  const ended: EndedJob[] = [];
  const concurrency = { fetch: 1, process: SLOTS };
  const worker = new JobWorker(queue, servicesOf(workshop), {
    ...{ name: "b#1", concurrency, pipeline: PIPELINE },
    onEnded: (job) => ended.push(job),
  });
  workers.push(worker);
  worker.start();
  return { worker, ended, queue };
}

test("a worker that stalled keeps its jobs: its own process does not recover them, and renews their leases", async () => {
  const world = await World.open();
  const job = await world.accept();
  const work = await world.at("decode", job);
  await expireLeases();
  expect(world.worker.runningJobs).toEqual([job]);
  expect(await recoverBy(NAME, world.worker.runningJobs)).toBe(0);
  vi.advanceTimersByTime(4_000);
  const isRenewed = async () => ((await findJob(database, job))?.lease_until?.getTime() ?? 0) > Date.now();
  await world.until(isRenewed, "the renewal");
  expect(await recoverBy("b#1", [])).toBe(0);
  work.finish();
  (await world.at("assemble", job)).finish();
  await world.status(job, "done");
  expect(world.workshop.counts.get(job)).toBe(2);
});

test("of two attempts the later one ends a job, with the kept outputs of the earlier one, whose writes change nothing", async () => {
  const world = await World.open();
  const job = await world.accept();
  const decoding = await world.at("decode", job);
  vi.advanceTimersByTime(1_000);
  decoding.finish();
  const stalled = await world.at("assemble", job);
  await world.until(async () => (await findJob(database, job))?.stage !== null, "the kept stage");
  await expireLeases();
  const workshop = new Workshop();
  expect(await recoverBy("b#1", [])).toBe(1);
  // The other one claims it: this one waits for a wake-up.
  const other = otherWorker(workshop);
  while (!workshop.visits.has(job)) {
    other.queue.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const row = await findJob(database, job);
  expect(row).toMatchObject({ status: "processing", worker: "b#1", attempt: 2 });
  stalled.finish();
  await world.until(() => world.worker.runningJobs.length === 0, "the end of the stalled attempt");
  expect(await findJob(database, job)).toEqual(row);
  expect(await objects.size(`results/${job}.json`)).toBeUndefined();
  workshop.visits.get(job)?.finish();
  await world.until(() => other.ended.length === 1, "the report of the end");
  expect(world.ended).toEqual([]);
  // Decoded once: the second attempt read the samples of the first one.
  expect([...world.workshop.counts.values(), ...workshop.counts.values()].reduce((sum, count) => sum + count)).toBe(3);
  expect(await findJob(database, job)).toMatchObject({ status: "done", result_key: `results/${job}.2.json` });
  await world.until(async () => !(await objects.foldersIn("jobs")).includes(job), "the removal of the working files");
});

test("a worker that claims its own job again ends the earlier attempt first, and each attempt has a folder", async () => {
  const world = await World.open();
  const job = await world.accept();
  const work = await world.at("decode", job);
  let end: () => void = () => undefined;
  world.workshop.visits.set(job, { ...work, fail: (error) => (end = () => work.fail(error)) });
  await expireLeases();
  // Another process recovers it, and this one takes it back before it notices.
  expect(await recoverBy("b#1", [])).toBe(1);
  await world.until(async () => (await findJob(database, job))?.attempt === 2, "the second claim");
  expect(world.workshop.counts.get(job)).toBe(1);
  expect(await objects.foldersIn(`jobs/${job}`)).toEqual(["1"]);
  end();
  await world.until(() => world.workshop.counts.get(job) === 2, "the second attempt");
  expect(await objects.foldersIn(`jobs/${job}`)).toEqual(["2"]);
  world.visit(job).finish();
  (await world.at("assemble", job)).finish();
  await world.until(() => world.ended.length > 0, "the report of the end");
  await world.worker.stop();
  expect(world.ended).toHaveLength(1);
  expect(await findJob(database, job)).toMatchObject({ status: "done", attempt: 2 });
});

test("a recording that crashes its process three times fails; the second attempt runs apart from other jobs", async () => {
  const world = await World.open();
  const job = await world.accept();
  for (const [at, isSuspect] of [false, true, true].entries()) {
    await world.until(() => world.workshop.counts.get(job) === at + 1, "the attempt");
    expect(world.visit(job).isSuspect).toBe(isSuspect);
    world.visit(job).fail(errors.processDied("decoder", "signal 11"));
  }
  await world.status(job, "error");
  expect(await findJob(database, job)).toMatchObject({ error_code: 500, crashes: 3 });
  expect(world.workshop.counts.get(job)).toBe(3);
});

test("the cancellation of a job resolves when its work has ended", async () => {
  const world = await World.open();
  const job = await world.accept();
  const work = await world.at("decode", job);
  let end: () => void = () => undefined;
  world.workshop.visits.set(job, { ...work, fail: (error) => (end = () => work.fail(error)) });
  let isCancelled = false;
  const cancelled = world.worker.cancel(job).then(() => (isCancelled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isCancelled).toBe(false);
  end();
  await cancelled;
});

test("while the store is unavailable, a job is queued without a strike", async () => {
  const world = await World.open(1);
  const job = await world.accept();
  (await world.at("decode", job)).fail(errors.storageUnavailable(new Error("ECONNREFUSED")));
  await world.status(job, "queued");
  expect(await findJob(database, job)).toMatchObject({ worker: null, strikes: 0, crashes: 0 });
  expect(world.ended).toEqual([]);
});

test("a worker that drains claims no further jobs, and ends those that run", async () => {
  const world = await World.open();
  const running = await world.accept();
  const decoding = await world.at("decode", running);
  world.worker.drain();
  const queued = await world.accept();
  const fetched = await world.accept({ audioUrl: "http://127.0.0.1:9/a.wav" });
  decoding.finish();
  (await world.at("assemble", running)).finish();
  await world.status(running, "done");
  for (const id of [queued, fetched])
    expect(await findJob(database, id)).toMatchObject({ status: "queued", attempt: 0 });
});

test("an outage of the store repeats no stage: outputs and the result wait until they can be stored", async () => {
  const away = errors.storageUnavailable(new Error("ECONNREFUSED"));
  const world = await World.open();
  const job = await world.accept();
  const decoding = await world.at("decode", job);
  const folders = vi.spyOn(objects, "keepFolder").mockRejectedValueOnce(away).mockRejectedValueOnce(away);
  const puts = vi.spyOn(objects, "put").mockRejectedValueOnce(away);
  const keeps = vi.spyOn(objects, "keep").mockRejectedValueOnce(away);
  try {
    // Stages of a second are kept.
    vi.advanceTimersByTime(1_000);
    decoding.finish();
    (await world.at("assemble", job)).finish();
    await world.until(() => world.ended.length > 0, "the end of the job");
  } finally {
    for (const spy of [folders, puts, keeps]) spy.mockRestore();
  }
  expect(await findJob(database, job)).toMatchObject({ status: "done", attempt: 1 });
  expect(world.workshop.counts.get(job)).toBe(2);
});

test("a job that stops after a kept stage continues with the next one", async () => {
  const world = await World.open();
  const job = await world.accept();
  const decoding = await world.at("decode", job);
  // Stages of a second are kept.
  vi.advanceTimersByTime(1_000);
  decoding.finish();
  await world.at("assemble", job);
  await world.worker.stop();
  world.start();
  (await world.at("assemble", job)).finish();
  await world.until(() => world.ended.length > 0, "the end of the job");
  expect(await findJob(database, job)).toMatchObject({ status: "done" });
  expect(world.workshop.counts.get(job)).toBe(3);
  expect(world.ended).toMatchObject([{ id: job, audioSeconds: 1, running: 1, hasCallback: false }]);
});
