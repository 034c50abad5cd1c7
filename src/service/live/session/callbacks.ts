// Callbacks of a session: stores each event that the callback address subscribed to, in order. Sending does not wait for
// this; a session accepts no further frames while too many callbacks wait. After a kill they are created again from the
// journal; those already stored stay unchanged.
import type { Logger } from "pino";
import { v7 as uuid } from "uuid";
import { OneRun } from "../../../platform/process/one-run.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import type { DeliveryTarget, NewDelivery } from "../../../platform/storage/db/deliveries/deliveries.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { classOf, type EmittedEvent, type EventClass, type LiveEvent, mayBeStored } from "../events/live-event.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { Subscription } from "../events/subscription.ts";

/** Stores deliveries of one job; existing ones are unchanged. */
export type StoreDeliveries = (target: DeliveryTarget, deliveries: NewDelivery[]) => Promise<void>;

const MOST_AT_ONCE = 500;
const RETRY_MILLISECONDS = 1_000;
/**
 * Callbacks that wait to be stored, printed or not. If more than the first number wait, `room` waits until fewer than the second remain.
 */
const MOST_WAITING = 20_000;
const ROOM_BELOW = MOST_WAITING / 2;
/** Sequence numbers between two persisted events, for events that are not persisted. */
const STEP = 1_000_000;

/** Sequence number of an event. @param number  of the last persisted event, -1 before the first */
export function sequenceOf(number: number, reportedSince = 0): number {
  return (number + 1) * STEP + reportedSince;
}

/** `sessionCreated` precedes all other events. */
export const START_SESSION_SEQUENCE = -1;

/** The event is printed when its batch is stored: after a restart, all events of a session wait. */
interface Waiting {
  sequence: number;
  emitted: EmittedEvent;
  printed?: NewDelivery;
}

export class LiveCallbacks {
  private waiting: Waiting[] = [];
  private readonly storing = new OneRun(
    () => this.waiting.length > 0 && !this.isStopped,
    () => this.storeAll(),
  );
  private isStopped = false;
  private waitingForRoom: (() => void)[] = [];

  constructor(
    private readonly target: DeliveryTarget,
    private readonly subscription: Subscription,
    private readonly format: RecordFormat,
    private readonly store: StoreDeliveries,
    private readonly logger: Logger,
  ) {}

  includesClass(eventClass: EventClass): boolean {
    return this.subscription.has(eventClass);
  }

  includes(event: LiveEvent): boolean {
    // Callbacks are stored until they are delivered.
    if (!mayBeStored(event)) return false;
    const eventClass = classOf(event);
    return eventClass !== undefined && this.subscription.has(eventClass);
  }

  add(sequence: number, emitted: EmittedEvent): void {
    if (!this.includes(emitted.event)) return;
    this.waiting.push({ sequence, emitted });
    this.storing.start();
  }

  /** Whether the queue of waiting callbacks is below its bound. */
  get hasRoom(): boolean {
    return this.isStopped || this.waiting.length <= MOST_WAITING;
  }

  /** Resolves when the queue has room, or when storing has stopped. */
  async room(): Promise<void> {
    if (this.hasRoom) return;
    await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  /** Resolves when all added callbacks are stored or have failed. */
  async settled(): Promise<void> {
    await this.storing.settled();
  }

  /** Stops storing: the session was deleted, or another process continues it. */
  stop(): void {
    this.isStopped = true;
    this.freeRoom();
  }

  private freeRoom(): void {
    for (const resolve of this.waitingForRoom.splice(0)) resolve();
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0 && !this.isStopped) {
      const batch = this.waiting.slice(0, MOST_AT_ONCE);
      try {
        await this.storeBatch(batch.map((one) => this.deliveryOf(one)));
        this.waiting.splice(0, batch.length);
        if (this.waiting.length < ROOM_BELOW) this.freeRoom();
      } catch (error) {
        if (this.isStopped) return;
        this.logger.error({ err: error, session: this.target.jobId }, "live callbacks could not be stored; retrying");
        await sleep(RETRY_MILLISECONDS);
      }
    }
  }

  private deliveryOf(one: Waiting): NewDelivery {
    const { sequence, emitted } = one;
    const event = `live.${this.format.nameOf(emitted.event)}`;
    one.printed ??= { id: uuid(), sequence, event, payload: this.format.print(emitted) };
    return one.printed;
  }

  /**
   * A callback that can never be stored is dropped, so that it blocks neither the other callbacks nor the end of its
   * session.
   * @throws transient errors
   */
  private async storeBatch(batch: NewDelivery[]): Promise<void> {
    try {
      await this.store(this.target, batch);
      return;
    } catch (error) {
      if (mustWait(error) || this.isStopped) throw error;
    }
    for (const delivery of batch) {
      try {
        await this.store(this.target, [delivery]);
      } catch (error) {
        if (mustWait(error) || this.isStopped) throw error;
        const { jobId: session } = this.target;
        this.logger.error({ err: error, session, event: delivery.event }, "a live callback cannot be stored");
      }
    }
  }
}
