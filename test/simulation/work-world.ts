// Runs a schedule against processes with recorded jobs and callbacks, and checks what clients were promised: no job that was acknowledged is
// lost, each ends once, one attempt at a time writes, and each callback arrives, in order.
import { hashOf } from "../../src/platform/storage/content-hash.ts";
import { JOB_TRANSITIONS } from "../../src/platform/storage/db/jobs/job-states.ts";
import type { JobStatus } from "../../src/platform/storage/db/schema.ts";
import { attemptResultKey } from "../../src/platform/storage/objects/keys.ts";
import { randomOf } from "../fixtures/random.ts";
import { lengthOf, type Step } from "./faults.ts";
import { Machines, type ProcessStep } from "./machines.ts";
import { MemoryRows, type Row } from "./memory-rows.ts";
import { Network } from "./network.ts";
import { Place, VirtualTime } from "./virtual-time.ts";
import { ACCOUNT, type Servers, WorkProcess } from "./work-process.ts";
import { Receiver } from "./work-receiver.ts";
import type { PlannedEvents, PlannedJob, Schedule } from "./work-schedule.ts";
import { attemptOfProgress, pipelineOf, resultOf } from "./work-stages.ts";

/** After the last fault, everything ends within this time. */
const SETTLE_MILLISECONDS = 900_000;
const AFTERWARDS_MILLISECONDS = 30_000;
const ANSWER_MILLISECONDS = 12_000;
const RETRY_MILLISECONDS = 1_000;
/** Interruptions without progress after which a job may fail. */
const MOST_STRIKES = 5;
const ENDED = new Set<unknown>(["done", "error"]);

const jobId = (which: number, tries: number) =>
  `00000000-0000-7000-80${String(tries).padStart(2, "0")}-${String(which).padStart(12, "0")}`;

export class WorkWorld {
  readonly violations: string[] = [];
  private readonly time: VirtualTime;
  private readonly network: Network;
  private readonly rows: MemoryRows;
  private readonly objects = new Map<string, string>();
  private readonly receiver: Receiver;
  private readonly machines: Machines<WorkProcess>;
  private readonly client = new Place("client");
  private readonly plans = new Map<string, PlannedJob>();
  private readonly crashes = new Map<string, number>();
  /** Jobs that clients have an answer for. */
  private readonly acknowledged = new Set<string>();
  private readonly ends = new Map<string, number>();
  /** Since it was last checked whether all has ended. */
  private hasChanged = true;
  /** What clients have not sent yet. */
  private pending = 0;

  constructor(private readonly schedule: Schedule) {
    const random = randomOf(schedule.seed ^ 0x2545f491);
    this.time = new VirtualTime(random);
    this.network = new Network(this.time, random);
    this.rows = new MemoryRows(this.network, (...given) => this.check(...given));
    this.receiver = new Receiver(this.network, this.rows, schedule.receiver, (text) => this.violate(text));
    const servers: Servers = {
      ...{ network: this.network, rows: this.rows, objects: this.objects, concurrentJobs: schedule.concurrentJobs },
      pipeline: pipelineOf(
        (id) => this.plans.get(id) as PlannedJob,
        (id) => this.crash(id),
      ),
      receive: (...given) => this.receiver.receive(...given),
    };
    const make = (machine: string) => new WorkProcess(machine, servers);
    this.machines = new Machines(this.network, this.rows, schedule.processes, make);
  }

  get events(): number {
    return this.time.events;
  }

