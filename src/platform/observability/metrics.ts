// Prometheus metrics of the service.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { residentBytes } from "../process/resident-memory.ts";
import { childProcesses } from "../process/running-children.ts";
import { within } from "../process/within.ts";
import type { QueueState } from "../storage/db/jobs/queue-state.ts";
import type { Engines } from "./engines.ts";
import { droppedLogLines } from "./log.ts";

const RESOLUTION_MILLISECONDS = 10;
const QUANTILES = [0.5, 0.99, 0.999, 1];

/** Registers quantiles since the last time the metrics were read. */
function addEventLoopDelay(registry: Registry): void {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
  monitor.enable();
  new Gauge({
    name: "parlance_event_loop_delay_seconds",
    help: "Delay of the event loop since the metrics were last read",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const quantile of QUANTILES) {
        // The monitor includes its own timer interval.
        const delay = monitor.percentile(quantile * 100) / 1e9 - RESOLUTION_MILLISECONDS / 1000;
        this.set({ quantile: String(quantile) }, Math.max(0, delay));
      }
      monitor.reset();
    },
  });
}

export interface MetricSources {
  isReady(): boolean;
  liveSessions(): number;
  /** Seconds. */
  finalDelay(): number;
  /** Sessions that can be served; seconds of audio that can be served, and that arrive, in a second. */
  liveLoad(): { sessions: number; audioCapacity: number; audio: number };
  /** What live speech makes the service give up: 0 for nothing, 1 for partials, 2 for recordings, too. */
  loadStage(): number;
  freeBytes(): Promise<number>;
  /** Whether this process reports the figures of the whole fleet. One process does, so that sums over processes are right. */
  reportsFleet(): Promise<boolean>;
  /** Of tables and indexes. */
  databaseBytes(): Promise<number>;
  queue(): Promise<QueueState>;
  engines: Engines;
}

type Setter = (value: number, labels?: Record<string, string>) => void;
const KINDS = { live: "final", partial: "partial" };

/** Memory of this process and its child processes. */
function memoryByProcess(): { kind: string; bytes: number }[] {
  const children = [...childProcesses()].map(([pid, kind]) => ({ kind, bytes: residentBytes(pid) ?? 0 }));
  return [{ kind: "service", bytes: process.memoryUsage.rss() }, ...children];
}

/** Time-out for one metric, so that it does not delay the others. */
const READ_TIMEOUT_MILLISECONDS = 3_000;
const SECONDS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** What the metrics read of the inference pool. */
interface MeasuredRecognition {
  /** Tasks in the queue. */
  readonly waiting: number;
  onRecognized(
    listener: (times: { priority: string; runMilliseconds: number; totalMilliseconds: number }) => void,
  ): void;
}

export class Metrics {
  readonly registry = new Registry();
  /** Time in recogniser processes per recognition. */
  readonly recognition = this.histogram("parlance_recognition_seconds", "One segment in a recogniser process");
  private readonly jobs = new Counter({
    name: "parlance_jobs_total",
    help: "Jobs that have ended, by outcome",
    labelNames: ["status"],
    registers: [this.registry],
  });
  private readonly waiting = this.histogram("parlance_job_waiting_seconds", "From acceptance to the start of work");
  private readonly running = this.histogram("parlance_job_running_seconds", "From the start of work to the end");
  private readonly total = this.histogram("parlance_job_total_seconds", "From acceptance to the end");

