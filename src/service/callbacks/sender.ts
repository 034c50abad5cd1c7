// Sends due callbacks: at least once, in order within a job, several jobs concurrently. The concurrency per host and
// per account is bounded, so that dead receivers delay no others. All state is in the database; a kill loses at most
// the record of one attempt.
import type { Logger } from "pino";
import { errors, toParlanceError } from "../../platform/errors.ts";
import { retryAfterSeconds } from "../../platform/net/remote-status.ts";
import type { SentAnswer, safeSend } from "../../platform/net/safe-send.ts";
import type { Tracing } from "../../platform/observability/tracing.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { SpreadWakes } from "../../platform/process/spread-wakes.ts";
import { Waker } from "../../platform/process/waker.ts";
import { publicMessage } from "../../platform/public-message.ts";
import { callbackSecrets } from "../../platform/storage/db/accounts/callback-secrets.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import {
  type AttemptOutcome,
  type DueDelivery,
  isFirstOfRound,
  nextDelivery,
  postponeLane,
  recordAttempt,
  restLane,
} from "../../platform/storage/db/deliveries/deliveries.ts";
import { type ClaimedLane, claimLane, freeLanes } from "../../platform/storage/db/deliveries/lane-claims.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import { TRANSCRIPT_EVENTS } from "./enqueue.ts";
import { checkSchedule, IDLE_MILLISECONDS, untilNextLook } from "./lane-times.ts";
import { nextTry, type Schedule } from "./schedule.ts";
import type { SecretSealer } from "./secret-sealer.ts";
import { signatureHeaders } from "./sign.ts";
import { webhookHeader, withoutSecrets } from "./webhook-header.ts";

export interface SenderOptions extends Schedule {
  database: Database;
  /** Reads the stored result of a job as text. */
  resultOf(jobId: string): Promise<string>;
  /** Sends a request. */
  send: typeof safeSend;
  timeoutSeconds: number;
  allowPrivateAddresses: boolean;
  /** Whether no other process can use this (embedded) database. */
  isOnlyProcess: boolean;
  /** One process checks the schedule for all. */
  duties: Pick<Duties, "holds">;
  signals: Pick<Signals, "on">;
  secrets: SecretSealer;
  tracing: Tracing;
  logger: Logger;
  onAttempt?: (outcome: AttemptOutcome["kind"], milliseconds: number) => void;
}

const MOST_CONCURRENT = 64;
const MOST_PER_HOST = 4;
const MOST_PER_ACCOUNT = 16;
/** Time that a claim outlasts its request. */
const CLAIM_MARGIN_SECONDS = 30;
const FAILED_CLAIM_PAUSE_MILLISECONDS = 1_000;
/** Between looks at a delivery whose secret cannot be opened. */
const LOCKED_PAUSE_SECONDS = 10;
const GONE = 410;
const CLOCK_CHECK_MILLISECONDS = 60_000;
/** Maximum of the database column: 24 days. */
const MOST_MILLISECONDS = 2_147_483_647;

/** Names that occur at least `count` times. */
function namesWithCount(names: readonly (string | null)[], count: number): string[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, found]) => found >= count).map(([name]) => name);
}

export class CallbackSender {
  private readonly stopping = new AbortController();
  private readonly draining = new AbortController();
  private readonly news = new Waker();
  private readonly running = new Map<string, { host: string; accountId: string | null; done: Promise<void> }>();
  private loop: Promise<void> | undefined;
  private readonly spread = new SpreadWakes(() => this.wake());

  constructor(private readonly options: SenderOptions) {}

  async start(): Promise<void> {
    if (this.options.isOnlyProcess) await freeLanes(this.options.database);
    this.options.signals.on("callbacks", () => this.spread.notice());
    this.loop = this.work();
  }

  /** Claims no further callbacks; running attempts continue until `stop`. */
  readonly drain = () => this.draining.abort();

