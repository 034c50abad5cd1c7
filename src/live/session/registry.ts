// The live sessions of this process: made, found by their token, recovered at a start, ended into their job's row.
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
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
import { type Account, findAccount } from "../../storage/db/accounts.ts";
import type { Database } from "../../storage/db/database.ts";
import { insertDeliveries } from "../../storage/db/deliveries.ts";
import { saveFile } from "../../storage/db/files.ts";
import { attachFile, endJob, type JobRow, startLiveJob } from "../../storage/db/jobs.ts";
import {
  activeSessions,
  countLive,
  insertToken,
  jobOfToken,
  ownSession,
  unusedSessions,
} from "../../storage/db/live-sessions.ts";
import type { FreeSpace } from "../../storage/free-space.ts";
import { audioKey, resultKey } from "../../storage/objects/keys.ts";
import type { ObjectStore } from "../../storage/objects/object-store.ts";
import type { LiveResult, MessageFlags } from "../connection/protocol.ts";
import { LiveCallbacks, START_SESSION_SEQUENCE, type StoreDeliveries } from "./callbacks.ts";
import { sessionParams } from "./params.ts";
import { Session } from "./session.ts";
import type { EndedSession, SessionOwner, SessionServices } from "./session-contract.ts";

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
  /** Name of this machine, the same over restarts. */
  machine: string;
  logger: Logger;
}

const TOKEN_BYTES = 32;
const SWEEP_MILLISECONDS = 30_000;
/** An ended session is remembered for clients that come back for its last messages. */
const REMEMBER_MILLISECONDS = 60_000;
/** How long finals may be waited for before no more sessions are accepted. */
const MOST_FINAL_DELAY_SECONDS = 1.5;
/** Sessions that may be opened before anything was measured. */
const SESSIONS_BEFORE_MEASURE = 4;

const liveFolder = (id: string) => `live/${id}`;

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
  private readonly opening = new Map<string, Promise<Session>>();
  private sweep: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly services: RegistryServices) {}

  /** Takes up the sessions that an earlier process left; each waits for its client from now on. */
  async start(): Promise<void> {
    const { database, machine } = this.services;
    for (const row of await activeSessions(database, machine)) {
      if (!(await ownSession(database, row.id, machine))) continue;
      await this.open(row).catch(async (error: unknown) => this.failed(row.id, error));
    }
    const sweep = () => {
      this.expireUnused().catch((error: unknown) => this.services.logger.warn({ err: error }, "live sweep failed"));
    };
    this.sweep = setInterval(sweep, SWEEP_MILLISECONDS);
    this.sweep.unref();
    sweep();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.sweep);
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

  async byToken(token: string): Promise<TokenOutcome> {
    const row = token === "" ? undefined : await jobOfToken(this.services.database, token);
    if (!row) return { kind: "unknown" };
    const known = this.sessions.get(row.id);
    if (known) return { kind: "session", session: known };
    if (row.status === "error") return { kind: row.error_code === 408 ? "expired" : "ended" };
    if (row.status === "done") return { kind: "ended" };
    const age = Date.now() - row.created_at.getTime();
    if (row.status === "queued" && age > this.services.settings.liveTokenSeconds * 1000) return { kind: "expired" };
    // A session may have been created long before: what counts is that it begins.
    const account = row.status === "queued" ? await findAccount(this.services.database, row.account_id) : undefined;
    if (account && (await this.isOverLimit(account))) return { kind: "over-limit" };
    // Its audio and journal lie on the machine that has it.
    if (!(await ownSession(this.services.database, row.id, this.services.machine))) return { kind: "elsewhere" };
    return { kind: "session", session: await this.open(row) };
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
    await session?.discard();
    await this.services.objects.removeFolder(liveFolder(id));
  }

  // --- SessionOwner ---

  async started(id: string): Promise<void> {
    await startLiveJob(this.services.database, id, new Date());
  }

  async ended(id: string, result: LiveResult, session: EndedSession): Promise<void> {
    const { database, objects, logger } = this.services;
    const fileKey = audioKey(id);
    const { headerBytes, format } = session.stored;
    const frameBytes = bytesPerFrame(format);
    const dataBytes = Math.floor(Math.max(0, session.totalBytes - headerBytes) / frameBytes) * frameBytes;
    const raw = path.join(session.folder, "audio.raw");
    const body = dataBytes > 0 ? createReadStream(raw, { start: headerBytes, end: headerBytes + dataBytes - 1 }) : [];
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
    logger.info({ session: id, seconds: result.metadata.audio_duration }, "live session ended");
    this.forgetLater(id, session);
  }

  async failed(id: string, error: unknown): Promise<void> {
    if (this.isStopping) return;
    const { database, logger } = this.services;
    logger.error({ err: error, session: id }, "live session failed");
    const { status, message } = errors.liveSessionFailed();
    await endJob(database, id, { status: "error", completedAt: new Date(), errorCode: status, errorMessage: message });
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

  /** Two connections may ask at the same time: there is one session of an id. */
  private async open(row: JobRow): Promise<Session> {
    const known = this.sessions.get(row.id) ?? this.opening.get(row.id);
    if (known) return known;
    const opened = this.load(row).finally(() => this.opening.delete(row.id));
    this.opening.set(row.id, opened);
    return opened;
  }

  private async load(row: JobRow): Promise<Session> {
    const { objects, recognition, detection, models, enhancer, analyst, settings, logger } = this.services;
    const callbacks = this.callbacksOf(row);
    const services: SessionServices = {
      ...(callbacks ? { callbacks } : {}),
      recognition,
      detection,
      enhancer,
      analyst,
      logger,
      syncEveryChunk: settings.fsync === "always",
      space: this.services.space,
      timers: {
        idleMilliseconds: settings.liveIdleSeconds * 1000,
        graceMilliseconds: settings.liveGraceSeconds * 1000,
        maximumMilliseconds: settings.liveMaximumSeconds * 1000,
      },
    };
    const folder = path.dirname(await objects.localPath(`${liveFolder(row.id)}/audio.raw`));
    const installed = await models.list();
    const plan = planSpeech(languageRequestOf(row.request_params), installed, settings);
    await models.get(plan.model);
    const englishTranslator = englishTranslatorOf(plan, installed);
    const params = sessionParams({ plan, ...(englishTranslator ? { englishTranslator } : {}) }, row.request_params);
    const startedAt = (row.started_at ?? new Date()).getTime();
    const session = await Session.open(row.id, params, folder, services, this, startedAt);
    this.sessions.set(row.id, session);
    return session;
  }

  private forgetLater(id: string, session: EndedSession): void {
    const forget = async () => {
      this.sessions.delete(id);
      await session.closeFiles();
      await rm(session.folder, { recursive: true, force: true });
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