  /** @returns what was violated */
  async run(): Promise<string[]> {
    const { time, schedule } = this;
    time.install();
    const onRejection = (error: unknown) => this.violate(`a promise was rejected without a handler: ${error}`);
    process.on("unhandledRejection", onRejection);
    try {
      const created_at = time.serverTime;
      this.rows.add("accounts", { id: ACCOUNT, name: "a", created_at, callback_secret: "whsec_c2VjcmV0" });
      for (const [which, plan] of schedule.jobs.entries()) this.plan(plan.at, () => this.sendJob(which, plan, 0));
      for (const [which, plan] of schedule.events.entries()) this.planEvents(which, plan, created_at);
      for (const step of schedule.steps)
        time.at(this.network.servers, step.at, () => this.machines.arm(step as ProcessStep));
      const ends = schedule.steps.map((step: Step) => step.at + lengthOf(step));
      const last = Math.max(schedule.receiver.downUntil, ...ends);
      const isOver = () => this.violations.length > 0 || this.isSettled();
      await time.run(last + SETTLE_MILLISECONDS, isOver);
      // Processes that were stopped meanwhile continue, and may accept what clients have sent again since.
      const paused = Math.max(0, ...this.machines.all.map(({ place }) => place.pausedUntil));
      if (paused > time.now) await time.run(paused + AFTERWARDS_MILLISECONDS);
      this.hasChanged = true;
      await time.run(last + SETTLE_MILLISECONDS, isOver);
      this.checkEnd();
    } finally {
      time.uninstall();
      process.off("unhandledRejection", onRejection);
    }
    return this.violations;
  }

  private plan(at: number, run: () => void): void {
    this.pending++;
    this.time.at(this.client, at, run);
  }

  private crash(id: string): boolean {
    const crashes = (this.crashes.get(id) ?? 0) + 1;
    this.crashes.set(id, crashes);
    return crashes <= (this.plans.get(id)?.crashes ?? 0);
  }

  /** Sends a request to a process, and again to another one until it is answered. */
  private send(work: (process: WorkProcess) => Promise<void>, onAnswer: () => void, onFailed: () => void): void {
    const chosen = this.machines.any();
    const { time, network } = this;
    let isOver = false;
    const end = (run: () => void) => {
      if (isOver) return;
      isOver = true;
      run();
    };
    time.after(this.client, ANSWER_MILLISECONDS, () => end(onFailed));
    time.after(chosen.place, network.delay(chosen.place, "receivers"), () => {
      const answer = (run: () => void) =>
        time.after(this.client, network.delay(chosen.place, "receivers"), () => end(run));
      const refused = () => answer(() => time.after(this.client, RETRY_MILLISECONDS, onFailed));
      work(chosen).then(() => answer(onAnswer), refused);
    });
  }

  private sendJob(which: number, plan: PlannedJob, tries: number): void {
    const id = jobId(which, tries);
    this.plans.set(id, plan);
    const accepted = () => {
      this.acknowledged.add(id);
      this.pending--;
    };
    this.send(
      (chosen) => chosen.accept(id, plan),
      accepted,
      () => this.sendJob(which, plan, tries + 1),
    );
  }

  private planEvents(which: number, { at, count, pauseMilliseconds }: PlannedEvents, created_at: Date): void {
    const id = jobId(which, 99);
    this.rows.add("jobs", {
      ...{ id, account_id: ACCOUNT, kind: "live", status: "processing", model: "m", created_at, request_params: {} },
      ...{ post_session_metadata: {}, stage_outputs: {} },
    });
    const report = (sequence: number): void => {
      const stored = () => {
        this.receiver.expect(id, sequence);
        if (sequence + 1 === count) this.pending--;
        else this.time.after(this.client, pauseMilliseconds, () => report(sequence + 1));
      };
      this.send(
        (chosen) => chosen.report(id, sequence),
        stored,
        () => report(sequence),
      );
    };
    this.plan(at, () => report(0));
  }

  private isSettled(): boolean {
    if (this.pending > 0 || !this.hasChanged) return false;
    this.hasChanged = false;
    const isUnfinished = ({ status, kind }: Row) => kind !== "live" && !ENDED.has(status);
    return (
      !this.rows.rows("jobs").some(isUnfinished) &&
      !this.rows.rows("deliveries").some(({ status }) => status === "pending")
    );
  }

  private violate(text: string): void {
    this.violations.push(`at ${(this.time.now / 1_000).toFixed(3)} s: ${text}`);
  }

  private check(table: string, before: Row | undefined, after: Row | undefined, place: Place): void {
    this.hasChanged ||= table === "jobs" || table === "deliveries";
    if (table === "jobs" && before && after && after["kind"] !== "live") this.checkJob(before, after, place);
    if (table === "deliveries" && before && after) this.receiver.checkDelivery(before, after);
    if (table === "delivery_lanes" && before && after) this.receiver.checkLane(before, after, place);
  }