  /** Aborts running attempts; the next process repeats them. */
  async stop(): Promise<void> {
    this.drain();
    this.stopping.abort();
    await this.loop;
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Called when a callback was enqueued. */
  wake(): void {
    this.news.wake();
  }

  private async work(): Promise<void> {
    const { signal } = this.draining;
    let checkedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (performance.now() - checkedAt >= CLOCK_CHECK_MILLISECONDS) {
        checkedAt = performance.now();
        await checkSchedule(this.options);
      }
      const seen = this.news.count;
      const lane = this.running.size < MOST_CONCURRENT ? await this.claim() : undefined;
      if (lane) {
        const done = this.send(lane).finally(() => {
          this.running.delete(lane.jobId);
          this.wake();
        });
        this.running.set(lane.jobId, { host: lane.host, accountId: lane.accountId, done });
        continue;
      }
      // The end of an attempt wakes the loop.
      const isFull = this.running.size >= MOST_CONCURRENT;
      await this.news.wait(isFull ? IDLE_MILLISECONDS : await untilNextLook(this.options.database), signal, seen);
    }
  }

  private async claim(): ReturnType<typeof claimLane> {
    const { database, timeoutSeconds, logger } = this.options;
    try {
      const sending = [...this.running.values()];
      return await claimLane(database, {
        heldSeconds: timeoutSeconds + CLAIM_MARGIN_SECONDS,
        busyHosts: namesWithCount(
          sending.map(({ host }) => host),
          MOST_PER_HOST,
        ),
        busyAccounts: namesWithCount(
          sending.map(({ accountId }) => accountId),
          MOST_PER_ACCOUNT,
        ),
      });
    } catch (error) {
      if (this.draining.signal.aborted) return undefined;
      logger.error({ err: error }, "could not claim a callback");
      await sleep(FAILED_CLAIM_PAUSE_MILLISECONDS, this.draining.signal);
      return undefined;
    }
  }

