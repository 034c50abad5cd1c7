// What goes out to the client: one message after another, on disk before it is sent, kept for a client that is away.

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

/** Where messages go. */
export interface Receiver {
  /** Takes the text of a message; rejects when it cannot be handed over. */
  send(text: string): Promise<void>;
  /** Resolves when all that was sent has reached the client; rejects when that will never be known. */
  arrival(): Promise<void>;
}

interface Waiting {
  number: number;
  text: string;
}

const MOST_WAITING_MESSAGES = 10_000;

export class Outbox {
  private receiver: Receiver | undefined;
  private outgoing: Promise<void> = Promise.resolve();
  /** Messages that no connection has taken yet. */
  private waiting: Waiting[] = [];
  /** Messages that were sent and may be lost on the way with their connection. */
  private underWay: Waiting[] = [];
  private nextNumber = 0;
  private readonly kept: string[] = [];
  private readonly told = new Set<string>();
  /** Messages since the last stored one. */
  private reported = 0;

  /**
   * @param onTold     sees every message that outlives a connection, those of an earlier process included
   * @param callbacks  is told the same, and what is only reported
   */
  constructor(
    private readonly sessionId: string,
    private readonly flags: MessageFlags,
    private readonly log: Pick<SessionLog, "note">,
    private readonly onTold: (message: MessageBody) => void,
    private readonly callbacks?: LiveCallbacks,
  ) {}

  /** Every message that was made for the client, but acknowledgments and partials. */
  get messages(): readonly string[] {
    return this.kept;
  }

  has(type: MessageBody["type"]): boolean {
    return this.told.has(type);
  }

  /** Takes up what an earlier process wrote down. */
  replay(entries: JournalEntry[]): void {
    let arrivedBelow = 0;
    for (const entry of entries) {
      if (entry.kind === "arrived") arrivedBelow = Math.max(arrivedBelow, entry.below);
      if (entry.kind !== "message") continue;
      const message = JSON.parse(entry.text) as Message;
      this.remember(message, entry.text);
      this.callbacks?.add(sequenceOf(entry.number), message, entry.text);
      if (this.isWanted(message)) this.waiting.push({ number: entry.number, text: entry.text });
      this.nextNumber = entry.number + 1;
    }
    this.waiting = this.waiting.filter(({ number }) => number >= arrivedBelow);
  }

  /**
   * The connection that messages go to from now on. What waited is handed to it first, and what the one before may have
   * lost: rather twice than never; a message has the same id both times.
   */
  async attach(receiver: Receiver): Promise<void> {
    this.receiver = receiver;
    await this.inTurn(() => {
      this.waiting = [...this.underWay, ...this.waiting];
      this.underWay = [];
      return this.deliver();
    });
  }

  detach(): void {
    this.receiver = undefined;
  }

  /** Resolves when everything that was told so far is out or kept. */
  async settled(): Promise<void> {
    await this.outgoing;
  }

  /** A message that is stored first, together with `entries`, and kept for a client that is away. */
  tell(body: MessageBody, ...entries: JournalEntry[]): Promise<void> {
    return this.inTurn(async () => {
      const message = this.envelope(body);
      const text = printMessage(message);
      const number = this.nextNumber++;
      this.remember(message, text);
      await this.log.note({ kind: "message", number, text }, ...entries);
      this.reported = 0;
      this.callbacks?.add(sequenceOf(number), message, text);
      if (!this.isWanted(body)) return;
      this.waiting.push({ number, text });
      if (this.waiting.length > MOST_WAITING_MESSAGES) this.waiting.shift();
      await this.deliver();
    });
  }

  async tellOnce(body: MessageBody): Promise<void> {
    if (!this.has(body.type)) await this.tell(body);
  }

  /** A message for whoever is there; events that outlive a connection are stored as well. */
  async report(body: MessageBody): Promise<void> {
    if (outlivesConnection(body)) return this.tell(body);
    const isWanted = this.isWanted(body);
    const isCalledBack = this.callbacks?.wants(body);
    if (!isWanted && !isCalledBack) return;
    const { receiver } = this;
    await this.inTurn(async () => {
      const text = printMessage(this.envelope(body));
      if (isCalledBack) this.callbacks?.add(sequenceOf(this.nextNumber - 1, ++this.reported), body, text);
      if (isWanted && receiver && receiver === this.receiver) await receiver.send(text);
    }).catch(() => undefined);
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.outgoing.then(task);
    this.outgoing = done.catch(() => undefined);
    return done;
  }

  private envelope(body: MessageBody): Message {
    return { session_id: this.sessionId, created_at: new Date().toISOString(), ...body } as Message;
  }

  private isWanted(message: MessageBody): boolean {
    return this.flags[flagOf(message)];
  }

  private remember(message: MessageBody, text: string): void {
    this.kept.push(text);
    this.told.add(message.type);
    this.onTold(message);
  }

  /** Hands waiting messages to the connection, in order. */
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
      this.underWay.push(message);
    }
    const below = this.waiting[0]?.number ?? this.nextNumber;
    receiver
      .arrival()
      .then(() => this.noteArrival(below))
      .catch(() => undefined);
  }

  private async noteArrival(below: number): Promise<void> {
    this.underWay = this.underWay.filter(({ number }) => number >= below);
    await this.log.note({ kind: "arrived", below });
  }
}
