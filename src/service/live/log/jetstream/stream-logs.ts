// Logs of live sessions in JetStream: any machine can take over any session; one machine owns it at a time.
import { isLogLost } from "../../../../platform/errors.ts";
import { within } from "../../../../platform/process/within.ts";
import type { Database } from "../../../../platform/storage/db/database.ts";
import { noteOwner, sessionsOf, sessionsWithout } from "../../../../platform/storage/db/jobs/live-sessions.ts";
import type { AudioCopies } from "../audio-copies.ts";
import type { Claim, LiveNode, LiveProcess, LossReason, Messenger, SessionLog, SessionLogs } from "../log-contract.ts";
import { type Broker, type BrokerOptions, openBroker, streamName, subjectOf } from "./broker.ts";
import { FencedSubject, type SubjectEvents, type SubjectLocation } from "./fenced-subject.ts";
import { LogHealth } from "./log-health.ts";
import { Nodes } from "./nodes.ts";
import { Owners, type Ownership } from "./owners.ts";
import { retryFor } from "./retry.ts";
import { StreamLog } from "./stream-log.ts";

export interface StreamLogsOptions extends Omit<BrokerOptions, "machineSeconds"> {
  database: Database;
  /** Name of this machine, stable over restarts. */
  machine: string;
  copies: AudioCopies;
}

/** A machine without a heartbeat for this long is down. */
const MACHINE_SECONDS = 15;
const HEARTBEAT_MILLISECONDS = 4_000;
/**
 * A machine that takes over a session publishes a notice; after a refused write, the former owner waits this long for
 * it.
 */
