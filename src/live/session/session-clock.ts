// What a session does by the clock: it ends when its client is silent or away for too long, or when it has lasted as
// long as a session may; it holds the client back while audio comes faster than it is heard.
import type { SessionTimers } from "./session-contract.ts";

/** Audio that waits to be heard: more than this is not read from the client until it is less again. */
const PAUSE_ABOVE_SECONDS = 20;
const RESUME_BELOW_SECONDS = 10;
const PRESSURE_CHECK_MILLISECONDS = 100;

export interface ClockEvents {
  /** The client is connected and sends nothing. */
  idle(): void;
  /** The client stays away, or the session lasts too long. */
  over(): void;
  /** The client is to be held back until `resume`. */
  pause(): void;
  resume(): void;
}

export class SessionClock {
  private idleTimer: NodeJS.Timeout | undefined;
  private awayTimer: NodeJS.Timeout | undefined;
  private lengthTimer: NodeJS.Timeout | undefined;
  private pressureTimer: NodeJS.Timeout | undefined;
  private isHeld = false;

  constructor(
    private readonly limits: SessionTimers,
    private readonly unheardSeconds: () => number,
    private readonly events: ClockEvents,
  ) {}

  /** The client is held back. */
  get isPaused(): boolean {
    return this.isHeld || this.pressureTimer !== undefined;
  }

  /** The first connection. */
  started(): void {
    this.lengthTimer = setTimeout(this.events.over, this.limits.maximumMilliseconds).unref();
  }

  /** The client is there, or has just sent something. */
  active(): void {
    clearTimeout(this.awayTimer);
    clearTimeout(this.idleTimer);
    const isSilent = () => (this.isPaused ? this.active() : this.events.idle());
    this.idleTimer = setTimeout(isSilent, this.limits.idleMilliseconds).unref();
  }

  /** The client has gone and may come back. */
  away(): void {
    clearTimeout(this.idleTimer);
    clearTimeout(this.awayTimer);
    this.awayTimer = setTimeout(this.events.over, this.limits.graceMilliseconds).unref();
  }

  /** What the client sends cannot be taken now; a client that is held back is not idle. */
  hold(): void {
    if (!this.isPaused) this.events.pause();
    this.isHeld = true;
  }

  letOn(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    if (!this.isPaused) this.events.resume();
  }

  /** New audio has come. */
  checkPressure(): void {
    if (this.pressureTimer || this.unheardSeconds() < PAUSE_ABOVE_SECONDS) return;
    if (!this.isPaused) this.events.pause();
    this.pressureTimer = setInterval(() => {
      if (this.unheardSeconds() > RESUME_BELOW_SECONDS) return;
      this.release();
      if (!this.isPaused) this.events.resume();
    }, PRESSURE_CHECK_MILLISECONDS);
  }

  /** Nobody is there to be idle. */
  stopIdle(): void {
    clearTimeout(this.idleTimer);
  }

  stop(): void {
    for (const timer of [this.idleTimer, this.awayTimer, this.lengthTimer]) clearTimeout(timer);
    this.release();
  }

  private release(): void {
    clearInterval(this.pressureTimer);
    this.pressureTimer = undefined;
  }
}
