// A process that accepts and runs recorded jobs and sends callbacks in a simulation: the queue, the worker, the recovery and the sender of the
// service, connected to the servers of the simulation.
import { pino } from "pino";
import { startRecovery } from "../../src/compose/recovery.ts";
import { FetchAddress } from "../../src/platform/addresses/fetch-address.ts";
import { errors } from "../../src/platform/errors.ts";
import type { safeSend } from "../../src/platform/net/safe-send.ts";
import { NO_TRACING } from "../../src/platform/observability/tracing.ts";
import type { Database } from "../../src/platform/storage/db/database.ts";
import { databaseTime, followClock } from "../../src/platform/storage/db/database-time.ts";
import { insertDeliveries } from "../../src/platform/storage/db/deliveries/deliveries.ts";
import { Duties } from "../../src/platform/storage/db/duties.ts";
import { saveFile } from "../../src/platform/storage/db/files/files.ts";
import { workerName } from "../../src/platform/storage/db/jobs/leases.ts";
import { beginGeneration } from "../../src/platform/storage/db/machines.ts";
import { inTransaction } from "../../src/platform/storage/db/transaction.ts";
import { audioKey } from "../../src/platform/storage/objects/keys.ts";
import { SecretSealer } from "../../src/service/callbacks/secret-sealer.ts";
import { CallbackSender } from "../../src/service/callbacks/sender.ts";
import { acceptRecorded } from "../../src/service/jobs/accept.ts";
import { JobQueue } from "../../src/service/jobs/queue.ts";
import { StageTimes } from "../../src/service/jobs/stage-times.ts";
import type { Pipeline, StageServices } from "../../src/service/jobs/stages/stage.ts";
import { JobWorker } from "../../src/service/jobs/worker.ts";
import type { SimulatedProcess } from "./machines.ts";
import type { MemoryRows } from "./memory-rows.ts";
import type { Network } from "./network.ts";
import { Place } from "./virtual-time.ts";
import type { PlannedJob } from "./work-schedule.ts";
import { recordingOf, type TextStore } from "./work-stages.ts";

export const ACCOUNT = "00000000-0000-4000-8000-000000000000";
const RECEIVER = "http://receiver.example/callbacks";
const MODEL = "m";
const OBJECT_MILLISECONDS = 20_000;
const RESTART_MILLISECONDS = 3_000;
/** As the periodic statement of Signals. */
const PULSE_MILLISECONDS = 10_000;
const START_MILLISECONDS = 20_000;
const SEND_SECONDS = 10;
const SILENT = pino({ level: "silent" });

type Send = typeof safeSend;

/** What all processes of a simulation share. */
export interface Servers {
  network: Network;
  rows: MemoryRows;
  objects: Map<string, string>;
  pipeline: Pipeline;
  /** Recordings that an account may have running; 0: no limit. */
  concurrentJobs: number;
  receive(place: Place, ...given: Parameters<Send>): ReturnType<Send>;
}

function objectsOf(place: Place, { network, objects }: Servers): TextStore {
  const late = () => errors.storageUnavailable(new Error("no answer"));
  const ask = <Answer>(work: () => Answer): Promise<Answer> =>
    network.isCut(place, "objects")
      ? Promise.reject(late())
      : network.request<Answer>(place, "objects", (answer) => answer({ value: work() }), OBJECT_MILLISECONDS, late);
  const keysIn = (prefix: string) => [...objects.keys()].filter((key) => key.startsWith(`${prefix}/`));
  return {
    put: (key: string, content: string) => ask(() => void objects.set(key, content)),
    size: (key: string) => ask(() => objects.get(key)?.length),
    text: async (key: string) => {
      const text = await ask(() => objects.get(key));
      if (text === undefined) throw new Error(`no object ${key}`);
      return text;
    },
    remove: (key: string) => ask(() => void objects.delete(key)),
    removeFolder: (prefix: string) =>
      ask(() => {
        for (const key of keysIn(prefix)) objects.delete(key);
      }),
    foldersIn: (prefix: string) =>
      ask(() => {
        const names = keysIn(prefix).map((key) => key.slice(prefix.length + 1).split("/"));
        return [...new Set(names.filter(({ length }) => length > 1).map(([name = ""]) => name))];
      }),
    keepFolder: () => ask(() => undefined),
    takeOver: () => ask(() => undefined),
  } as unknown as TextStore;
}

/** Notifications of the database. */
class SimulatedSignals {
  private readonly handlers: { topic: string; handler: () => void }[] = [];

  constructor(place: Place, { rows, network }: Servers) {
    rows.listen(place, (topic) => this.notify(topic));
    setInterval(() => {
      if (network.isCut(place, "database")) return;
      for (const { lane, waiting } of rows.rows("account_lanes")) if (waiting !== 0) this.notify(String(lane));
      if (rows.rows("delivery_lanes").some(({ due_at: due }) => due !== null)) this.notify("callbacks");
    }, PULSE_MILLISECONDS);
  }

  on(topic: string, handler: () => void): void {
    this.handlers.push({ topic, handler });
  }

  private notify(topic: string): void {
    for (const one of this.handlers) if (one.topic === topic) one.handler();
  }
}