  private checkJob(before: Row, after: Row, place: Place): void {
    const id = String(after["id"]);
    const [was, becomes] = [before["status"] as JobStatus, after["status"] as JobStatus];
    if (was !== becomes && !Object.values(JOB_TRANSITIONS[was]).includes(becomes))
      this.violate(`${id} changed from ${was} to ${becomes}`);
    if (ENDED.has(becomes) && was !== becomes) {
      const times = (this.ends.get(id) ?? 0) + 1;
      this.ends.set(id, times);
      if (times > 1) this.violate(`${id} ended ${times} times`);
    }
    if (was === "queued" && becomes === "processing") this.checkClaim(before, after);
    if (was === "processing") this.checkWrite(before, after, place);
  }

  private checkClaim(before: Row, after: Row): void {
    if (after["attempt"] !== (before["attempt"] as number) + 1)
      this.violate(`attempt ${after["attempt"]} of ${after["id"]} follows attempt ${before["attempt"]}`);
    const { concurrentJobs } = this.schedule;
    const isRunning = ({ status, file_id, kind }: Row) =>
      status === "processing" && file_id !== null && kind !== "live";
    const running = this.rows.rows("jobs").filter(isRunning).length;
    if (concurrentJobs > 0 && running > concurrentJobs)
      this.violate(`${running} jobs run; the limit is ${concurrentJobs}`);
  }

  /** Of a job that an attempt holds, only that attempt writes results, and others recover it when they may. */
  private checkWrite(before: Row, after: Row, place: Place): void {
    const { id, worker, attempt } = before;
    const holder = this.machines.all.find(({ name }) => name === worker);
    const writes = ["stage", "progress", "stage_outputs", "file_id", "result_key"].filter(
      (column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]),
    );
    const isFailed = after["status"] === "error";
    if (writes.length > 0 && !isFailed && holder?.place !== place)
      this.violate(`${place.name} wrote ${writes.join()} of ${id}, which ${worker} holds`);
    const written = attemptOfProgress(Number(after["progress"]));
    if (writes.includes("progress") && written !== 0 && written !== attempt)
      this.violate(`attempt ${written} wrote the progress of attempt ${attempt} of ${id}`);
    if (writes.includes("result_key") && after["result_key"] !== attemptResultKey(String(id), attempt as number))
      this.violate(`${after["result_key"]} is the result of attempt ${attempt} of ${id}`);
    const isRecovered = (after["strikes"] as number) > (before["strikes"] as number);
    if (!isRecovered) return;
    const isExpired = (before["lease_until"] as Date | null)?.getTime() ?? 0;
    if (holder && isExpired > this.time.serverTime.getTime())
      this.violate(`${id} was recovered before its lease expired`);
    if (holder?.place === place && holder.runningJobs.includes(String(id)))
      this.violate(`${place.name} recovered ${id}, which it runs`);
  }

  private checkEnd(): void {
    for (const id of this.acknowledged)
      if (!this.rows.find("jobs", id)) this.violate(`the acknowledged job ${id} is lost`);
    if (this.pending > 0) this.violate(`${this.pending} requests of clients were not answered`);
    for (const job of this.rows.rows("jobs")) {
      if (job["kind"] === "live") continue;
      const id = String(job["id"]);
      this.checkResult(id, job);
      if (this.plans.get(id)?.hasCallback) this.receiver.checkEnding(id, job);
    }
    this.receiver.checkEvents();
  }

  private checkResult(id: string, { status, error_message: message, result_key: key, result_hash: hash }: Row): void {
    if (!ENDED.has(status)) {
      this.violate(`${id} did not end: it is ${status}`);
      return;
    }
    const interruptions = this.schedule.steps.filter(
      ({ kind }) => kind === "kill" || kind === "stall" || kind === "cut",
    );
    if (status === "error") {
      if (interruptions.length < MOST_STRIKES) this.violate(`${id} failed: ${message}`);
      return;
    }
    const result = this.objects.get(String(key));
    if (result !== resultOf(id)) this.violate(`${id} has another result than its recording: ${result}`);
    else if (hashOf(result) !== hash) this.violate(`the result of ${id} is not the one whose hash its row has`);
  }
}
