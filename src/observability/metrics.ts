// What an operator watches.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RecognitionPool } from "../inference/pool.ts";
import { addEventLoopDelay } from "./event-loop.ts";

const SECONDS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export class Metrics {
  readonly registry = new Registry();
  /** Time that recogniser processes spent on recognition itself. */
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

  constructor(recognition: RecognitionPool) {
    recognition.onRecognized((milliseconds) => this.recognition.observe(milliseconds / 1000));
    collectDefaultMetrics({ register: this.registry, prefix: "parlance_" });
    addEventLoopDelay(this.registry);
    new Gauge({
      name: "parlance_recognition_waiting_tasks",
      help: "Tasks that wait for a recogniser process",
      registers: [this.registry],
      collect() {
        this.set(recognition.waiting);
      },
    });
  }

  jobEnded(status: string, times: { created: Date; started: Date; ended: Date }): void {
    this.jobs.inc({ status });
    const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;
    this.total.observe(seconds(times.created, times.ended));
    this.waiting.observe(seconds(times.created, times.started));
    this.running.observe(seconds(times.started, times.ended));
  }

  callbackTried(outcome: string, seconds: number): void {
    this.callbacks.inc({ outcome });
    this.callbackSeconds.observe(seconds);
  }

  private histogram(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: SECONDS_BUCKETS, registers: [this.registry] });
  }
}
