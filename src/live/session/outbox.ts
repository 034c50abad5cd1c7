// Outgoing messages: persisted before they are sent, in order, and kept for a disconnected client.

import {
  flagOf,
  type Message,
  type MessageBody,
  type MessageFlags,
  outlivesConnection,
  printMessage,
} from "../connection/protocol.ts";
import type { JournalEntry, SessionLog } from "../log/log-contract.ts";
import { type LiveCallbacks, sequenceOf } from "./callbacks.ts";

/** Destination of messages. */
export interface Receiver {
  /** Sends the text of a message; rejects if the connection does not take it. */
  send(text: string): Promise<void>;
  /** Resolves when the client has received everything sent so far; rejects if the connection ends first. */
  arrival(): Promise<void>;
}

interface Waiting {
  number: number;
  text: string;
}

const MOST_WAITING_MESSAGES = 10_000;
/**
 * Messages waiting for the connection: above the first number partials are dropped and `room` waits, until fewer than
 * the second remain.
 */
const MOST_UNSENT_MESSAGES = 1_000;
const ROOM_BELOW_MESSAGES = 500;

/** @returns undefined if the line, of an earlier version without checksums, is damaged */
function parseStored(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}

export class Outbox {
  private receiver: Receiver | undefined;
  private outgoing: Promise<void> = Promise.resolve();
  /** Messages that were not sent yet. */
  private waiting: Waiting[] = [];
  /** Messages that were sent and not confirmed: they may be lost with their connection. */
  private unconfirmed: Waiting[] = [];
  private nextNumber = 0;
  private readonly kept: string[] = [];
  private readonly sentTypes = new Set<string>();
  /** Messages since the last persisted one. */
  private sinceLastStored = 0;
  private unsent = 0;
  private waitingForRoom: (() => void)[] = [];

  /**
   * @param onMessage  called for every message that outlives a connection, including those of an earlier process
   * @param callbacks  receives the same messages, and those that are not persisted
   */
  constructor(
    private readonly sessionId: string,
    private readonly flags: MessageFlags,
    private readonly log: Pick<SessionLog, "appendEntries">,
    private readonly onMessage: (message: MessageBody) => void,
    private readonly callbacks?: LiveCallbacks,
  ) {}

  /** All messages except acknowledgments and partials. */
  get messages(): readonly string[] {
    return this.kept;
  }

  has(type: MessageBody["type"]): boolean {
    return this.sentTypes.has(type);
  }

  /** Restores the messages of an earlier process. */
  replay(entries: JournalEntry[]): void {
    let arrivedBelow = 0;
    for (const entry of entries) {
      if (entry.kind === "renumbered") this.nextNumber = Math.max(this.nextNumber, entry.from);
      if (entry.kind === "arrived") arrivedBelow = Math.max(arrivedBelow, entry.below);
      if (entry.kind !== "message") continue;
      const message = parseStored(entry.text);
      if (!message) continue;
      this.collect(message, entry.text);
      this.callbacks?.add(sequenceOf(entry.number), message, entry.text);
      if (this.isEnabled(message)) this.waiting.push({ number: entry.number, text: entry.text });
      this.nextNumber = entry.number + 1;
    }
    this.waiting = this.waiting.filter(({ number }) => number >= arrivedBelow);
  }

  /**
   * Sets the connection for further messages. It first gets the waiting messages and those that the previous connection
   * may have lost: a message may arrive twice, with the same id, but is never lost.
   */
  async attach(receiver: Receiver): Promise<void> {
    this.receiver = receiver;
    await this.enqueue(() => {
      this.waiting = [...this.unconfirmed, ...this.waiting];
      this.unconfirmed = [];
      return this.deliver();
    });
  }

  detach(): void {
    this.receiver = undefined;
  }

  /** Resolves when all messages so far are sent or kept. */
  async settled(): Promise<void> {
    await this.outgoing;
  }

  /** Whether the client keeps up with its messages. */
  get hasRoom(): boolean {
    return this.unsent <= MOST_UNSENT_MESSAGES;
  }

  /** Resolves when the client has read enough messages. */
  async room(): Promise<void> {
    if (this.hasRoom) return;
    await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  /** Persists a message together with `entries`, then sends it; keeps it while no client is connected. */
  persistAndSend(body: MessageBody, ...entries: JournalEntry[]): Promise<void> {
    return this.enqueue(async () => {
      const message = this.envelope(body);
      const text = printMessage(message);
      const number = this.nextNumber++;
      this.collect(message, text);
      await this.log.appendEntries({ kind: "message", number, text }, ...entries);
      this.sinceLastStored = 0;
      this.callbacks?.add(sequenceOf(number), message, text);
      if (!this.isEnabled(body)) return;
      this.waiting.push({ number, text });
      if (this.waiting.length > MOST_WAITING_MESSAGES) this.waiting.shift();
      await this.deliver();
    });
  }

  async persistAndSendOnce(body: MessageBody): Promise<void> {
    if (!this.has(body.type)) await this.persistAndSend(body);
  }

  /** Sends a message to the current connection only; a message that outlives a connection is persisted first. */
  async send(body: MessageBody): Promise<void> {
    if (outlivesConnection(body)) return this.persistAndSend(body);
    // The next partial replaces this one.
    const isStale = body.type === "transcript" && !this.hasRoom;
    const isForConnection = this.isEnabled(body) && !isStale;
    const isForCallback = this.callbacks?.includes(body);
    if (!isForConnection && !isForCallback) return;
    const { receiver } = this;
    await this.enqueue(async () => {
      const text = printMessage(this.envelope(body));
      if (isForCallback) this.callbacks?.add(sequenceOf(this.nextNumber - 1, ++this.sinceLastStored), body, text);
      if (isForConnection && receiver && receiver === this.receiver) await receiver.send(text);
    }).catch(() => undefined);
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.unsent++;
    const done = this.outgoing.then(task).finally(() => this.sent());
    this.outgoing = done.catch(() => undefined);
    return done;
  }

  private sent(): void {
    if (--this.unsent >= ROOM_BELOW_MESSAGES) return;
    for (const resolve of this.waitingForRoom.splice(0)) resolve();
  }

  private envelope(body: MessageBody): Message {
    return { session_id: this.sessionId, created_at: new Date().toISOString(), ...body } as Message;
  }

  private isEnabled(message: MessageBody): boolean {
    return this.flags[flagOf(message)];
  }

  private collect(message: MessageBody, text: string): void {
    this.kept.push(text);
    this.sentTypes.add(message.type);
    this.onMessage(message);
  }

  /** Sends the waiting messages, in order. */
  private async deliver(): Promise<void> {
    const { receiver } = this;
    if (!receiver || this.waiting.length === 0) return;
    const handed = this.waiting;
    this.waiting = [];
    for (const [index, message] of handed.entries()) {
      try {
        await receiver.send(message.text);
      } catch {
        this.waiting = [...handed.slice(index), ...this.waiting];
        break;
      }
      this.unconfirmed.push(message);
    }
    const below = this.waiting[0]?.number ?? this.nextNumber;
    receiver
      .arrival()
      .then(() => this.recordArrival(below))
      .catch(() => undefined);
  }

  private async recordArrival(below: number): Promise<void> {
    this.unconfirmed = this.unconfirmed.filter(({ number }) => number >= below);
    await this.log.appendEntries({ kind: "arrived", below });
  }
}
