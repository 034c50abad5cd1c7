// The live sessions of this process, in one index, because every connection of a session must reach the same object. It opens them, finds them by token, and stores their ends in the job's row.
// After a crash, the logs remain: the next start, or another process that shares the logs, recovers the sessions. Passing errors are retried every 5 s; a log in a data folder
// that cannot be read fails its job and is kept. A session that another process took over is closed here without a result.
import { v7 as uuid } from "uuid";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import { randomSome } from "../../../platform/process/random-some.ts";
import { type Account, findAccount } from "../../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { type DatabaseTime, databaseTime } from "../../../platform/storage/db/database-time.ts";
import { insertDeliveries } from "../../../platform/storage/db/deliveries/deliveries.ts";
import { findJob, type JobRow, startLiveJob } from "../../../platform/storage/db/jobs/jobs.ts";
import { admitSession, endAdmission } from "../../../platform/storage/db/jobs/live-admissions.ts";
import { jobOfToken, noteServed, sessionsWithoutRight } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { eachApart } from "../../../platform/storage/each-apart.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { limitsOf } from "../../accounts/limits.ts";
import { callbackTarget } from "../../callbacks/enqueue.ts";
import { isModelComing } from "../../models/begin-fetch.ts";
import type { Closing } from "../events/closing.ts";
import type { LiveEvent } from "../events/live-event.ts";
import { subscriptionOf } from "../events/subscription.ts";
import type { Claim, LossReason } from "../log/log-contract.ts";
import { AudioTicks } from "./audio-ticks.ts";
import { START_SESSION_SEQUENCE } from "./callbacks.ts";
import { LiveCapacity } from "./capacity.ts";
import { ClientReach } from "./client-reach.ts";
import { StoredEnds, shownFailure } from "./end/stored-end.ts";
import { LEFTOVERS_MILLISECONDS, removeLeftoverLogs } from "./leftover-logs.ts";
import type { RegistryServices } from "./registry-services.ts";
import type { Session } from "./session.ts";
import type { EndedSession, SessionOwner } from "./session-contract.ts";
import { channelsOf, openSession } from "./session-opening.ts";
import { expireUnused } from "./unused-sessions.ts";

const SWEEP_MILLISECONDS = 30_000;
/** Interval of the access checks: after its key is revoked, a session on any machine ends within this time. */
const ACCESS_CHECK_MILLISECONDS = 2_000;
/** Interval at which machines look for sessions without an owner. */
const RECOVERY_MILLISECONDS = 5_000;
/** Sessions recovered in one round, so that other machines get a share. No round begins while as many are being opened. */
const RECOVERED_AT_ONCE = 20;
/** An ended session stays available for this long, for clients that reconnect for its last messages. */
const REMEMBER_MILLISECONDS = 60_000;

export type TokenOutcome =
  | { kind: "session"; session: Session }
  | { kind: "unknown" }
  /** The key that created the session was revoked. */
  | { kind: "revoked" }
  | { kind: "expired" }
  | { kind: "over-limit" }
  /** This process has no place for a new session. */
  | { kind: "full" }
  /** This process is fetching a model that the session needs. */
  | { kind: "fetching" }
  | { kind: "ended" }
  /** Another machine owns it. */
  | { kind: "elsewhere" };

export class LiveRegistry implements SessionOwner {
  private readonly sessions = new Map<string, Session>();
  private readonly opening = new Map<string, Promise<Session | undefined>>();
  private readonly sweeps: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();
  private readonly ends: StoredEnds;
  readonly capacity: LiveCapacity;
  /** Resolves when every recoverable session of an earlier process is recovered. */
  recovered: Promise<void> = Promise.resolve();
  /** Whether sessions of an earlier process could not be opened because of a transient error. */
  private hasTransientFailure = false;
  private readonly reach: ClientReach;
  private readonly ticks = new AudioTicks();
  /** Called when this process has opened a session. */
  onOpened: ((session: Session, row: JobRow) => void) | undefined;

  constructor(private readonly services: RegistryServices) {
    this.ends = new StoredEnds(services, this.stopping.signal);
    this.capacity = new LiveCapacity(services, () => this.running);
    this.reach = new ClientReach(() => services.logs.problem);
  }