const NOTICE_MILLISECONDS = 500;
/** Longest time that a connecting client waits for a log that cannot be read. */
const OPEN_MILLISECONDS = 25_000;
/** Longest wait at a start for the heartbeats of other machines. */
const FOLLOW_MILLISECONDS = 5_000;
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
  private readonly nodeList: Nodes;
  private readonly health = new LogHealth((stream) => this.reportOutage(stream));
  private onLost: (id: string, reason: LossReason) => void = () => undefined;
  private live: LiveProcess | undefined;
  /** Found by the last round of removeLeftovers. */
  private leftovers: ReadonlySet<string> = new Set();

  private constructor(
    private readonly options: StreamLogsOptions,
    private readonly broker: Broker,
  ) {
    this.owners = new Owners(broker, options.machine);
    this.nodeList = new Nodes(broker, {
      machine: options.machine,
      downMilliseconds: MACHINE_SECONDS * 1000,
      everyMilliseconds: HEARTBEAT_MILLISECONDS,
      onStored: () => this.health.heartbeatStored(),
      now: () => performance.now(),
      logger: options.logger,
    });
  }

  /** @param open  connects to the servers @throws settings.invalid */
  static async connect(options: StreamLogsOptions, open: typeof openBroker = openBroker): Promise<StreamLogs> {
    return new StreamLogs(options, await open({ ...options, machineSeconds: MACHINE_SECONDS }));
  }

  async start(onLost: (id: string, reason: LossReason) => void, live?: LiveProcess): Promise<void> {
    this.onLost = onLost;
    this.live = live;
    // Copies of an earlier process.
    await this.options.copies.removeAll();
    await this.nodeList.start(async () => live?.report());
    await within(FOLLOW_MILLISECONDS, this.nodeList.follow()).catch(() => undefined);
    this.broker.connection.subscribe(this.noticeSubject, {
      callback: (_error, message) => this.handleNotice(message.json<Notice>()),
    });
  }

  readonly messenger: Messenger = {
    publish: (topic, text) => {
      const { connection } = this.broker;
      const fits = Buffer.byteLength(text) <= (connection.info?.max_payload ?? USUAL_MESSAGE_BYTES);
      if (fits && !connection.isClosed()) connection.publish(`${this.options.prefix}.${topic}`, text);
    },
    subscribe: (topic, onMessage) => {
      const callback = (_error: unknown, message: { string(): string }) => onMessage(message.string());
      const subscription = this.broker.connection.subscribe(`${this.options.prefix}.${topic}`, { callback });
      return () => subscription.unsubscribe();
    },
  };

  follow(): void {
    void this.nodeList.follow();
  }

  get problem(): string | undefined {
    return this.health.problem;
  }

  others(): (LiveNode | undefined)[] {
    return this.nodeList.others();
  }

  async open(id: string, claim: Claim): Promise<SessionLog | undefined> {
    const { database, machine, logger, prefix, streams, copies } = this.options;
    // While nothing can be stored, the client may find another machine.
    const isFinal = (error: unknown) => isLogLost(error) || this.problem !== undefined;
    const take = () => this.owners.claim(id, claim, streamNumberOf(id, streams));
    const ownership = await (claim.by === "client" ? retryFor(OPEN_MILLISECONDS, take, isFinal) : take());
    if (!ownership) return undefined;
    this.owned.set(id, ownership);
    try {
      await noteOwner(database, id, machine);
      const { stream, revision, former } = ownership;
      if (former !== null && former !== machine) this.publishNotice({ id, taken: { by: claim.by, revision } });
      const place = { stream: streamName(prefix, stream), subject: subjectOf(prefix, stream, id), epoch: revision };
      const subject = this.subjectAt(place, id, ownership);
      const { owned } = this;
      const held = {
        get isLost() {
          return owned.get(id) !== ownership;
        },
        release: () => this.release(id, ownership),
      };
      const read = async () => {
        const last = await subject.claim();
        return StreamLog.open(this.broker, place, subject, last, copies, `${id}-${revision}`, held, logger);
      };
      return await retryFor(OPEN_MILLISECONDS, read, isFinal);
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
    const { database, machine } = this.options;
    const others = this.nodeList.runningOthers();
    return others ? sessionsWithout(database, others) : sessionsOf(database, machine);
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

  async removeLeftovers(areOver: (ids: readonly string[]) => Promise<readonly string[]>): Promise<number> {
    const { prefix, streams, logger } = this.options;
    const found = new Set<string>();
    let removed = 0;
    for (let number = 0; number < streams; number++) {
      const name = streamName(prefix, number);
      const { state } = await this.broker.manager.streams.info(name, {
        subjects_filter: subjectOf(prefix, number, "*"),
      });
      const idOf = (subject: string) => subject.slice(subject.lastIndexOf(".") + 1);
      for (const id of await areOver(Object.keys(state.subjects ?? {}).map(idOf))) {
        if (await this.owners.isOwned(id)) continue;
        found.add(id);
        if (!this.leftovers.has(id)) continue;
        await this.owners.remove(id);
        await this.broker.manager.streams.purge(name, { filter: subjectOf(prefix, number, id) });
        removed++;
      }
    }
    this.leftovers = found;
    if (removed > 0) logger.info({ sessions: removed }, "logs of sessions that are over were removed from NATS");
    return removed;
  }

  async check(): Promise<void> {
    await this.broker.manager.getAccountInfo();
  }

  async stop(): Promise<void> {
    const { logger } = this.options;
    this.health.stop();
    await this.nodeList
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
    const events: SubjectEvents = {
      lost: () => {
        setTimeout(() => this.loseOwnership(id, "taken", ownership), NOTICE_MILLISECONDS).unref();
      },
      stored: () => this.health.writeStored(ownership.stream),
      fails: (sinceMilliseconds) => this.health.writeFails(ownership.stream, sinceMilliseconds),
    };
    return new FencedSubject(this.broker, place, pieceBytes, events, this.options.logger);
  }

  private reportOutage(stream: number | undefined): void {
    const affected = [...this.owned].filter(([, ownership]) => stream === undefined || ownership.stream === stream);
    this.options.logger.error(
      { sessions: affected.length },
      "live sessions cannot be stored; clients are disconnected",
    );
    for (const [id] of affected) this.live?.onUnavailable(id);
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
