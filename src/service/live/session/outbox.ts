// Outgoing events: persisted before they are sent, in order, and kept for a disconnected client. A client that reconnects, here or at another
// process, gets the persisted events that it missed; after a crash, the log has each persisted event that a client has seen.
// An event that cannot be persisted is not sent, and its call rejects. Events that a connection did not confirm are sent again on the next one, with the same ids.
// A client that reads too slowly gets no partials; above 10,000 waiting events, the oldest are no longer sent.
import type { Steps } from "../../../platform/process/steps.ts";
import { classOf, type EmittedEvent, identityOf, type LiveEvent, outlivesConnection } from "../events/live-event.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { Subscription } from "../events/subscription.ts";
import type { JournalEntry, SessionLog, StoredEvent } from "../log/log-contract.ts";
import type { SessionViewers } from "../viewers/session-viewers.ts";
import { type LiveCallbacks, sequenceOf } from "./callbacks.ts";

/** Destination of events. */
export interface Receiver {
  /** Whether it receives every persisted event, from the first one on. */
  readonly receivesAll?: boolean;
  /** Sends an event; rejects if the connection cannot send it. */
  send(emitted: EmittedEvent): Promise<void>;
  /** Sends messages of the dialect itself, as they are when their turn comes. */
  answer(print: () => string[]): Promise<void>;
  /** Resolves when the client has received everything sent so far; rejects if the connection ends first. */
  arrival(): Promise<void>;
}

interface Waiting {
  number: number;
  emitted: EmittedEvent;
}

export interface OutboxParts {
  sessionId: string;
  /** Classes of events that the client receives. */
  subscription: Subscription;
  log: Pick<SessionLog, "appendEntries" | "isShared">;
  /** Of `messages`, and of the journal's entries that the previous version reads. */
  format: RecordFormat;
  /** Called for every persisted event, including those of an earlier process. */
  onEvent(event: LiveEvent): void;
  /** Receives the same events, and those that are not persisted. */
  callbacks?: LiveCallbacks;
  /** Receives the events that the client receives. */
  viewers?: Pick<SessionViewers, "add" | "takes">;
}

const MOST_WAITING_EVENTS = 10_000;
/**
 * Events waiting for the connection: above the first number partials are dropped and `room` waits, until fewer than
 * the second remain.
 */
const MOST_UNSENT_EVENTS = 1_000;
const ROOM_BELOW_EVENTS = 500;

export class Outbox {
  private receiver: Receiver | undefined;
  private outgoing: Promise<void> = Promise.resolve();
  /** Events that were not sent yet. */
  private waiting: Waiting[] = [];
  /** Events that were sent and not confirmed: they may be lost with their connection. */
  private unconfirmed: Waiting[] = [];
  private nextNumber = 0;
  /** The persisted events, or their texts. */
  private readonly kept: (EmittedEvent | string)[] = [];
  /** Of the persisted events. */
  private readonly identities = new Set<string>();
  /** Events since the last persisted one. */
  private sinceLastStored = 0;
  private unsent = 0;
  private waitingForRoom: (() => void)[] = [];

  constructor(private readonly parts: OutboxParts) {}

  /** The persisted events in the record format. Those of an earlier process are printed now: a session of hours has 20 MB of them. */
  *messages(): Steps<string[]> {
    const texts: string[] = [];
    for (const one of this.kept) {
      yield;
      texts.push(typeof one === "string" ? one : this.parts.format.print(one));
    }
    return texts;
  }

  /** Whether an event of this identity was persisted, see `identityOf`. */
  has(identity: string): boolean {
    return this.identities.has(identity);
  }

  /** Restores the events of an earlier process. */
  replay(entries: JournalEntry[]): void {
    let arrivedBelow = 0;
    for (const entry of entries) {
      if (entry.kind === "renumbered") this.nextNumber = Math.max(this.nextNumber, entry.from);
      if (entry.kind === "arrived") arrivedBelow = Math.max(arrivedBelow, entry.below);
      if (entry.kind !== "message") continue;
      // Its number is used, whether or not this version can read it.
      this.nextNumber = entry.number + 1;
      this.restore(entry);
    }
    this.waiting = this.waiting.filter(({ number }) => number >= arrivedBelow);
  }

