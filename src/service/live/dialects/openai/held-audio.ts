// The first audio of a connection that has sent no configuration: it is held for a short time. Clients that reconnect send audio before their
// session.update, and a session keeps the format and the noise reduction with which it begins.
import type { ClientEvent } from "./client-events.ts";

/** Longest time from the first audio until the session begins without a configuration, milliseconds. */
const MOST_HELD_MILLISECONDS = 1_000;
/** About 22 s of PCM of 24 kHz, which a client that reconnects may have collected. */
const MOST_HELD_BYTES = 1_048_576;

/** @property bytes  length of the frame */
export interface HeldEvent {
  event: ClientEvent;
  bytes: number;
}

export class HeldAudio {
  readonly events: HeldEvent[] = [];
  private bytes = 0;
  private until: number | undefined;

  /** @param now  milliseconds, on a clock that never goes back */
  constructor(private readonly now: () => number) {}

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  add(held: HeldEvent): void {
    this.until ??= this.now() + MOST_HELD_MILLISECONDS;
    this.events.push(held);
    this.bytes += held.bytes;
  }

  /** Until the session begins; undefined while no audio is held. */
  get millisecondsLeft(): number | undefined {
    return this.until === undefined ? undefined : Math.max(0, this.until - this.now());
  }

  get isOver(): boolean {
    return this.bytes > MOST_HELD_BYTES || this.millisecondsLeft === 0;
  }
}
