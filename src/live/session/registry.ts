// The live sessions of this process: made, found by their token, recovered at a start, ended into their job's row.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { limitsOf } from "../../accounts/limits.ts";
import type { Enhancer } from "../../audio/enhance/enhancer.ts";
import { bytesPerFrame } from "../../audio/stream-format.ts";
import { writeWavHeader } from "../../audio/wav.ts";
import { callbackTarget } from "../../callbacks/enqueue.ts";
import type { CallbackSender } from "../../callbacks/sender.ts";
import type { Settings } from "../../config/settings.ts";
import { errors } from "../../errors.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { Analyst } from "../../intelligence/process/analyst.ts";
import { englishTranslatorOf, languageRequestOf, planSpeech } from "../../models/speech-plan.ts";
import type { ModelStore } from "../../models/store.ts";
import type { Tracing } from "../../observability/tracing.ts";
import { type Account, findAccount } from "../../storage/db/accounts.ts";
import type { Database } from "../../storage/db/database.ts";
import { insertDeliveries } from "../../storage/db/deliveries.ts";
import { saveFile } from "../../storage/db/files.ts";
import { attachFile, endJob, findJob, type JobRow, startLiveJob } from "../../storage/db/jobs.ts";
import { countLive, insertToken, jobOfToken, unusedSessions } from "../../storage/db/live-sessions.ts";
import type { FreeSpace } from "../../storage/free-space.ts";
import { audioKey, resultKey } from "../../storage/objects/keys.ts";
import type { ObjectStore } from "../../storage/objects/object-store.ts";
import { whenPossible } from "../../storage/when-possible.ts";
import type { LiveResult, MessageFlags } from "../connection/protocol.ts";
import { type Claim, LogLost, type LossReason, type SessionLogs } from "../log/log-contract.ts";
import { LiveCallbacks, START_SESSION_SEQUENCE, type StoreDeliveries } from "./callbacks.ts";
import { sessionParams } from "./params.ts";
import { Session } from "./session.ts";
import { CLOSE, type EndedSession, type SessionOwner, type SessionServices } from "./session-contract.ts";

export interface RegistryServices {
  database: Database;
  objects: ObjectStore;
  space: FreeSpace;
  recognition: RecognitionPool;
  detection: RecognitionPool;
  models: ModelStore;
  enhancer: Enhancer;
  analyst: Analyst;
  callbacks: CallbackSender;
  settings: Settings;
  logs: SessionLogs;
  tracing: Tracing;
  logger: Logger;
}

const TOKEN_BYTES = 32;
const SWEEP_MILLISECONDS = 30_000;
/** Where machines go on with each other's sessions, those that nobody has are looked for so often, */
const ADOPT_MILLISECONDS = 5_000;
/** and taken up so many at a time, that other machines get some too. */
const ADOPTED_AT_ONCE = 20;
/** An ended session is remembered for clients that come back for its last messages. */
const REMEMBER_MILLISECONDS = 60_000;
/** How long finals may be waited for before no more sessions are accepted. */
const MOST_FINAL_DELAY_SECONDS = 1.5;
/** Sessions that may be opened before anything was measured. */
const SESSIONS_BEFORE_MEASURE = 4;

const LOSSES: Record<LossReason, [code: number, reason: string]> = {
  replaced: [CLOSE.replaced, "replaced by a newer connection"],
  taken: [CLOSE.restart, "another machine has this session; reconnect to go on"],
  deleted: [CLOSE.ended, "the session was deleted"],
};

export type TokenOutcome =
  | { kind: "session"; session: Session }
  | { kind: "unknown" }
  | { kind: "expired" }
  | { kind: "over-limit" }
  | { kind: "ended" }
  /** Another machine has it. */
  | { kind: "elsewhere" };

export class LiveRegistry implements SessionOwner {
  private readonly sessions = new Map<string, Session>();
  private readonly opening = new Map<string, Promise<Session | undefined>>();
  private readonly sweeps: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();

  constructor(private readonly services: RegistryServices) {}

