// The processes that share live sessions. Each process with the role `live` writes heartbeats, which report its load. Every process receives
// the heartbeats by one subscription, and counts their age from their arrival, so that it compares no clocks.
import type { KvWatchEntry } from "@nats-io/kv";
import type { Logger } from "pino";
import { retry } from "../../../../platform/process/retry.ts";
import type { LiveNode } from "../log-contract.ts";
import type { Broker } from "./broker.ts";

export interface NodesOptions {
  /** Name of this process, stable over restarts. */
  machine: string;
  /** A process without a heartbeat for this long is down. */
  downMilliseconds: number;
  everyMilliseconds: number;
  onStored(): void;
  now(): number;
  logger: Logger;
}

interface Seen {
  at: number;
  /** Undefined for the previous version, which reports nothing. */
  node: LiveNode | undefined;
}

const RETRY_MILLISECONDS = 1_000;

function nodeOf({ value }: Pick<KvWatchEntry, "value">): LiveNode | undefined {
  return value.length === 0 ? undefined : JSON.parse(Buffer.from(value).toString("utf8"));
}

export class Nodes {
  private readonly seen = new Map<string, Seen>();
  private readonly stopping = new AbortController();
  private readonly timers: NodeJS.Timeout[] = [];
  private isSending = false;
  /** When the latest heartbeat of any process arrived; before the first one, when this process began. */
  private lastArrival: number;
  /** From this time on, `seen` has every process that runs. Undefined before this process has received its own heartbeat. */
  private knownFrom: number | undefined;
  /** When the subscription began: it has time to receive its first heartbeat. */
  private watchedAt: number;
  private endWatch = () => {};
  private onOwn = () => {};

  constructor(
    private readonly broker: Pick<Broker, "machines">,
    private readonly options: NodesOptions,
  ) {
    this.lastArrival = options.now();
    this.watchedAt = this.lastArrival;
  }

  /** Sends heartbeats. @param report  what each contains */
  async start(report: () => Promise<LiveNode | undefined>): Promise<void> {
    const { machine, logger, everyMilliseconds, onStored } = this.options;
    const send = async () => {
      const node = await report();
      await this.broker.machines.put(machine, node ? JSON.stringify(node) : "");
      onStored();
    };
    await send();
    this.isSending = true;
    const repeat = () =>
      send().catch((error: unknown) => logger.warn({ err: error }, "the heartbeat could not be sent to NATS"));
    this.timers.push(setInterval(repeat, everyMilliseconds).unref());
  }

  /** Follows the heartbeats of all until `stop`. @returns resolves when the own one has arrived */
  follow(): Promise<void> {
    const { logger, everyMilliseconds, downMilliseconds, now } = this.options;
    const watch = async () => {
      this.watchedAt = now();
      const entries = await this.broker.machines.watch();
      this.endWatch = () => entries.stop();
      for await (const entry of entries) this.take(entry);
      throw new Error("the subscription ended");
    };
    retry(watch, {
      pauseAfter: () => RETRY_MILLISECONDS,
      signal: this.stopping.signal,
      onFailed: (error) => logger.info({ err: error }, "the heartbeats of other processes are followed again soon"),
    }).catch(() => undefined);
    const renew = () => {
      if (now() - Math.max(this.lastArrival, this.watchedAt) > downMilliseconds) this.endWatch();
    };
    this.timers.push(setInterval(renew, everyMilliseconds).unref());
    return new Promise((resolve) => {
      this.onOwn = resolve;
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers) clearInterval(timer);
    this.endWatch();
    if (this.isSending) await this.broker.machines.delete(this.options.machine);
  }

  /**
   * After a gap, which may be a stall of this process or an outage of NATS, the heartbeats of others have a full period to arrive.
   * @returns names of the other processes that run; undefined while they are unknown
   */
  runningOthers(): string[] | undefined {
    this.noteGap();
    if (this.knownFrom === undefined || this.options.now() < this.knownFrom) return undefined;
    return this.freshOthers().map(([name]) => name);
  }

  /** Reports of the other processes that run. */
  others(): (LiveNode | undefined)[] {
    return this.freshOthers().map(([, { node }]) => node);
  }

  /** Called for each heartbeat that arrives. */
  take(entry: Pick<KvWatchEntry, "key" | "operation" | "value">): void {
    const { machine, now } = this.options;
    this.noteGap();
    this.lastArrival = now();
    if (entry.operation === "PUT") this.seen.set(entry.key, { at: now(), node: nodeOf(entry) });
    else this.seen.delete(entry.key);
    if (entry.key !== machine) return;
    this.knownFrom ??= now();
    this.onOwn();
  }

  private freshOthers(): [string, Seen][] {
    const { machine, now, downMilliseconds } = this.options;
    const oldest = now() - downMilliseconds;
    return [...this.seen].filter(([name, { at }]) => name !== machine && at >= oldest);
  }

  private noteGap(): void {
    const { now, downMilliseconds } = this.options;
    if (this.knownFrom !== undefined && now() - this.lastArrival > downMilliseconds)
      this.knownFrom = now() + downMilliseconds;
  }
}