  private readonly callbacks = new Counter({
    name: "parlance_callback_attempts_total",
    help: "Attempts to deliver callbacks, by outcome",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  private readonly callbackSeconds = this.histogram("parlance_callback_seconds", "One attempt to deliver a callback");

  private readonly liveSeconds = new Histogram({
    name: "parlance_live_recognition_seconds",
    help: "From requesting the text of live speech until it is available",
    labelNames: ["kind"],
    buckets: SECONDS_BUCKETS,
    registers: [this.registry],
  });
  private readonly audio = new Counter({
    name: "parlance_audio_seconds_total",
    help: "Audio of completed recorded jobs",
    registers: [this.registry],
  });
  private readonly realTimeFactor = new Histogram({
    name: "parlance_job_real_time_factor",
    help: "Processing time of a job divided by the duration of its audio",
    buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [this.registry],
  });

  private readonly uploads = new Counter({
    name: "parlance_resumable_uploads_total",
    help: "Uploads that resume, by outcome",
    labelNames: ["outcome"],
    registers: [this.registry],
  });
  private readonly uploadBytes = new Counter({
    name: "parlance_resumable_upload_bytes_total",
    help: "Stored bytes of uploads that resume",
    registers: [this.registry],
  });

  constructor(recognition: MeasuredRecognition) {
    recognition.onRecognized(({ priority, runMilliseconds, totalMilliseconds }) => {
      this.recognition.observe(runMilliseconds / 1000);
      if (priority === "live" || priority === "partial")
        this.liveSeconds.observe({ kind: KINDS[priority] }, totalMilliseconds / 1000);
    });
    new Counter({
      name: "parlance_log_lines_dropped_total",
      help: "Log lines that could not be written: a full disk, or a reader that stalls",
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(droppedLogLines());
      },
    });
    collectDefaultMetrics({ register: this.registry, prefix: "parlance_" });
    addEventLoopDelay(this.registry);
    new Gauge({
      name: "parlance_recognition_waiting_tasks",
      help: "Tasks waiting for a recogniser process",
      registers: [this.registry],
      collect() {
        this.set(recognition.waiting);
      },
    });
  }

  /** Registers gauges that are read on each scrape. */
  watch(sources: MetricSources): void {
    const gauge = (
      name: string,
      help: string,
      read: (set: Setter) => Promise<void> | void,
      labelNames: string[] = [],
    ) =>
      new Gauge({
        name: `parlance_${name}`,
        help,
        labelNames,
        registers: [this.registry],
        async collect() {
          this.reset();
          // reset() sets a gauge without labels to 0, which would read as an empty queue while the database does not answer.
          if (labelNames.length === 0) this.remove();
          // If the database does not answer, only its own metrics are missing.
          const figures = Promise.resolve(read((value, labels = {}) => this.set(labels, value)));
          await within(READ_TIMEOUT_MILLISECONDS, figures).catch(() => undefined);
        },
      });
    // The gauges of one scrape share one answer.
    let asking: Promise<boolean> | undefined;
    const reportsFleet = () => {
      asking ??= sources.reportsFleet().finally(() => {
        asking = undefined;
      });
      return asking;
    };
    const fleetGauge = (name: string, help: string, read: (set: Setter) => Promise<void>, labelNames?: string[]) =>
      gauge(
        name,
        `${help}; one process reports it for all`,
        async (set) => {
          if (await reportsFleet()) await read(set);
        },
        labelNames,
      );
    gauge("ready", "Whether recognisers have their models loaded", (set) => set(sources.isReady() ? 1 : 0));
    gauge(
      "engine_up",
      "Whether a backend of the service answers",
      async (set) => {
        for (const [engine, isUp] of await sources.engines.areUp()) set(isUp ? 1 : 0, { engine });
      },
      ["engine"],
    );
    gauge("live_sessions", "Live sessions that have not ended", (set) => set(sources.liveSessions()));
    gauge("live_final_delay_seconds", "Recent delay of live finals, 90th percentile", (set) =>
      set(sources.finalDelay()),
    );
    gauge("live_capacity_sessions", "Live sessions that can be served with finals in time", (set) =>
      set(sources.liveLoad().sessions),
    );
    gauge("live_capacity_audio_ratio", "Live speech that can be served, seconds in a second", (set) =>
      set(sources.liveLoad().audioCapacity),
    );
    gauge("live_audio_ratio", "Live audio that arrives, seconds in a second", (set) => set(sources.liveLoad().audio));
    gauge(
      "live_load_stage",
      "Stage of the load of live speech: 0 normal, 1 partials are less frequent, 2 recordings are limited, too",
      (set) => set(sources.loadStage()),
    );
    gauge("disk_free_bytes", "Free space on the disk of the data folder", async (set) =>
      set(await sources.freeBytes()),
    );
    fleetGauge("database_bytes", "Size of the tables and indexes of the database", async (set) =>
      set(await sources.databaseBytes()),
    );
    fleetGauge(
      "jobs_unfinished",
      "Recorded jobs of all accounts that have not ended",
      async (set) => {
        for (const [status, count] of Object.entries((await sources.queue()).counts)) set(count, { status });
      },
      ["status"],
    );
    fleetGauge("job_oldest_waiting_seconds", "Time since which the oldest queued job has been waiting", async (set) =>
      set((await sources.queue()).oldestSeconds),
    );
    fleetGauge("deliveries_pending", "Callbacks that are still to be delivered", async (set) =>
      set((await sources.queue()).pendingDeliveries),
    );
    gauge(
      "process_memory_bytes",
      "Resident memory by kind of process; Linux only",
      (set) => {
        const sums = new Map<string, number>();
        for (const { kind, bytes } of memoryByProcess()) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
        for (const [kind, bytes] of sums) set(bytes, { process: kind });
      },
      ["process"],
    );
  }

  jobEnded(
    status: string,
    times: { created: Date; started: Date; ended: Date },
    audioSeconds: number | undefined,
  ): void {
    this.jobs.inc({ status });
    const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;
    if (status === "done" && audioSeconds) {
      this.audio.inc(audioSeconds);
      this.realTimeFactor.observe(seconds(times.started, times.ended) / audioSeconds);
    }
    this.total.observe(seconds(times.created, times.ended));
    this.waiting.observe(seconds(times.created, times.started));
    this.running.observe(seconds(times.started, times.ended));
  }

  uploadOutcome(outcome: string): void {
    this.uploads.inc({ outcome });
  }

  uploadedBytes(bytes: number): void {
    this.uploadBytes.inc(bytes);
  }

  callbackAttempted(outcome: string, seconds: number): void {
    this.callbacks.inc({ outcome });
    this.callbackSeconds.observe(seconds);
  }

  private histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: SECONDS_BUCKETS, registers: [this.registry] });
  }
}
