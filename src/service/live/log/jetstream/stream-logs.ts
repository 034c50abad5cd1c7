// Logs of live sessions in JetStream: any machine can take over any session; one machine owns it at a time.
import { rm } from "node:fs/promises";
import path from "node:path";
import { isLogLost } from "../../../../platform/errors.ts";
import type { Database } from "../../../../platform/storage/db/database.ts";
import { noteOwner, sessionsWithout } from "../../../../platform/storage/db/jobs/live-sessions.ts";
import type { Claim, LossReason, SessionLog, SessionLogs } from "../log-contract.ts";
import { type Broker, type BrokerOptions, openBroker, streamName, subjectOf } from "./broker.ts";
import { FencedSubject, type SubjectLocation } from "./fenced-subject.ts";
import { Owners, type Ownership } from "./owners.ts";
import { retryFor } from "./retry.ts";
import { StreamLog } from "./stream-log.ts";

export interface StreamLogsOptions extends Omit<BrokerOptions, "machineSeconds"> {
  database: Database;
  /** Name of this machine, stable over restarts. */
  machine: string;
  /** For the copies of the audio. */
  folder: string;
}

const MACHINE_SECONDS = 15;
const HEARTBEAT_MILLISECONDS = 4_000;
/**
 * A machine that takes over a session publishes a notice; after a refused write, the former owner waits this long for
 * it.
 */
const NOTICE_MILLISECONDS = 500;
/** Longest time that a connecting client waits for a log that cannot be read. */
const OPEN_MILLISECONDS = 25_000;
/** Leaves room for the headers of a message. */
const MOST_PIECE_BYTES = 512 * 1024;
/** Largest message, if the server does not report it. */
const USUAL_MESSAGE_BYTES = 1_048_576;

interface Notice {
  id: string;
  /** How the session was taken over; undefined if it was deleted. */
  taken?: { by: Claim["by"]; revision: number };
}

function streamNumberOf(id: string, count: number): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return sum % count;
}

export class StreamLogs implements SessionLogs {
  readonly isShared = true;
  private readonly owned = new Map<string, Ownership>();
  private readonly owners: Owners;
  private onLost: (id: string, reason: LossReason) => void = () => undefined;

  private constructor(
    private readonly options: StreamLogsOptions,
    private readonly broker: Broker,
  ) {
    this.owners = new Owners(broker, options.machine, options.logger);
  }

  /** @throws settings.invalid */
  static async connect(options: StreamLogsOptions): Promise<StreamLogs> {
    return new StreamLogs(options, await openBroker({ ...options, machineSeconds: MACHINE_SECONDS }));
  }

  async start(onLost: (id: string, reason: LossReason) => void): Promise<void> {
    this.onLost = onLost;
    // Copies of an earlier process.
    await rm(this.options.folder, { recursive: true, force: true });
    await this.owners.start(HEARTBEAT_MILLISECONDS);
    this.broker.connection.subscribe(this.noticeSubject, {
      callback: (_error, message) => this.handleNotice(message.json<Notice>()),
    });
  }

  async open(id: string, claim: Claim): Promise<SessionLog | undefined> {
    const { database, machine, logger, prefix, streams } = this.options;
    const take = () => this.owners.claim(id, claim, streamNumberOf(id, streams));
    const ownership = await (claim.by === "client" ? retryFor(OPEN_MILLISECONDS, take) : take());
    if (!ownership) return undefined;
    this.owned.set(id, ownership);
    try {
      await noteOwner(database, id, machine);
      const { stream, revision, former } = ownership;
      if (former !== null && former !== machine) this.publishNotice({ id, taken: { by: claim.by, revision } });
      const place = { stream: streamName(prefix, stream), subject: subjectOf(prefix, stream, id), epoch: revision };
      const subject = this.subjectAt(place, id, ownership);
      const folder = path.join(this.options.folder, `${id}-${revision}`);
      const { owned } = this;
      const held = {
        get isLost() {
          return owned.get(id) !== ownership;
        },
        release: () => this.release(id, ownership),
      };
      const read = async () => {
        const last = await subject.claim();
        return StreamLog.open(this.broker, place, subject, last, folder, held, logger);
      };
      return await retryFor(OPEN_MILLISECONDS, read, isLogLost);
    } catch (error) {
      if (!isLogLost(error)) logger.warn({ err: error, session: id }, "a live log could not be opened");
      await this.release(id, ownership);
      throw error;
    }
  }

