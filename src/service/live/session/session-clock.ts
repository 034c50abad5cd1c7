// The timers of a session: ends it when its client is silent or disconnected for too long, or at the maximum length.
// Countdowns leave out the time in which this process was stalled: a client cannot reach it then.
import { Countdown } from "../../../platform/process/countdown.ts";
import type { SessionTimers } from "./session-contract.ts";

/** The client of a new session connects in this time, even if there is no grace period. */
const LEAST_AWAY_MILLISECONDS = 100;
/** What a session that continues in this process has left at least: enough for its client to resend audio. */
const LEAST_LENGTH_MILLISECONDS = 5_000;

export interface ClockEvents {
  /** The client is connected and silent. */
  idle(): void;
  /** The client did not reconnect, or the session has reached its maximum length. */
  over(cause: "away" | "length"): void;
  /** Whether clients could return to this process lately. */
  mayReturn(): boolean;
  /** Whether the client can send at present: its connection is read, and no large frame is arriving, before whose end nothing else can. */
  maySend(): boolean;
}

export class SessionClock {
  private idleTimer: Countdown | undefined;
  private awayTimer: Countdown | undefined;
  private lengthTimer: Countdown | undefined;
  private awayMilliseconds: number;

  constructor(
    private readonly limits: SessionTimers,
    private readonly events: ClockEvents,
  ) {
    this.awayMilliseconds = limits.graceMilliseconds;
  }

  /** Called at the first connection in this process. @param elapsedMilliseconds  since the first connection of the session */
  started(elapsedMilliseconds: number): void {
    const { awayMilliseconds, maximumMilliseconds } = this.limits;
    this.awayMilliseconds = awayMilliseconds;
    const least = Math.min(LEAST_LENGTH_MILLISECONDS, maximumMilliseconds);
    const left = Math.max(least, maximumMilliseconds - Math.max(0, elapsedMilliseconds));
    this.lengthTimer = new Countdown(left, () => this.events.over("length"));
  }

  /** Called when a client connects, and for each of its frames. */
  active(): void {
    this.awayTimer?.stop();
    this.idleTimer ??= new Countdown(this.limits.idleMilliseconds, () =>
      this.events.maySend() ? this.events.idle() : this.active(),
    );
    this.idleTimer.restart();
  }

  /** Called when the client has disconnected. */
  disconnected(): void {
    this.idleTimer?.stop();
    this.awayTimer?.stop();
    // While this process refuses connections, the client cannot return: its time begins again.
    const isAway = () => (this.events.mayReturn() ? this.events.over("away") : this.disconnected());
    this.awayTimer = new Countdown(Math.max(this.awayMilliseconds, LEAST_AWAY_MILLISECONDS), isAway);
  }

  /** The idle timer applies only to connected clients. */
  stopIdle(): void {
    this.idleTimer?.stop();
  }

  stop(): void {
    for (const timer of [this.idleTimer, this.awayTimer, this.lengthTimer]) timer?.stop();
  }
}