  /**
   * Begins to recover the sessions of an earlier process; each then waits for its client to reconnect. Their logs are read after the
   * start, so that the content of a log neither delays nor prevents it.
   */
  async start(): Promise<void> {
    const { logs, logger } = this.services;
    this.capacity.isHere = true;
    await logs.start((id, reason) => this.handleLoss(id, reason), {
      report: () => this.capacity.reportNode(),
      onUnavailable: (id) => this.sessions.get(id)?.dropConnection({ kind: "restarting", why: "storage" }),
    });
    this.recovered = this.recoverAbandoned().catch((error: unknown) =>
      logger.warn({ err: error }, "live sessions of an earlier process are not recovered yet; retrying"),
    );
    const every = (milliseconds: number, task: () => Promise<void>) => {
      const run = () =>
        task().catch((error: unknown) => logger.warn({ err: error }, "periodic check of live sessions failed"));
      this.sweeps.push(setInterval(run, milliseconds).unref());
      return run;
    };
    every(SWEEP_MILLISECONDS, () => expireUnused(this.services, (id) => this.sessions.get(id)?.isConnected === true))();
    every(LiveCapacity.tickMilliseconds, async () => this.capacity.tick());
    every(LEFTOVERS_MILLISECONDS, () => removeLeftoverLogs(this.services))();
    every(ACCESS_CHECK_MILLISECONDS, async () => {
      this.reach.observe();
      await this.endWithoutAccess();
    });
    every(RECOVERY_MILLISECONDS, async () => {
      await this.recovered;
      if (this.opening.size >= RECOVERED_AT_ONCE) return;
      if (logs.isShared || this.hasTransientFailure) await this.recoverAbandoned();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const sweep of this.sweeps) clearInterval(sweep);
    await this.recovered;
    const suspended = await Promise.allSettled(
      [...this.sessions.values()].filter((session) => !session.isReleased).map((session) => session.suspend()),
    );
    for (const one of suspended) {
      if (one.status === "rejected")
        this.services.logger.warn({ err: one.reason }, "a live session did not stop cleanly");
    }
  }

  /** Number of sessions that have not ended. */
  get active(): number {
    return [...this.sessions.values()].filter((session) => !session.isReleased).length;
  }

  /** Ids of the sessions that have or await a client, and of those that are being opened. */
  private get running(): string[] {
    const isRunning = (session: Session) => !session.isReleased && !session.hasServedClient;
    const open = [...this.sessions].filter(([, session]) => isRunning(session)).map(([id]) => id);
    return [...new Set([...open, ...this.opening.keys()])];
  }

  /**
   * Keeps a place for a new session until its client connects, or for a few seconds.
   * @throws service.not_ready, limit.live_sessions, service.overloaded, models.missing
   */
  async reserve(id: string, account: Account, model: string, channels = 1): Promise<void> {
    this.capacity.reserve(id, account.id, model, channels);
    try {
      const own = limitsOf(account, this.services.settings).liveSessions;
      if (await this.isOverLimit(account)) throw errors.tooManySessions(own, " of this account");
    } catch (error) {
      this.capacity.release(id);
      throw error;
    }
  }

  /** Why a connection must not be opened: this process has no place for the new session that its token opens. */
  async refusalOf(token: string): Promise<ParlanceError | undefined> {
    const refusal = this.capacity.connectionRefusal;
    if (!refusal || this.services.logs.problem !== undefined) return refusal;
    const row = await jobOfToken(this.services.database, token);
    if (row?.status !== "queued" || this.sessions.has(row.id)) return undefined;
    return this.capacity.refusalOf(row, channelsOf(row));
  }

  /** @param at  when the client connected, milliseconds */
  async byToken(token: string, at: number): Promise<TokenOutcome> {
    const row = token === "" ? undefined : await jobOfToken(this.services.database, token);
    if (!row) return { kind: "unknown" };
    return row.is_revoked ? { kind: "revoked" } : this.byRow(row, at);
  }

  /** @param row  of a session whose key is valid. @returns unknown for one with a source: no client connects to it */
  async byRow(row: JobRow, at: number): Promise<TokenOutcome> {
    return row.audio_url === null ? this.claim(row, { by: "client", at }) : { kind: "unknown" };
  }

  /** Opens a session here, if there is a place for it. */
  async claim(row: JobRow, claim: Claim): Promise<TokenOutcome> {
    const known = this.sessions.get(row.id);
    if (known && (await this.services.logs.confirm(row.id))) return { kind: "session", session: known };
    if (row.status === "error") return { kind: row.error_code === 408 ? "expired" : "ended" };
    if (row.status === "done" && !(await this.services.logs.isKept(row.id))) return { kind: "ended" };
    const age = databaseTime(this.services.database).getTime() - row.created_at.getTime();
    if (row.status === "queued" && age > this.services.settings.liveTokenSeconds * 1000) return { kind: "expired" };
    if (row.status === "queued" && !this.capacity.admit(row, channelsOf(row))) return { kind: "full" };
    try {
      return await this.openFor(row, claim);
    } finally {
      // A session that was opened counts itself.
      this.capacity.release(row.id);
    }
  }

  private async openFor(row: JobRow, claim: Claim): Promise<TokenOutcome> {
    // A session counts against the limit from its start, not from its creation.
    const account = row.status === "queued" ? await findAccount(this.services.database, row.account_id) : undefined;
    if (account && (await this.isOverLimit(account, row.id))) return { kind: "over-limit" };
    const session = await this.open(row, claim).catch(async (error: unknown) => {
      if (account) await endAdmission(this.services.database, row.id).catch(() => undefined);
      if (isModelComing(error)) return "fetching" as const;
      throw error;
    });
    if (session === "fetching") return { kind: "fetching" };
    return session ? { kind: "session", session } : { kind: "elsewhere" };
  }

  /** Enqueues the `start_session` callback of a new session, if it is enabled. */
  async enqueueStartSession(
    transaction: Database,
    row: Pick<JobRow, "id" | "request_params">,
    now: DatabaseTime,
  ): Promise<void> {
    const parameters = parseLiveParameters(row.request_params);
    const target = callbackTarget(row.id, parameters);
    if (!target || !subscriptionOf(parameters.callback_config).has("lifecycle")) return;
    const { recordFormat } = this.services;
    const created: LiveEvent = { kind: "sessionCreated" };
    const payload = recordFormat.print({ sessionId: row.id, at: now.toISOString(), event: created });
    const event = `live.${recordFormat.nameOf(created)}`;
    const delivery = { id: uuid(), sequence: START_SESSION_SEQUENCE, event, payload };
    await insertDeliveries(transaction, target, [delivery], now);
  }

  /** Ends a session without a result, because its job is being deleted. */
  async discard(id: string, closing: Closing = { kind: "deleted" }): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.relinquish(closing);
    await this.services.logs.remove(id, "deleted");
  }

