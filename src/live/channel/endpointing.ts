// Decides when an utterance begins and is over, from one speech probability per window. Counts audio time only: how
// fast the audio arrives makes no difference. Pure state, no clock.

export interface EndpointingOptions {
  /** Probability at which speech begins; 0 to 1. */
  threshold: number;
  /** Silence that ends an utterance, seconds. */
  endpointingSeconds: number;
  /** Longest utterance, seconds; longer by a short silence at its end. */
  maximumSeconds: number;
  /** Length of a window, seconds. */
  windowSeconds: number;
}

export type EndpointingEvent =
  | { kind: "start"; window: number }
  /** `silentFrom` is the first silent window; it equals the current one for an utterance cut by its length. */
  | { kind: "end"; window: number; silentFrom: number; reason: "silence" | "maximum" };

/** Speech ends this far below the threshold where it begins, so that a wavering detector does not chatter. */
const HYSTERESIS = 0.15;
const LEAST_SILENCE_THRESHOLD = 0.01;
/** An utterance is not cut in a silence that ends it anyway before so long. */
const SHORT_SILENCE_SECONDS = 1;

export class Endpointing {
  private speechFrom: number | undefined;
  private silentFrom: number | undefined;
  /** Windows of silence that end an utterance; at least one. */
  readonly silenceWindows: number;
  private readonly maximumWindows: number;
  private readonly silenceThreshold: number;

  /** @param window  index of the next window */
  constructor(
    private readonly options: EndpointingOptions,
    private window = 0,
  ) {
    this.silenceWindows = Math.max(1, Math.round(options.endpointingSeconds / options.windowSeconds));
    this.maximumWindows = Math.max(1, Math.round(options.maximumSeconds / options.windowSeconds));
    this.silenceThreshold = Math.max(LEAST_SILENCE_THRESHOLD, options.threshold - HYSTERESIS);
  }

  get isSpeech(): boolean {
    return this.speechFrom !== undefined;
  }

  /** First window of the silence that has begun, while the utterance is not over yet. */
  get silenceBegan(): number | undefined {
    return this.silentFrom;
  }

  /** Where the utterance is cut if it goes on: one past its last window. */
  get cutAt(): number | undefined {
    return this.speechFrom === undefined ? undefined : this.speechFrom + this.maximumWindows;
  }

  /** @returns what this window decides, if anything */
  push(probability: number): EndpointingEvent | undefined {
    const window = this.window++;
    if (this.speechFrom === undefined) {
      if (probability < this.options.threshold || probability === 0) return undefined;
      this.speechFrom = window;
      return { kind: "start", window };
    }
    if (probability >= this.silenceThreshold) this.silentFrom = undefined;
    else this.silentFrom ??= window;
    if (this.silentFrom !== undefined && window - this.silentFrom + 1 >= this.silenceWindows) {
      return this.end(window, this.silentFrom, "silence");
    }
    const isEnding = this.silentFrom !== undefined && this.options.endpointingSeconds <= SHORT_SILENCE_SECONDS;
    if (window - this.speechFrom + 1 < this.maximumWindows || isEnding) return undefined;
    return this.end(window, this.silentFrom ?? window, "maximum");
  }

  private end(window: number, silentFrom: number, reason: "silence" | "maximum"): EndpointingEvent {
    // Cut by its length, the next utterance begins at once: the speech goes on.
    this.speechFrom = reason === "maximum" ? window + 1 : undefined;
    this.silentFrom = undefined;
    return { kind: "end", window, silentFrom, reason };
  }
}