  /** Makes one attempt at the next delivery of a claimed job. */
  private async send(lane: ClaimedLane): Promise<void> {
    const { database, logger } = this.options;
    const { jobId } = lane;
    let delivery: DueDelivery | undefined;
    try {
      delivery = await nextDelivery(database, jobId);
      if (!delivery) return await restLane(database, lane);
      const at = databaseTime(database);
      const answer = await this.attempt(delivery, at);
      if (!answer) return;
      const now = databaseTime(database);
      // The clock may have been set back in the meantime.
      const milliseconds = Math.min(MOST_MILLISECONDS, Math.max(0, now.getTime() - at.getTime()));
      const outcome = this.outcomeOf(delivery, answer);
      this.options.tracing.record("callback", at, now, {
        kind: "client",
        parent: delivery.trace,
        attributes: {
          ...{ "parlance.job": jobId, "parlance.event": delivery.event, "parlance.outcome": outcome.kind },
          "http.response.status_code": answer.status ?? 0,
        },
      });
      await recordAttempt(
        database,
        lane,
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
      if (this.stopping.signal.aborted) return;
      if (delivery && toParlanceError(error).code === "callbacks.secrets_locked") return this.postpone(lane, delivery);
      logger.error({ err: error, job: jobId }, "a callback could not be processed");
      if (delivery && !mustWait(error)) await this.abandon(lane, delivery);
    }
  }

  /** Without its secret a delivery cannot be signed. It waits until the secret can be opened, or is replaced. */
  private async postpone(lane: ClaimedLane, { id, job_id }: DueDelivery): Promise<void> {
    this.options.logger.debug({ delivery: id, job: job_id }, "a callback waits: its secret cannot be opened");
    await postponeLane(this.options.database, lane, id, LOCKED_PAUSE_SECONDS).catch((error: unknown) =>
      this.options.logger.error({ err: error, delivery: id }, "a callback could not be postponed"),
    );
  }

  /** Ends a delivery whose attempt cannot be recorded as failed; otherwise it would be claimed again forever. */
  private async abandon(lane: ClaimedLane, delivery: DueDelivery): Promise<void> {
    const attempt = {
      at: databaseTime(this.options.database),
      milliseconds: 0,
      responseStatus: null,
      detail: errors.internal(undefined).message,
    };
    await recordAttempt(this.options.database, lane, delivery, attempt, { kind: "failed", stopsLane: false }).catch(
      (error: unknown) =>
        this.options.logger.error({ err: error, delivery: delivery.id }, "a callback could not be marked as failed"),
    );
  }

  /** @returns undefined if the service stops in the meantime */
  private async attempt(
    delivery: DueDelivery,
    at: Date,
  ): Promise<(SentAnswer & { isPermanent?: boolean }) | undefined> {
    const { database, send, timeoutSeconds, allowPrivateAddresses } = this.options;
    try {
      const body = await this.bodyOf(delivery);
      const secrets = await callbackSecrets(database, delivery.accountId, this.options.secrets);
      const header = await webhookHeader(delivery, this.options);
      const answer = await send(delivery.url, {
        tenant: delivery.accountId,
        method: delivery.method as "POST" | "PUT",
        body,
        headers: {
          ...header,
          "content-type": "application/json",
          ...signatureHeaders(delivery.id, at, body, secrets),
          // Allows the receiver to continue the trace.
          ...(delivery.trace ? { traceparent: delivery.trace } : {}),
        },
        allowPrivateAddresses,
        timeoutMilliseconds: timeoutSeconds * 1000,
        signal: this.stopping.signal,
      });
      return { ...answer, detail: withoutSecrets(answer.detail, Object.values(header)) };
    } catch (thrown) {
      if (this.stopping.signal.aborted) return undefined;
      const error = toParlanceError(thrown);
      // The object store or database is unavailable: no request was sent, so this is not an attempt.
      if (mustWait(error) || error.code === "callbacks.secrets_locked") throw thrown;
      // An internal error may be transient, like a receiver's: it counts as an attempt, which bounds the retries.
      const isOurs = error.code === "internal";
      if (isOurs)
        this.options.logger.error(
          { err: thrown, delivery: delivery.id },
          "a callback could not be sent because of an internal error",
        );
      return { status: null, detail: publicMessage(error), isPermanent: !error.retryable && !isOurs };
    }
  }

  private async bodyOf({ job_id, event, payload, metadata }: DueDelivery): Promise<string> {
    if (payload !== null && event.startsWith(TRANSCRIPT_EVENTS)) return payload;
    const id = JSON.stringify(job_id);
    const name = JSON.stringify(event);
    if (event.startsWith("live.")) return `{"id":${id},"event":${name},"payload":${payload}}`;
    const custom = JSON.stringify(metadata);
    if (payload !== null) return `{"id":${id},"event":${name},"error":${payload},"custom_metadata":${custom}}`;
    // The stored text as it is: parsing and printing an hour of words would block the event loop.
    const result = await this.options.resultOf(job_id);
    return `{"id":${id},"event":${name},"payload":${result},"custom_metadata":${custom}}`;
  }

  private outcomeOf(delivery: DueDelivery, answer: SentAnswer & { isPermanent?: boolean }): AttemptOutcome {
    const { status } = answer;
    if (status !== null && status >= 200 && status < 300) return { kind: "delivered" };
    if (status === GONE) return { kind: "failed", stopsLane: true };
    if (answer.isPermanent) return { kind: "failed", stopsLane: false };
    const now = databaseTime(this.options.database);
    const pause = retryAfterSeconds(answer.retryAfter, now);
    const at = nextTry(this.options, {
      now,
      // Not in the future: the clock may have been set back since.
      roundBegan: isFirstOfRound(delivery) ? now : new Date(Math.min(delivery.round_began_at.getTime(), now.getTime())),
      tries: delivery.attempts - delivery.attempts_before_round + 1,
      random: Math.random(),
      ...(pause === undefined ? {} : { retryAfterSeconds: pause }),
    });
    return at ? { kind: "retry", at } : { kind: "failed", stopsLane: false };
  }
}
