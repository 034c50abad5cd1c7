// The timers of a session: ends it when its client is silent or disconnected for too long, or at the maximum length.
// Also pauses the connection (back-pressure), for any of several reasons at once. Countdowns leave out the time in
// which this process was stalled: a client cannot reach it then.
import { Countdown } from "../../../platform/process/countdown.ts";
import type { SessionTimers } from "./session-contract.ts";

/** Audio waiting for recognition: above the first number the connection is paused, until it is below the second. */
const PAUSE_ABOVE_SECONDS = 20;
const RESUME_BELOW_SECONDS = 10;
const PRESSURE_CHECK_MILLISECONDS = 100;

/** The client of a new session connects in this time, even if there is no grace period. */
const LEAST_AWAY_MILLISECONDS = 100;

/** Why the connection is paused: storing is slow, recognition is behind, frames wait, or the client does not read. */
type HoldReason = "storage" | "recognition" | "frames" | "unread";

export interface ClockEvents {
  /** The client is connected and silent. */
  idle(): void;
  /** The client did not reconnect, or the session has reached its maximum length. */
  over(cause: "away" | "length"): void;
  /** Whether clients could return to this process lately. */
  mayReturn(): boolean;
  /** The connection must be paused until `resume`. */
  pause(): void;
  resume(): void;
  /** Whether a large frame is arriving; the client cannot send anything else before its end. */
  isReceiving(): boolean;
}

export class SessionClock {
  private idleTimer: Countdown | undefined;
  private awayTimer: Countdown | undefined;
  private lengthTimer: Countdown | undefined;
  private pressureTimer: NodeJS.Timeout | undefined;
  private awayMilliseconds: number;
  private readonly reasons = new Set<HoldReason>();

  constructor(
    private readonly limits: SessionTimers,
    private readonly undetectedSeconds: () => number,
    private readonly events: ClockEvents,
  ) {
    this.awayMilliseconds = limits.graceMilliseconds;
  }

  get isPaused(): boolean {
    return this.reasons.size > 0;
  }

  /** Called at the first connection. */
  started(): void {
    this.awayMilliseconds = this.limits.awayMilliseconds;
    this.lengthTimer = new Countdown(this.limits.maximumMilliseconds, () => this.events.over("length"));
  }

  /** Called when a client connects, and for each of its frames. */
  active(): void {
    this.awayTimer?.stop();
    this.idleTimer ??= new Countdown(this.limits.idleMilliseconds, () =>
      this.isPaused || this.events.isReceiving() ? this.active() : this.events.idle(),
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

  /** Pauses the connection until `release` for the same reason; the idle timer does not apply to a paused client. */
  hold(reason: HoldReason): void {
    const wasPaused = this.isPaused;
    this.reasons.add(reason);
    if (!wasPaused) this.events.pause();
  }

  release(reason: HoldReason): void {
    if (this.reasons.delete(reason) && !this.isPaused) this.events.resume();
  }

  /** Called when audio was added: pauses the connection if recognition is too far behind. */
  checkPressure(): void {
    if (this.pressureTimer || this.undetectedSeconds() < PAUSE_ABOVE_SECONDS) return;
    this.hold("recognition");
    this.pressureTimer = setInterval(() => {
      if (this.undetectedSeconds() > RESUME_BELOW_SECONDS) return;
      this.stopPressure();
      this.release("recognition");
    }, PRESSURE_CHECK_MILLISECONDS);
  }

  /** The idle timer applies only to connected clients. */
  stopIdle(): void {
    this.idleTimer?.stop();
  }

  stop(): void {
    for (const timer of [this.idleTimer, this.awayTimer, this.lengthTimer]) timer?.stop();
    this.stopPressure();
  }

  private stopPressure(): void {
    clearInterval(this.pressureTimer);
    this.pressureTimer = undefined;
  }
}
