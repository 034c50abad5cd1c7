// Sends what is due: at least once, in order within a job, several jobs at once, no more than a few to one host, so
// that a dead receiver holds up nobody else. All state is in the database; a kill loses at most the note that an
// attempt was made.
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import { toParlanceError } from "../errors.ts";
import { type SentAnswer, safeSend } from "../net/safe-send.ts";
import type { Tracing } from "../observability/tracing.ts";
import { Waker } from "../process/waker.ts";
import { callbackSecrets } from "../storage/db/accounts.ts";
import type { Database } from "../storage/db/database.ts";
import {
  type AttemptOutcome,
  claimLane,
  type DueDelivery,
  freeLanes,
  nextDelivery,
  recordAttempt,
  restLane,
} from "../storage/db/deliveries.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import { mustWait } from "../storage/when-possible.ts";
import { nextTry, retryAfterSeconds, type Schedule } from "./schedule.ts";
import type { SecretKeeper } from "./secret-keeper.ts";
import { signatureHeaders } from "./sign.ts";

export interface SenderOptions extends Schedule {
  database: Database;
  objects: ObjectStore;
  timeoutSeconds: number;
  allowPrivateAddresses: boolean;
  /** No other process can be on this database (the embedded one). */
  isOnlyProcess: boolean;
  secrets: SecretKeeper;
  tracing: Tracing;
  logger: Logger;
  onAttempt?: (outcome: AttemptOutcome["kind"], milliseconds: number) => void;
}

const MOST_AT_ONCE = 32;
const MOST_PER_HOST = 4;
const POLL_MILLISECONDS = 1_000;
/** How much longer than its request a claim holds. */
const CLAIM_MARGIN_MILLISECONDS = 30_000;
const FAILED_CLAIM_PAUSE_MILLISECONDS = 1_000;
const GONE = 410;

export class CallbackSender {
  private readonly stopping = new AbortController();
  private readonly news = new Waker();
  private readonly running = new Map<string, { host: string; done: Promise<void> }>();
  private loop: Promise<void> | undefined;

  constructor(private readonly options: SenderOptions) {}

  async start(): Promise<void> {
    if (this.options.isOnlyProcess) await freeLanes(this.options.database);
    this.loop = this.work();
  }

