// Whether this process can write to the log streams. A session whose audio cannot be stored for some time is better continued by
// another process, or later: its client holds the only copy of the audio.
import { Countdown } from "../../../../platform/process/countdown.ts";

/** The clients are disconnected after this long without a stored heartbeat, or with retries of a write. */
export const UNAVAILABLE_MILLISECONDS = 10_000;

/** Runs while something fails. */
class Outage {
  isLong = false;
  private countdown: Countdown;
  /** Number of writes that are failing. */
  count = 0;

  constructor(
    milliseconds: number,
    private readonly onLong: () => void,
  ) {
    this.countdown = this.begin(milliseconds);
  }

  private begin(milliseconds: number): Countdown {
    return new Countdown(milliseconds, () => {
      this.isLong = true;
      this.onLong();
    });
  }

  restart(): void {
    this.isLong = false;
    this.countdown.stop();
    this.countdown = this.begin(UNAVAILABLE_MILLISECONDS);
  }

  end(): void {
    this.countdown.stop();
  }
}

export class LogHealth {
  private heartbeat: Outage | undefined;
  /** By stream. */
  private readonly writes = new Map<number, Outage>();

  /** @param onUnavailable  called once for each outage. `stream` is the one that cannot be written; undefined for all. */
  constructor(private readonly onUnavailable: (stream: number | undefined) => void) {}

  /** Why nothing can be stored at present; undefined if nothing is known to be wrong. */
  get problem(): string | undefined {
    if (this.heartbeat?.isLong) return "NATS does not answer, or stores nothing";
    if ([...this.writes.values()].some(({ isLong }) => isLong)) return "NATS cannot store live sessions";
    return undefined;
  }

  /**
   * Called at the start, and whenever NATS has stored a heartbeat. NATS stores heartbeats in the same way as sessions: while it stores
   * heartbeats, it can store sessions.
   */
  heartbeatStored(): void {
    this.heartbeat?.end();
    this.heartbeat = new Outage(UNAVAILABLE_MILLISECONDS, () => this.onUnavailable(undefined));
  }

  /** A write to a stream succeeded: retries of others at the same time are no outage. */
  writeStored(stream: number): void {
    this.writes.get(stream)?.restart();
  }

  /**
   * A write failed and is retried.
   * @param sinceMilliseconds  when it began
   * @returns must be called when it is stored or given up
   */
  writeFails(stream: number, sinceMilliseconds: number): () => void {
    const left = Math.max(0, UNAVAILABLE_MILLISECONDS - sinceMilliseconds);
    const outage = this.writes.get(stream) ?? new Outage(left, () => this.onUnavailable(stream));
    this.writes.set(stream, outage);
    outage.count++;
    return () => {
      if (--outage.count > 0) return;
      outage.end();
      this.writes.delete(stream);
    };
  }

  stop(): void {
    this.heartbeat?.end();
    for (const outage of this.writes.values()) outage.end();
  }
}
