// Messages of live sessions on their way to viewers: those of this process, and those of other processes where the logs of sessions have a
// messenger. A process with viewers announces the sessions that they watch, and the owner of such a session publishes its messages. A message
// that is lost is read from the database instead, unless it is a partial.
import { randomUUID } from "node:crypto";
import type { Messenger } from "../log/log-contract.ts";

/** A message for viewers. @property number  of a stored message; undefined for a partial */
export interface FedMessage {
  number?: number;
  /** Of the message. */
  type: string;
  message: string;
}

type Viewer = (fed: FedMessage) => void;

/** A message as other processes receive it. */
interface RelayedMessage extends FedMessage {
  /** The process that published it. */
  from: string;
}

/** Topic of announcements: the process that announces, a space, and the id of a session that it watches. */
const WATCHED = "watched";
const messagesOf = (sessionId: string) => `viewers.${sessionId}`;
const ANNOUNCE_MILLISECONDS = 5_000;
/** A session counts as watched for this long after the last announcement: two announcements may be lost. */
const WATCHED_MILLISECONDS = 3 * ANNOUNCE_MILLISECONDS;
/** Announced sessions that are stored at most. Those whose announcement has expired are removed first. */
const MOST_ANNOUNCED = 10_000;

interface Watched {
  viewers: Set<Viewer>;
  unsubscribe: () => void;
}

export class ViewerFeeds {
  private readonly watched = new Map<string, Watched>();
  /** Sessions that viewers of other processes watch, each with the time at which its announcement expires. */
  private readonly announced = new Map<string, number>();
  private readonly self = randomUUID();
  private announcing: NodeJS.Timeout | undefined;

  constructor(
    private readonly messenger: Messenger | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Receives which sessions are watched elsewhere, in a process that runs live sessions. */
  listen(): void {
    this.messenger?.subscribe(WATCHED, (text) => {
      const [from, id = ""] = text.split(" ");
      if (from !== this.self) this.note(id);
    });
  }

  /** Calls `viewer` with each message of a session. @returns a function that ends that */
  watch(sessionId: string, viewer: Viewer): () => void {
    const own = this.watched.get(sessionId) ?? { viewers: new Set(), unsubscribe: this.subscribe(sessionId) };
    this.watched.set(sessionId, own);
    own.viewers.add(viewer);
    return () => {
      own.viewers.delete(viewer);
      if (own.viewers.size > 0 || this.watched.get(sessionId) !== own) return;
      this.watched.delete(sessionId);
      own.unsubscribe();
      if (this.watched.size > 0) return;
      clearInterval(this.announcing);
      this.announcing = undefined;
    };
  }

  /** Number of viewers in this process. */
  countOf(sessionId: string): number {
    return this.watched.get(sessionId)?.viewers.size ?? 0;
  }

  /** Whether a viewer of any process receives messages of this session. */
  isWatched(sessionId: string): boolean {
    return this.countOf(sessionId) > 0 || this.isWatchedElsewhere(sessionId);
  }

  /** Sends a message of a session that this process owns. */
  send(sessionId: string, fed: FedMessage): void {
    this.give(sessionId, fed);
    if (!this.isWatchedElsewhere(sessionId)) return;
    const relayed: RelayedMessage = { ...fed, from: this.self };
    this.messenger?.publish(messagesOf(sessionId), JSON.stringify(relayed));
  }

  private give(sessionId: string, fed: FedMessage): void {
    for (const viewer of this.watched.get(sessionId)?.viewers ?? []) viewer(fed);
  }

  private isWatchedElsewhere(sessionId: string): boolean {
    return (this.announced.get(sessionId) ?? Number.NEGATIVE_INFINITY) > this.now();
  }

  private subscribe(sessionId: string): () => void {
    const { messenger } = this;
    if (!messenger) return () => undefined;
    const unsubscribe = messenger.subscribe(messagesOf(sessionId), (text) => {
      const { from, ...fed } = JSON.parse(text) as RelayedMessage;
      if (from !== this.self) this.give(sessionId, fed);
    });
    const announce = (id: string) => messenger.publish(WATCHED, `${this.self} ${id}`);
    announce(sessionId);
    this.announcing ??= setInterval(() => {
      for (const id of this.watched.keys()) announce(id);
    }, ANNOUNCE_MILLISECONDS).unref();
    return unsubscribe;
  }

  private note(sessionId: string): void {
    // The entry is deleted first, so that the map keeps the order of the announcements.
    this.announced.delete(sessionId);
    this.announced.set(sessionId, this.now() + WATCHED_MILLISECONDS);
    for (const [id, until] of this.announced) {
      if (until > this.now() && this.announced.size <= MOST_ANNOUNCED) break;
      this.announced.delete(id);
    }
  }
}
