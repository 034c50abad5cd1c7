// States of a live session in the process that owns it. docs/architecture-states.md explains the states and the invariants.
import { StateMachine, type Transitions } from "../../../platform/process/state-machine.ts";

export type SessionState =
  /** No client has connected in this process; the grace period runs. */
  | "new"
  /** A client is connected and may send audio. */
  | "connected"
  /** The connection was lost; the grace period runs. */
  | "away"
  /** The stop is being stored; no more audio is accepted. */
  | "stopping"
  /** The last finals are recognised, and the closing messages and the result are stored. */
  | "finishing"
  /** The audio is unreadable; the error is being stored. */
  | "refusing"
  /** The end is stored; clients can still fetch the last messages. */
  | "ended"
  /** The process stops; the next owner continues from the log. */
  | "suspended"
  /** Another process owns the session, or it was deleted: nothing is stored or sent any more. */
  | "moved";

export type SessionEvent =
  /** The newest connection was accepted. */
  | "connect"
  /** The connection is gone, and its client may reconnect. */
  | "disconnect"
  /** The client or a timer ends the recording. */
  | "stop"
  /** The stop was stored, or cannot be. */
  | "stopStored"
  /** The audio turned out to be unreadable. */
  | "refuse"
  /** The end was stored. */
  | "complete"
  /** This process stops. */
  | "suspend"
  /** Another process took the session over, or it was deleted. */
  | "lose";

/** No column for time: timers end a session by `stop`. */
export const SESSION_TRANSITIONS: Transitions<SessionState, SessionEvent> = {
  new: {
    connect: "connected",
    disconnect: "new",
    stop: "stopping",
    stopStored: null,
    refuse: null,
    complete: null,
    suspend: "suspended",
    lose: "moved",
  },
  connected: {
    connect: "connected",
    disconnect: "away",
    stop: "stopping",
    stopStored: null,
    refuse: "refusing",
    complete: null,
    suspend: "suspended",
    lose: "moved",
  },
  away: {
    connect: "connected",
    disconnect: "away",
    stop: "stopping",
    stopStored: null,
    // The last frame of the lost connection.
    refuse: "refusing",
    complete: null,
    suspend: "suspended",
    lose: "moved",
  },
  stopping: {
    connect: "stopping",
    disconnect: "stopping",
    stop: null,
    stopStored: "finishing",
    refuse: null,
    complete: null,
    suspend: "suspended",
    lose: "moved",
  },
  finishing: {
    connect: "finishing",
    disconnect: "finishing",
    stop: null,
    stopStored: null,
    refuse: null,
    complete: "ended",
    suspend: "suspended",
    lose: "moved",
  },
  refusing: {
    connect: "refusing",
    disconnect: "refusing",
    stop: null,
    stopStored: null,
    refuse: null,
    complete: "ended",
    suspend: "suspended",
    lose: "moved",
  },
  ended: {
    connect: "ended",
    disconnect: "ended",
    stop: null,
    stopStored: null,
    refuse: null,
    complete: null,
    suspend: "ended",
    lose: "moved",
  },
  suspended: {
    connect: null,
    disconnect: "suspended",
    stop: null,
    stopStored: null,
    refuse: null,
    // The end was stored while the process was stopping.
    complete: "ended",
    suspend: null,
    lose: "moved",
  },
  moved: {
    connect: null,
    disconnect: "moved",
    stop: null,
    stopStored: null,
    refuse: null,
    complete: null,
    suspend: null,
    lose: null,
  },
};

export class SessionMachine extends StateMachine<SessionState, SessionEvent> {
  constructor(initial: SessionState) {
    super(SESSION_TRANSITIONS, initial);
  }

  /** Whether audio and turn ends are accepted. */
  get isRecording(): boolean {
    return this.isIn("new", "connected", "away");
  }

  /** Whether the session ends if no client connects within the grace period. */
  get waitsForClient(): boolean {
    return this.isIn("new", "away");
  }

  /** Whether this process has nothing more to do for the session; errors of work that is still running are expected. */
  get isClosed(): boolean {
    return this.isIn("ended", "suspended", "moved");
  }

  /** Whether this process holds the session no longer: its end is stored, or another process owns it. */
  get isReleased(): boolean {
    return this.isIn("ended", "moved");
  }
}