  /**
   * Called once after `replay`, before other events. Callbacks of events that were not persisted have sequence numbers after the last
   * persisted one. An earlier process may have used them, so this one begins with the next number.
   */
  async resume(): Promise<void> {
    if (!this.parts.callbacks || this.nextNumber === 0) return;
    const from = ++this.nextNumber;
    await this.enqueue(() => this.parts.log.appendEntries({ kind: "renumbered", from }));
  }

  private restore({ number, at, event, text }: StoredEvent): void {
    const emitted = event && at !== undefined ? { sessionId: this.parts.sessionId, at, event } : this.parse(text);
    if (!emitted) return;
    if (classOf(emitted.event) === undefined) {
      // A later version added this event. Its text belongs to the result.
      if (text !== undefined) this.kept.push(text);
      return;
    }
    this.kept.push(emitted);
    this.observe(emitted);
    this.parts.callbacks?.add(sequenceOf(number), emitted);
    this.parts.viewers?.add(emitted);
    if (this.isEnabled(emitted.event)) this.waiting.push({ number, emitted });
  }

  /** An entry that the previous version stored. */
  private parse(text: string | undefined): EmittedEvent | undefined {
    return text === undefined ? undefined : this.parts.format.parse(text);
  }

  /**
   * Sets the connection for further events. It first gets the waiting events and those that the previous connection
   * may have lost: an event may arrive twice, with the same id, but is never lost.
   */
  async attach(receiver: Receiver): Promise<void> {
    this.receiver = receiver;
    await this.enqueue(async () => {
      this.waiting = [...this.unconfirmed, ...this.waiting];
      this.unconfirmed = [];
      if (receiver.receivesAll) await this.sendAll(receiver);
      await this.deliver();
    });
  }

  /** Sends every persisted event, those that wait included. If the connection breaks, these still wait. */
  private async sendAll(receiver: Receiver): Promise<void> {
    for (const one of this.kept) {
      const emitted = typeof one === "string" ? this.parse(one) : one;
      if (!emitted || !this.isEnabled(emitted.event)) continue;
      try {
        await receiver.send(emitted);
      } catch {
        return;
      }
    }
    this.unconfirmed = this.waiting;
    this.waiting = [];
    this.confirm(receiver, this.nextNumber);
  }

  detach(): void {
    this.receiver = undefined;
  }

  /** Resolves when all events so far are sent or kept. */
  async settled(): Promise<void> {
    await this.outgoing;
  }

  /** Whether the client keeps up with its events. */
  get hasRoom(): boolean {
    return this.unsent <= MOST_UNSENT_EVENTS;
  }