  /** Takes up the sessions that an earlier process left; each waits for its client from now on. */
  async start(): Promise<void> {
    const { logs, logger } = this.services;
    await logs.start((id, reason) => this.lose(id, reason));
    await this.adopt();
    const every = (milliseconds: number, task: () => Promise<void>) => {
      const run = () => task().catch((error: unknown) => logger.warn({ err: error }, "live sweep failed"));
      this.sweeps.push(setInterval(run, milliseconds).unref());
      return run;
    };
    every(SWEEP_MILLISECONDS, () => this.expireUnused())();
    if (logs.isShared) every(ADOPT_MILLISECONDS, () => this.adopt());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const sweep of this.sweeps) clearInterval(sweep);
    await Promise.all([...this.sessions.values()].map((session) => (session.hasEnded ? undefined : session.suspend())));
  }

  /** Sessions that are not over. */
  get active(): number {
    return [...this.sessions.values()].filter((session) => !session.hasEnded).length;
  }

  /** @throws limit.live_sessions, service.overloaded */
  async checkCapacity(account: Account): Promise<void> {
    const { maximumLiveSessions } = this.services.settings;
    if (maximumLiveSessions > 0 && this.active >= maximumLiveSessions) {
      throw errors.tooManySessions(maximumLiveSessions);
    }
    const own = limitsOf(account, this.services.settings).liveSessions;
    if (await this.isOverLimit(account)) throw errors.tooManySessions(own, " of this account");
    if (this.active < SESSIONS_BEFORE_MEASURE) return;
    if (this.services.recognition.finalDelay > MOST_FINAL_DELAY_SECONDS) throw errors.overloaded();
  }

  /** The token of a new session; its row must exist in the same transaction. */
  async createToken(transaction: Database, id: string): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    await insertToken(transaction, id, token);
    return token;
  }

  /** @param at  when the client came, milliseconds */
  async byToken(token: string, at: number): Promise<TokenOutcome> {
    const row = token === "" ? undefined : await jobOfToken(this.services.database, token);
    if (!row) return { kind: "unknown" };
    const known = this.sessions.get(row.id);
    if (known && (await this.services.logs.confirm(row.id))) return { kind: "session", session: known };
    if (row.status === "error") return { kind: row.error_code === 408 ? "expired" : "ended" };
    if (row.status === "done" && !(await this.services.logs.isKept(row.id))) return { kind: "ended" };
    const age = Date.now() - row.created_at.getTime();
    if (row.status === "queued" && age > this.services.settings.liveTokenSeconds * 1000) return { kind: "expired" };
    // A session may have been created long before: what counts is that it begins.
    const account = row.status === "queued" ? await findAccount(this.services.database, row.account_id) : undefined;
    if (account && (await this.isOverLimit(account))) return { kind: "over-limit" };
    const session = await this.open(row, { by: "client", at });
    return session ? { kind: "session", session } : { kind: "elsewhere" };
  }

  /** Puts what a new session tells first in line, if it wants that. */
  async announce(transaction: Database, row: Pick<JobRow, "id" | "request_params">, now: Date): Promise<void> {
    const target = callbackTarget(row);
    const flags = row.request_params["callback_config"] as MessageFlags | undefined;
    if (!target || !flags?.receive_lifecycle_events) return;
    const message = { session_id: row.id, created_at: now.toISOString(), type: "start_session" };
    const event = "live.start_session";
    const delivery = { id: uuid(), sequence: START_SESSION_SEQUENCE, event, payload: JSON.stringify(message) };
    await insertDeliveries(transaction, target, [delivery], now);
  }

  /** Ends a session without a result: its job is being deleted. */
  async discard(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.letGo(...LOSSES.deleted);
    await this.services.logs.remove(id, "deleted");
  }

  // --- SessionOwner ---

  async started(id: string): Promise<void> {
    await startLiveJob(this.services.database, id, new Date());
  }

  async ended(id: string, result: LiveResult, session: EndedSession): Promise<void> {
    await this.patiently(id, () => this.store(id, result, session));
    this.forgetLater(id, session);
  }

  private async store(id: string, result: LiveResult, session: EndedSession): Promise<void> {
    const { database, objects, logger, tracing } = this.services;
    // Another machine had ended it; this one has told its client the last messages.
    const row = await findJob(database, id);
    if (row?.status === "done") return;
    const fileKey = audioKey(id);
    const { headerBytes, format } = session.stored;
    const frameBytes = bytesPerFrame(format);
    const dataBytes = Math.floor(Math.max(0, session.totalBytes - headerBytes) / frameBytes) * frameBytes;
    const body = session.log.stream(headerBytes, headerBytes + dataBytes);
    const size = await objects.write(
      fileKey,
      Readable.from(
        (async function* wav() {
          yield writeWavHeader(format, dataBytes);
          yield* body;
        })(),
      ),
    );
    const key = resultKey(id);
    await objects.put(key, JSON.stringify({ ...result, messages: session.messages }));
    await database.transaction().execute(async (transaction) => {
      const completedAt = new Date();
      const row = await attachFile(transaction, id, id);
      if (!row) return;
      await saveFile(transaction, {
        id,
        account_id: row.account_id,
        filename: `${id}.wav`,
        source: null,
        extension: "wav",
        size,
        audio_duration: result.metadata.audio_duration,
        number_of_channels: format.channels,
        object_key: fileKey,
        created_at: completedAt,
      });
      await endJob(transaction, id, { status: "done", completedAt, resultKey: key });
    });
    if (row) {
      const attributes = { "parlance.job": id, "parlance.audio_seconds": result.metadata.audio_duration };
      tracing.record("live session", row.started_at ?? row.created_at, new Date(), {
        parent: row.trace_parent,
        attributes,
      });
    }
    logger.info({ session: id, seconds: result.metadata.audio_duration }, "live session ended");
  }

  /** How a session ended is written down, however long that takes. */
  private patiently(id: string, write: () => Promise<unknown>): Promise<unknown> {
    return whenPossible(write, this.stopping.signal, (error) =>
      this.services.logger.error({ err: error, session: id }, "the end of a live session cannot be written down yet"),
    );
  }

  async failed(id: string, error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { database, logger } = this.services;
    logger.error({ err: error, session: id }, "live session failed");
    const { status, message } = errors.liveSessionFailed();
    const ending = { status: "error", completedAt: new Date(), errorCode: status, errorMessage: message } as const;
    await this.patiently(id, () => endJob(database, id, ending));
  }

  // --- inside ---

  private async isOverLimit(account: Account): Promise<boolean> {
    const { liveSessions } = limitsOf(account, this.services.settings);
    return liveSessions > 0 && (await countLive(this.services.database, account.id)) >= liveSessions;
  }

  private callbacksOf(row: JobRow): LiveCallbacks | undefined {
    const target = callbackTarget(row);
    if (!target) return undefined;
    const { database, callbacks, logger } = this.services;
    const store: StoreDeliveries = async (to, deliveries) => {
      const now = new Date();
      await database.transaction().execute((transaction) => insertDeliveries(transaction, to, deliveries, now));
      callbacks.wake();
    };
    return new LiveCallbacks(target, row.request_params["callback_config"] as MessageFlags, store, logger);
  }

  /** Takes up sessions that nobody has: their clients may never come back. */
  private async adopt(): Promise<void> {
    const { database, logs } = this.services;
    const left = (await logs.abandoned()).filter((id) => !this.sessions.has(id) && !this.opening.has(id));
    for (const id of logs.isShared ? left.slice(0, ADOPTED_AT_ONCE) : left) {
      const row = await findJob(database, id);
      if (row?.status !== "processing" || this.stopping.signal.aborted) continue;
      await this.open(row, { by: "finder" }).catch((error: unknown) => {
        // What cannot be read now may be readable later, or elsewhere.
        if (!logs.isShared) return this.failed(id, error);
        this.services.logger.error({ err: error, session: id }, "a live session could not be taken up");
      });
    }
  }

  private lose(id: string, reason: LossReason): void {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    this.services.logger.info({ session: id, reason }, "live session let go");
    session
      ?.letGo(...LOSSES[reason])
      .catch((error: unknown) => this.services.logger.warn({ err: error, session: id }, "session left files"));
  }

  /**
   * Two connections may ask at the same time: there is one session of an id.
   * @returns undefined while another machine has it
   */
  private async open(row: JobRow, claim: Claim): Promise<Session | undefined> {
    const known = this.sessions.get(row.id) ?? this.opening.get(row.id);
    if (known) return known;
    const opened = this.load(row, claim).finally(() => this.opening.delete(row.id));
    this.opening.set(row.id, opened);
    return opened;
  }

  private async load(row: JobRow, claim: Claim): Promise<Session | undefined> {
    const { logs, recognition, detection, models, enhancer, analyst, settings, logger } = this.services;
    const callbacks = this.callbacksOf(row);
    const services: SessionServices = {
      ...(callbacks ? { callbacks } : {}),
      recognition,
      detection,
      enhancer,
      analyst,
      logger,
      space: this.services.space,
      timers: {
        idleMilliseconds: settings.liveIdleSeconds * 1000,
        graceMilliseconds: settings.liveGraceSeconds * 1000,
        maximumMilliseconds: settings.liveMaximumSeconds * 1000,
      },
    };
    const installed = await models.list();
    const plan = planSpeech(languageRequestOf(row.request_params), installed, settings);
    await models.get(plan.model);
    const englishTranslator = englishTranslatorOf(plan, installed);
    const params = sessionParams({ plan, ...(englishTranslator ? { englishTranslator } : {}) }, row.request_params);
    const startedAt = (row.started_at ?? new Date()).getTime();
    const log = await logs.open(row.id, claim).catch((error: unknown) => {
      if (error instanceof LogLost) return undefined;
      throw error;
    });
    if (!log) return undefined;
    const session = await Session.open(row.id, params, log, services, this, startedAt).catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    if (log.isLost) {
      await session.letGo(...LOSSES.taken);
      return undefined;
    }
    this.sessions.set(row.id, session);
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
      forget().catch((error: unknown) => this.services.logger.warn({ err: error, session: id }, "session left files"));
    }, REMEMBER_MILLISECONDS);
    timer.unref();
  }

  private async expireUnused(): Promise<void> {
    const { database, settings } = this.services;
    const before = new Date(Date.now() - settings.liveTokenSeconds * 1000);
    const { status, message } = errors.liveSessionUnused();
    for (const id of await unusedSessions(database, before)) {
      if (this.sessions.get(id)?.isConnected) continue;
      await endJob(database, id, {
        status: "error",
        completedAt: new Date(),
        errorCode: status,
        errorMessage: message,
      });
    }
  }
}