  /** Ends the sessions of this process whose key was revoked, or whose job or account was deleted. */
  async endWithoutAccess(): Promise<void> {
    const open = [...this.sessions].filter(([, session]) => !session.isReleased).map(([id]) => id);
    const ended = await sessionsWithoutRight(this.services.database, open);
    this.reach.databaseAnswered();
    for (const { id, why } of ended) {
      this.services.logger.info({ session: id, why }, "live session ended: its key, job or account is no longer valid");
      if (why === "deleted") await this.discard(id);
      else this.sessions.get(id)?.endAndClose();
    }
  }

  // SessionOwner

  async started(id: string): Promise<void> {
    if (await startLiveJob(this.services.database, id)) return;
    // The session was ended as unused while it was opened: its end cannot be stored.
    await this.discard(id, { kind: "expired" });
    throw errors.liveSessionUnused();
  }

  served(id: string): Promise<void> {
    return noteServed(this.services.database, id);
  }

  async ended(id: string, result: TranscriptionResult, session: EndedSession): Promise<void> {
    await this.ends.done(id, result, session);
    this.forgetLater(id, session);
  }

  async failed(id: string, error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.services.logger.error({ err: error, session: id }, "live session failed");
    await this.ends.failed(id, shownFailure(error));
    await this.forgetFailed(id);
  }