  /** Resolves when the client has read enough events. */
  async room(): Promise<void> {
    if (this.hasRoom) return;
    await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  /** Persists an event together with `entries`, then sends it; keeps it while no client is connected. */
  persistAndSend(event: LiveEvent, ...entries: JournalEntry[]): Promise<void> {
    const { log, format, callbacks, viewers } = this.parts;
    return this.enqueue(async () => {
      const emitted = this.emitted(event);
      const number = this.nextNumber++;
      this.kept.push(format.print(emitted));
      this.observe(emitted);
      const stored: StoredEvent = { kind: "message", number, at: emitted.at, event };
      await log.appendEntries(log.isShared ? { ...stored, text: format.print(emitted) } : stored, ...entries);
      this.sinceLastStored = 0;
      callbacks?.add(sequenceOf(number), emitted);
      viewers?.add(emitted);
      if (!this.isEnabled(event)) return;
      this.waiting.push({ number, emitted });
      if (this.waiting.length > MOST_WAITING_EVENTS) this.waiting.shift();
      await this.deliver();
    });
  }

  async persistAndSendOnce(event: LiveEvent): Promise<void> {
    if (!this.has(identityOf(event))) await this.persistAndSend(event);
  }

  /** Sends an event to the current connection only; an event that outlives a connection is persisted first. */
  async send(event: LiveEvent): Promise<void> {
    if (outlivesConnection(event)) return this.persistAndSend(event);
    await this.sendTogether([event]);
  }

  /** Sends events that are not persisted, in order, to the current connection, the callback address and viewers. No later connection gets them. */
  async sendTogether(events: readonly LiveEvent[]): Promise<void> {
    const { receiver, hasRoom } = this;
    const { callbacks, viewers } = this.parts;
    // The next partial replaces one that is not sent.
    const isForConnection = (event: LiveEvent) => this.isEnabled(event) && (hasRoom || event.kind !== "partial");
    const isForCallback = (event: LiveEvent) => callbacks?.includes(event) === true;
    const isForViewers = (event: LiveEvent) => hasRoom && viewers?.takes(event) === true;
    const wanted = events.filter((event) => isForConnection(event) || isForCallback(event) || isForViewers(event));
    if (wanted.length === 0) return;
    await this.enqueue(async () => {
      const sent: Promise<void>[] = [];
      for (const event of wanted) {
        const emitted = this.emitted(event);
        if (isForCallback(event)) callbacks?.add(sequenceOf(this.nextNumber - 1, ++this.sinceLastStored), emitted);
        if (isForViewers(event)) viewers?.add(emitted);
        if (receiver && receiver === this.receiver && isForConnection(event)) sent.push(receiver.send(emitted));
      }
      await Promise.all(sent);
    }, wanted.length).catch(() => undefined);
  }

  /** Sends the answer of a dialect to a command, to the current connection only. */
  async answer(print: () => string[]): Promise<void> {
    const { receiver } = this;
    await this.enqueue(async () => {
      if (receiver && receiver === this.receiver) await receiver.answer(print);
    }).catch(() => undefined);
  }

  /** @param events  that the task sends */
  private enqueue(task: () => Promise<void>, events = 1): Promise<void> {
    this.unsent += events;
    const done = this.outgoing.then(task).finally(() => this.sent(events));
    this.outgoing = done.catch(() => undefined);
    return done;
  }

  private sent(events: number): void {
    this.unsent -= events;
    if (this.unsent >= ROOM_BELOW_EVENTS) return;
    for (const resolve of this.waitingForRoom.splice(0)) resolve();
  }

  private emitted(event: LiveEvent): EmittedEvent {
    return { sessionId: this.parts.sessionId, at: new Date().toISOString(), event };
  }

  private isEnabled(event: LiveEvent): boolean {
    const eventClass = classOf(event);
    return eventClass !== undefined && this.parts.subscription.has(eventClass);
  }

  private observe({ event }: EmittedEvent): void {
    this.identities.add(identityOf(event));
    this.parts.onEvent(event);
  }

  /** Sends the waiting events, in order. */
  private async deliver(): Promise<void> {
    const { receiver } = this;
    if (!receiver || this.waiting.length === 0) return;
    const handed = this.waiting;
    this.waiting = [];
    for (const [index, next] of handed.entries()) {
      try {
        await receiver.send(next.emitted);
      } catch {
        this.waiting = [...handed.slice(index), ...this.waiting];
        break;
      }
      this.unconfirmed.push(next);
    }
    this.confirm(receiver, this.waiting[0]?.number ?? this.nextNumber);
  }

  /** Records the arrival of the events below a number once the client has received them. */
  private confirm(receiver: Receiver, below: number): void {
    receiver
      .arrival()
      .then(() => this.recordArrival(below))
      .catch(() => undefined);
  }

  private async recordArrival(below: number): Promise<void> {
    this.unconfirmed = this.unconfirmed.filter(({ number }) => number >= below);
    await this.parts.log.appendEntries({ kind: "arrived", below });
  }
}
