// Acknowledgments of stored chunks: one sync to disk for the chunks that arrive within a tenth of a second, as a sync of each frame of
// 20 ms costs more than its recognition. The chunks of a client that waits for each acknowledgment are synced at once.
import type { EventOf } from "../events/live-event.ts";

/** Chunks that arrive within this time share a sync. */
const SHARED_MILLISECONDS = 100;
/** After a chunk was alone for that time, this many later chunks are synced at once. The number doubles each time. */
const FIRST_ALONE = 50;

interface Waiting {
  event: EventOf<"chunkStored">;
  /** Whether the connection that sent the chunk is still the session's. */
  isCurrent(): boolean;
}

interface AcknowledgmentParts {
  /** Resolves when all chunks so far are durable. */
  stored(): Promise<void>;
  send(events: EventOf<"chunkStored">[]): void;
  /** The chunks cannot become durable. */
  onStorageError(error: unknown): void;
}

export class Acknowledgments {
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Chunks that are being synced. */
  private syncing = 0;
  /** Resolves when the chunks that were synced so far are acknowledged. */
  private acknowledging: Promise<void> = Promise.resolve();
  /** Number of chunks that are still to be synced at once. */
  private alone = 0;
  /** The number after the next chunk that was alone. */
  private nextAlone = FIRST_ALONE;

  constructor(private readonly parts: AcknowledgmentParts) {}

  /** Chunks that are not acknowledged. */
  get count(): number {
    return this.waiting.length + this.syncing;
  }

  add(event: EventOf<"chunkStored">, isCurrent: () => boolean): void {
    // A client that sends while an acknowledgment is missing does not wait for acknowledgments.
    if (this.alone > 0 && this.count > 0) this.alone = 0;
    this.waiting.push({ event, isCurrent });
    const [from, until] = event.seconds;
    if (this.alone > 0 || (until - from) * 1000 >= SHARED_MILLISECONDS) {
      if (this.alone > 0) this.alone--;
      this.sync();
    } else this.timer ??= setTimeout(() => this.expire(), SHARED_MILLISECONDS);
  }

  /** Syncs at once. Resolves when the chunks so far are acknowledged, or cannot be stored. */
  async settled(): Promise<void> {
    this.sync();
    await this.acknowledging;
  }

  private expire(): void {
    if (this.waiting.length === 1) {
      this.alone = this.nextAlone;
      this.nextAlone *= 2;
    }
    this.sync();
  }

  private sync(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    const chunks = this.waiting;
    this.waiting = [];
    this.syncing += chunks.length;
    const before = this.acknowledging;
    this.acknowledging = this.acknowledge(chunks, before);
  }

  private async acknowledge(chunks: readonly Waiting[], before: Promise<void>): Promise<void> {
    try {
      await this.parts.stored();
    } catch (error) {
      this.parts.onStorageError(error);
      return;
    } finally {
      this.syncing -= chunks.length;
    }
    await before;
    // A connection that replaced this one did not send the chunk.
    const current = chunks.filter(({ isCurrent }) => isCurrent());
    if (current.length > 0) this.parts.send(current.map(({ event }) => event));
  }
}