  /** Keeps the log, which has the only copy of the audio; the next start moves it to the quarantine. */
  private async forgetFailed(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.relinquish({ kind: "failed" });
  }

  async refused(id: string, error: ParlanceError, session: EndedSession): Promise<void> {
    this.services.logger.info({ session: id, reason: error.code }, "live session refused");
    await this.ends.failed(id, error);
    this.forgetLater(id, session);
  }

  /** @param admits  session to admit if the limit allows it */
  private async isOverLimit(account: Account, admits?: string): Promise<boolean> {
    const { liveSessions } = limitsOf(account, this.services.settings);
    if (liveSessions === 0) return false;
    return !(await admitSession(this.services.database, account.id, liveSessions, admits));
  }

  /** Recovers sessions without an owner, even if their clients never reconnect. */
  private async recoverAbandoned(): Promise<void> {
    const { database, logs } = this.services;
    // Until every session has been tried.
    this.hasTransientFailure = true;
    let hasPassing = false;
    const left = (await logs.abandoned()).filter((id) => !this.sessions.has(id) && !this.opening.has(id));
    const logFailure = (id: string, error: unknown) =>
      this.services.logger[isModelComing(error) ? "info" : "error"](
        { err: error, session: id },
        "a live session could not be recovered",
      );
    const recover = async (id: string) => {
      const row = await findJob(database, id);
      if (row?.status !== "processing" || this.stopping.signal.aborted) return;
      await this.open(row, { by: "finder" }).catch((error: unknown) => {
        // Another process continues it.
        if (this.stopping.signal.aborted) return;
        const isPassing = mustWait(error) || isModelComing(error);
        hasPassing ||= isPassing;
        // A log that cannot be read now may be readable later, or on another machine.
        if (!logs.isShared && !isPassing) return this.failed(id, error);
        logFailure(id, error);
      });
    };
    await eachApart(logs.isShared ? randomSome(left, RECOVERED_AT_ONCE) : left, recover, logFailure);
    this.hasTransientFailure = hasPassing;
  }

  private handleLoss(id: string, reason: LossReason): void {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    this.services.logger.info({ session: id, reason }, "live session no longer owned by this process");
    session
      ?.relinquish({ kind: reason })
      .catch((error: unknown) =>
        this.services.logger.warn({ err: error, session: id }, "the files of a live session could not be removed"),
      );
  }

  /**
   * Concurrent connections share one session per id.
   * @returns undefined while another machine owns it
   */
  private async open(row: JobRow, claim: Claim): Promise<Session | undefined> {
    const known = this.sessions.get(row.id) ?? this.opening.get(row.id);
    if (known) return known;
    const opened = this.load(row, claim).finally(() => this.opening.delete(row.id));
    this.opening.set(row.id, opened);
    return opened;
  }

  private async load(row: JobRow, claim: Claim): Promise<Session | undefined> {
    const channels = channelsOf(row);
    const detection = this.capacity.metered(row.id, channels, this.services.detection);
    const mayReturn = () => this.reach.couldReturn();
    const refusalOf = (model: string, former: string) => this.capacity.refusalOfModel(row.id, channels, model, former);
    const own = { detection, mayReturn, refusalOf, ticks: this.ticks, stopping: this.stopping.signal };
    this.services.wakeProcesses();
    const session = await openSession({ ...this.services, ...own }, row, claim, this);
    if (!session) return undefined;
    if (session.log.isLost) {
      await session.relinquish({ kind: "taken" });
      return undefined;
    }
    this.sessions.set(row.id, session);
    this.onOpened?.(session, row);
    return session;
  }

  private forgetLater(id: string, session: EndedSession): void {
    const forget = async () => {
      if (this.sessions.get(id) !== session) return;
      this.sessions.delete(id);
      await this.services.logs.remove(id, "ended");
      await session.log.close();
    };
    const timer = setTimeout(() => {
      forget().catch((error: unknown) =>
        this.services.logger.warn({ err: error, session: id }, "the files of a live session could not be removed"),
      );
    }, REMEMBER_MILLISECONDS);
    timer.unref();
  }
}
