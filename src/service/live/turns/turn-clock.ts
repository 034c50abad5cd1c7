// Ends the turn of a client that has stopped sending. Missing audio alone is no proof, as the network may have stalled,
// so the clock sends a ping first. The pong arrives after everything that the client had sent. Only then does the turn end.
import { SendingPace } from "./sending-pace.ts";

/** The final's recognition begins this long before the turn ends. */
const ANTICIPATION_SECONDS = 0.3;

export interface TurnEvents {
  /** The turn will probably end soon: work may start. */
  nearing(): void;
  /** The client has stopped sending. */
  ended(): void;
  /** The service does not read from the client at present. */
  isPaused(): boolean;
  /** Runs a task after all frames that have arrived. */
  afterFrames(task: () => void): void;
}

/** Resolves when the client has answered a ping sent now; rejects when the connection ends first. */
export type RoundTrip = () => Promise<void>;

const monotonicSeconds = () => performance.now() / 1000;

export class TurnClock {
  private readonly pace: SendingPace;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = 0;
  private roundTrip: RoundTrip | undefined;
  private isConfirming = false;
  private hasNeared = false;

  constructor(
    endpointingSeconds: number,
    private readonly events: TurnEvents,
    private readonly now: () => number = monotonicSeconds,
  ) {
    this.pace = new SendingPace(endpointingSeconds);
  }

  /** @param hasAudio  the session has received audio on an earlier connection */
  connected(roundTrip: RoundTrip, hasAudio: boolean): void {
    this.roundTrip = roundTrip;
    this.isConfirming = false;
    this.pace.connected(this.now(), hasAudio);
    this.arm();
  }

  /** @param endpointingSeconds  silence that ends an utterance from now on */
  configure(endpointingSeconds: number): void {
    this.pace.configure(endpointingSeconds);
    this.hasNeared = false;
    if (!this.isConfirming) this.arm();
  }

  /** The service reads from the connection from now on. */
  opened(): void {
    this.pace.opened(this.now());
  }

  /** @param seconds  length of the audio that has arrived */
  received(seconds: number): void {
    this.pace.received(seconds, this.now());
    this.hasNeared = false;
    if (this.isConfirming) return;
    // The pace of a client becomes known with its second chunk: its turn may then end sooner than after the first one.
    if (!this.timer || (this.wakeAt ?? 0) < this.timerAt) this.arm();
  }

  wasPaused(): void {
    this.pace.wasPaused(this.now());
  }

  /** No client is connected, or the session takes no more audio. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.roundTrip = undefined;
  }

  /** When the next check is due, seconds. */
  private get wakeAt(): number | undefined {
    const remaining = this.pace.remaining(0);
    return remaining === undefined || this.hasNeared ? remaining : remaining - ANTICIPATION_SECONDS;
  }

  /** One timer serves many chunks: if audio has arrived since, it is armed again. */
  private arm(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { wakeAt } = this;
    if (wakeAt === undefined || !this.roundTrip) return;
    this.timerAt = wakeAt;
    this.timer = setTimeout(() => this.check(), Math.max(0, wakeAt - this.now()) * 1000).unref();
  }

  private check(): void {
    this.timer = undefined;
    // Frames in the service's own queue count as received.
    this.events.afterFrames(() => {
      if (this.events.isPaused()) this.pace.wasPaused(this.now());
      const remaining = this.pace.remaining(this.now());
      if (remaining === undefined || !this.roundTrip || this.isConfirming) return;
      if (remaining > 0) this.near(remaining);
      else this.confirm(this.roundTrip);
    });
  }

  private near(remaining: number): void {
    if (remaining <= ANTICIPATION_SECONDS && !this.hasNeared) {
      this.hasNeared = true;
      this.events.nearing();
    }
    this.arm();
  }

  private confirm(roundTrip: RoundTrip): void {
    this.isConfirming = true;
    const isCurrent = () => this.roundTrip === roundTrip;
    const finish = () => {
      if (!isCurrent()) return;
      this.isConfirming = false;
      const remaining = this.pace.remaining(this.now());
      if (remaining === undefined || remaining > 0) return this.arm();
      this.pace.ended();
      this.events.ended();
    };
    roundTrip().then(
      () => this.events.afterFrames(finish),
      () => undefined,
    );
  }
}
