// What a session's callback address is told: each message that its own flags let through, stored in order without
// holding the session up. After a kill the session's journal tells them again; what is stored already stays as it is.
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import type { DeliveryTarget, NewDelivery } from "../../storage/db/deliveries.ts";
import { flagOf, type MessageBody, type MessageFlags } from "../connection/protocol.ts";

/** Stores deliveries of one job; those that are there already are left alone. */
export type StoreDeliveries = (target: DeliveryTarget, deliveries: NewDelivery[]) => Promise<void>;

const MOST_AT_ONCE = 500;
const RETRY_MILLISECONDS = 1_000;
/** Places between two stored messages, for those that are only reported. */
const STEP = 1_000_000;

/** Place of a message among all of a session. @param number  of the last stored message, -1 before the first */
export function sequenceOf(number: number, reportedSince = 0): number {
  return (number + 1) * STEP + reportedSince;
}

/** `start_session` comes first of all. */
export const START_SESSION_SEQUENCE = -1;

export class LiveCallbacks {
  private waiting: NewDelivery[] = [];
  private storing: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly target: DeliveryTarget,
    private readonly flags: MessageFlags,
    private readonly store: StoreDeliveries,
    private readonly logger: Logger,
  ) {}

  get wantsPartials(): boolean {
    return this.flags.receive_partial_transcripts;
  }

  wants(message: MessageBody): boolean {
    return this.flags[flagOf(message)];
  }

  /** @param text  the message as the WebSocket has it */
  add(sequence: number, message: MessageBody, text: string): void {
    if (!this.wants(message)) return;
    this.waiting.push({ id: uuid(), sequence, event: `live.${message.type}`, payload: text });
    this.storing ??= this.storeAll().finally(() => {
      this.storing = undefined;
    });
  }

  /** Resolves when all that was added is stored. */
  async settled(): Promise<void> {
    await this.storing;
  }

  /** Nothing more is stored: the session was deleted, or the next process goes on with it. */
  stop(): void {
    this.isStopped = true;
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0 && !this.isStopped) {
      const batch = this.waiting.slice(0, MOST_AT_ONCE);
      try {
        await this.store(this.target, batch);
        this.waiting.splice(0, batch.length);
      } catch (error) {
        if (this.isStopped) return;
        this.logger.error(
          { err: error, session: this.target.jobId },
          "live callbacks could not be stored; trying again",
        );
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      }
    }
  }
}