  /** Attempts under way are broken off; they are made again by the next process. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** There is something new to send. */
  wake(): void {
    this.news.wake();
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const lane = this.running.size < MOST_AT_ONCE ? await this.claim() : undefined;
      if (lane) {
        const done = this.send(lane.jobId).finally(() => {
          this.running.delete(lane.jobId);
          this.wake();
        });
        this.running.set(lane.jobId, { host: lane.host, done });
        continue;
      }
      await this.news.wait(POLL_MILLISECONDS, signal);
    }
  }

  private async claim(): Promise<{ jobId: string; host: string } | undefined> {
    const { database, timeoutSeconds, logger } = this.options;
    const now = new Date();
    const until = new Date(now.getTime() + timeoutSeconds * 1000 + CLAIM_MARGIN_MILLISECONDS);
    try {
      return await claimLane(database, { now, until, busyHosts: this.busyHosts() });
    } catch (error) {
      if (this.stopping.signal.aborted) return undefined;
      logger.error({ err: error }, "no callback could be taken");
      await new Promise((resolve) => setTimeout(resolve, FAILED_CLAIM_PAUSE_MILLISECONDS));
      return undefined;
    }
  }

  private busyHosts(): string[] {
    const counts = new Map<string, number>();
    for (const { host } of this.running.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= MOST_PER_HOST).map(([host]) => host);
  }

  /** One attempt at the next delivery of a claimed lane. */
  private async send(jobId: string): Promise<void> {
    const { database, logger } = this.options;
    try {
      const delivery = await nextDelivery(database, jobId);
      if (!delivery) return await restLane(database, jobId, new Date());
      const at = new Date();
      const answer = await this.attempt(delivery, at);
      if (!answer) return;
      const milliseconds = Date.now() - at.getTime();
      const outcome = this.outcomeOf(delivery, answer);
      this.options.tracing.record("callback", at, new Date(), {
        kind: "client",
        parent: delivery.trace,
        attributes: {
          ...{ "parlance.job": jobId, "parlance.event": delivery.event, "parlance.outcome": outcome.kind },
          "http.response.status_code": answer.status ?? 0,
        },
      });
      await recordAttempt(
        database,
        delivery,
        { at, milliseconds, responseStatus: answer.status, detail: answer.detail },
        outcome,
      );
      this.options.onAttempt?.(outcome.kind, milliseconds);
      const level = outcome.kind === "delivered" ? "info" : "warn";
      const { id, event, attempts } = delivery;
      logger[level](
        {
          job: jobId,
          delivery: id,
          event,
          attempt: attempts + 1,
          status: answer.status,
          milliseconds,
          outcome: outcome.kind,
        },
        "callback",
      );
    } catch (error) {
      if (!this.stopping.signal.aborted) logger.error({ err: error, job: jobId }, "a callback could not be worked on");
    }
  }

  /** @returns undefined when the service stops meanwhile */
  private async attempt(
    delivery: DueDelivery,
    at: Date,
  ): Promise<(SentAnswer & { isPermanent?: boolean }) | undefined> {
    const { database, timeoutSeconds, allowPrivateAddresses } = this.options;
    try {
      const body = await this.bodyOf(delivery);
      const secrets = await callbackSecrets(database, delivery.accountId, this.options.secrets);
      return await safeSend(delivery.url, {
        method: delivery.method as "POST" | "PUT",
        body,
        headers: {
          "content-type": "application/json",
          ...signatureHeaders(delivery.id, at, body, secrets),
          // The receiver may go on with the trace of who asked.
          ...(delivery.trace ? { traceparent: delivery.trace } : {}),
        },
        allowPrivateAddresses,
        timeoutMilliseconds: timeoutSeconds * 1000,
        signal: this.stopping.signal,
      });
    } catch (thrown) {
      if (this.stopping.signal.aborted) return undefined;
      const error = toParlanceError(thrown);
      // Nobody asked the receiver: it is no attempt.
      if (error.code === "internal" || mustWait(error)) throw thrown;
      return { status: null, detail: error.message, isPermanent: !error.retryable };
    }
  }

  private async bodyOf({ job_id, event, payload, resultKey, metadata }: DueDelivery): Promise<string> {
    const id = JSON.stringify(job_id);
    const name = JSON.stringify(event);
    if (event.startsWith("live.")) return `{"id":${id},"event":${name},"payload":${payload}}`;
    const custom = JSON.stringify(metadata);
    if (payload !== null) return `{"id":${id},"event":${name},"error":${payload},"custom_metadata":${custom}}`;
    // The stored result as it is: parsing an hour of words only to print them again would hold everybody up.
    const result = await text(await this.options.objects.read(resultKey ?? ""));
    return `{"id":${id},"event":${name},"payload":${result},"custom_metadata":${custom}}`;
  }

  private outcomeOf(delivery: DueDelivery, answer: SentAnswer & { isPermanent?: boolean }): AttemptOutcome {
    const { status } = answer;
    if (status !== null && status >= 200 && status < 300) return { kind: "delivered" };
    if (status === GONE) return { kind: "failed", stopsLane: true };
    if (answer.isPermanent) return { kind: "failed", stopsLane: false };
    const now = new Date();
    const pause = retryAfterSeconds(answer.retryAfter, now);
    const at = nextTry(this.options, {
      now,
      roundBegan: delivery.round_began_at,
      tries: delivery.attempts - delivery.attempts_before_round + 1,
      random: Math.random(),
      ...(pause === undefined ? {} : { retryAfterSeconds: pause }),
    });
    return at ? { kind: "retry", at } : { kind: "failed", stopsLane: false };
  }
}