  async confirm(id: string): Promise<boolean> {
    const ownership = this.owned.get(id);
    if (ownership && (await this.owners.holds(id, ownership))) return true;
    this.loseOwnership(id, "taken", ownership);
    return false;
  }

  async abandoned(): Promise<string[]> {
    const others = (await this.owners.runningMachines()).filter((name) => name !== this.options.machine);
    return sessionsWithout(this.options.database, others);
  }

  isKept(id: string): Promise<boolean> {
    return this.owners.has(id);
  }

  async remove(id: string, why: "ended" | "deleted"): Promise<void> {
    const { prefix } = this.options;
    // Another machine may own an ended session by now, to deliver the last messages.
    const revision = why === "ended" ? this.owned.get(id)?.revision : undefined;
    if (why === "ended" && revision === undefined) return;
    this.owned.delete(id);
    if (why === "deleted") this.publishNotice({ id });
    const stream = await this.owners.remove(id, revision);
    if (stream === undefined) return;
    await this.broker.manager.streams.purge(streamName(prefix, stream), { filter: subjectOf(prefix, stream, id) });
  }

  async check(): Promise<void> {
    await this.broker.manager.getAccountInfo();
  }

  async stop(): Promise<void> {
    const { logger } = this.options;
    await this.owners
      .stop()
      .catch((error: unknown) => logger.warn({ err: error }, "the heartbeat entry could not be removed from NATS"));
    await this.broker.connection.close();
  }

  private get noticeSubject(): string {
    return `${this.options.prefix}.notices`;
  }

  private subjectAt(place: SubjectLocation, id: string, ownership: Ownership): FencedSubject {
    const largest = this.broker.connection.info?.max_payload ?? USUAL_MESSAGE_BYTES;
    const pieceBytes = Math.min(MOST_PIECE_BYTES, Math.floor(largest / 2));
    // A refused write does not say who took over the session; the new owner's notice does, and may arrive later.
    const onLost = () => {
      setTimeout(() => this.loseOwnership(id, "taken", ownership), NOTICE_MILLISECONDS).unref();
    };
    return new FencedSubject(this.broker, place, pieceBytes, onLost, this.options.logger);
  }

  private publishNotice(notice: Notice): void {
    this.broker.connection.publish(this.noticeSubject, JSON.stringify(notice));
  }

  private handleNotice({ id, taken }: Notice): void {
    const reason = !taken ? "deleted" : taken.by === "client" ? "replaced" : "taken";
    // This machine also receives its own notices, and may have taken the session back since.
    if (!taken || (this.owned.get(id)?.revision ?? 0) < taken.revision) this.loseOwnership(id, reason);
  }

  private loseOwnership(id: string, reason: LossReason, ownership = this.owned.get(id)): void {
    // The session may have been taken back in the meantime.
    if (!ownership || this.owned.get(id) !== ownership) return;
    this.owned.delete(id);
    this.onLost(id, reason);
  }

  /** Lets any machine claim the session. */
  private async release(id: string, ownership: Ownership): Promise<void> {
    if (this.owned.get(id) !== ownership) return;
    this.owned.delete(id);
    const { database, logger } = this.options;
    try {
      if (await this.owners.release(id, ownership)) await noteOwner(database, id, null);
    } catch (error) {
      logger.warn({ err: error, session: id }, "a live session could not be released; other machines will recover it");
    }
  }
}