export class WorkProcess implements SimulatedProcess {
  readonly place: Place;
  /** Name in the rows of its jobs. */
  name: string | undefined;
  isReady = false;
  isStopping = false;
  private readonly database: Database;
  private readonly objects: TextStore;
  private readonly undo: (() => unknown)[] = [];
  private queue: JobQueue | undefined;
  private worker: JobWorker | undefined;
  private sender: CallbackSender | undefined;

  constructor(
    private readonly machine: string,
    private readonly servers: Servers,
  ) {
    this.place = new Place(machine);
    this.database = servers.rows.connect(this.place);
    this.objects = objectsOf(this.place, servers);
    servers.network.time.after(this.place, 0, () => void this.start());
  }

  get runningJobs(): readonly string[] {
    return this.worker?.runningJobs ?? [];
  }

  private async start(): Promise<void> {
    const { database, machine, objects, undo } = this;
    try {
      undo.push(await followClock(database, false));
      const generation = await beginGeneration(database, machine, 0);
      const self = { machine, generation };
      this.name = workerName(self);
      const duties = new Duties(database, this.name, false);
      undo.push(() => duties.release());
      const signals = new SimulatedSignals(this.place, this.servers);
      const sender = this.makeSender(duties, signals);
      const limits = { fetch: 0, process: this.servers.concurrentJobs };
      const queue = new JobQueue(database, limits, { list: async () => [{ id: MODEL }] } as never, { signals });
      const worker = new JobWorker(queue, this.stageServices(), {
        ...{ name: this.name, concurrency: { fetch: 2, process: 2 }, pipeline: this.servers.pipeline },
        onEnded: ({ hasCallback }) => {
          if (hasCallback) sender.wake();
        },
      });
      Object.assign(this, { queue, worker, sender });
      await sender.start();
      undo.push(() => sender.stop());
      const recovery = { isOnlyProcess: false, self, worker, startMilliseconds: START_MILLISECONDS };
      undo.push(() => worker.stop());
      undo.push(await startRecovery({ database, objects, logger: SILENT, duties }, recovery));
      worker.start();
      this.isReady = true;
    } catch {
      // As a process that could not start and is started again.
      await this.end();
      if (!this.isStopping) setTimeout(() => void this.start(), RESTART_MILLISECONDS);
    }
  }

  private makeSender(duties: Duties, signals: SimulatedSignals): CallbackSender {
    const { database, objects, place, servers } = this;
    return new CallbackSender({
      ...{ database, duties, signals, secrets: new SecretSealer(""), tracing: NO_TRACING, logger: SILENT },
      resultOf: async (jobId) => {
        const job = await database.selectFrom("jobs").select("result_key").where("id", "=", jobId).executeTakeFirst();
        return JSON.stringify(await objects.text(job?.result_key ?? ""));
      },
      send: (...given) => servers.receive(place, ...given),
      ...{ timeoutSeconds: SEND_SECONDS, firstRetrySeconds: 2, spanSeconds: 3_600 },
      ...{ allowPrivateAddresses: true, isOnlyProcess: false },
    });
  }

  private stageServices(): StageServices {
    return {
      ...{ database: this.database, objects: this.objects, tracing: NO_TRACING, logger: SILENT },
      space: { room: async () => undefined, hasPlenty: async () => true },
      resultProcesses: { prepare: () => undefined },
      stageTimes: new StageTimes(),
      limits: {},
    } as unknown as StageServices;
  }

  kill(): void {
    this.isReady = false;
  }

  stop(isOver: () => void): void {
    this.isReady = false;
    this.isStopping = true;
    this.servers.network.time.after(this.place, 0, () => void this.end().finally(isOver));
  }

  private async end(): Promise<void> {
    for (const step of this.undo.splice(0).reverse()) await Promise.resolve(step()).catch(() => undefined);
  }

  /** Accepts a job. Runs as part of this process. */
  async accept(id: string, { isFetched, hasCallback }: PlannedJob): Promise<void> {
    const { database, queue, objects } = this;
    if (!queue || !this.isReady) throw errors.notReady("the process starts");
    const createdAt = databaseTime(database);
    if (!isFetched) await objects.put(audioKey(id), recordingOf(id));
    await acceptRecorded(
      {
        ...{ id, accountId: ACCOUNT, kind: "pre-recorded", model: MODEL, createdAt },
        params: hasCallback ? { callback_url: RECEIVER } : {},
        ...(isFetched ? { audioUrl: FetchAddress.of(`http://recordings.example/${id}`) } : { fileId: id }),
      },
      true,
      { database, queue, settings: { maximumQueuedJobs: 100 }, waitingForModels: { wake: () => undefined } },
      async (transaction) => {
        if (isFetched) return;
        await saveFile(transaction, {
          ...{ id, account_id: ACCOUNT, filename: "a.wav", source: null, extension: "wav", size: 1 },
          ...{ object_key: audioKey(id), created_at: createdAt },
        });
      },
    );
  }

  /** Stores an event of a live session for its callbacks, as an owner of the session does. */
  async report(jobId: string, sequence: number): Promise<void> {
    const { database, sender } = this;
    if (!sender || !this.isReady) throw errors.notReady("the process starts");
    const now = databaseTime(database);
    const event = { id: `${jobId} ${sequence} ${this.place.name}`, sequence, event: "live.x", payload: `${sequence}` };
    const target = { jobId, url: RECEIVER, method: "POST" };
    await inTransaction(database, (transaction) => insertDeliveries(transaction, target, [event], now));
    sender.wake();
  }
}
