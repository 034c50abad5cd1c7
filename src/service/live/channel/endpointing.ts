// Decides when an utterance begins and ends, from one speech probability per window. Counts audio time only, so that
// the result does not depend on how fast audio arrives. Pure state, no clock.

export interface EndpointingOptions {
  /** Probability at which speech begins; 0 to 1. */
  threshold: number;
  /** Silence that ends an utterance, seconds. */
  endpointingSeconds: number;
  /** Longest utterance, seconds; a short silence at its end may extend it. */
  maximumSeconds: number;
  /** Length of a window, seconds. */
  windowSeconds: number;
}

export type EndpointingEvent =
  | { kind: "start"; window: number }
  /** `silentFrom` is the first silent window; the current window if the utterance was cut at the maximum length. */
  | { kind: "end"; window: number; silentFrom: number; reason: "silence" | "maximum" };

/** Hysteresis: speech ends at a probability this far below the threshold, so that fluctuations do not end it. */
const HYSTERESIS = 0.15;
const LEAST_SILENCE_THRESHOLD = 0.01;
/**
 * With an endpointing of up to this long, an utterance at the maximum length is not cut during a silence that may end
 * it.
 */
const SHORT_SILENCE_SECONDS = 1;

export class Endpointing {
  private speechFrom: number | undefined;
  private silentFrom: number | undefined;
  /** Windows of silence that end an utterance; at least one. */
  readonly silenceWindows: number;
  private readonly maximumWindows: number;
  private readonly silenceThreshold: number;
  /** The last end by silence, until the next window. */
  private ended: { speechFrom: number; silentFrom: number } | undefined;
  /** Windows of silence that end an utterance which `hold` continued. */
  private heldWindows: number | undefined;

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

  /** First window of the current silence within an utterance. */
  get silenceBegan(): number | undefined {
    return this.silentFrom;
  }

  /** Whether the utterance was continued beyond the silence that would have ended it, and no speech has followed yet. */
  get isHeld(): boolean {
    return this.heldWindows !== undefined;
  }

  /** Where the utterance is cut if it continues: one past its last window. */
  get cutAt(): number | undefined {
    return this.speechFrom === undefined ? undefined : this.speechFrom + this.maximumWindows;
  }

  /** @returns the start or end that this window decides, if any */
  push(probability: number): EndpointingEvent | undefined {
    const window = this.window++;
    this.ended = undefined;
    if (this.speechFrom === undefined) {
      if (probability < this.options.threshold || probability === 0) return undefined;
      this.speechFrom = window;
      return { kind: "start", window };
    }
    if (probability >= (this.isHeld ? this.options.threshold : this.silenceThreshold)) {
      this.silentFrom = undefined;
      this.heldWindows = undefined;
    } else this.silentFrom ??= window;
    const needed = this.heldWindows ?? this.silenceWindows;
    if (this.silentFrom !== undefined && window - this.silentFrom + 1 >= needed) {
      return this.end(window, this.silentFrom, "silence");
    }
    const isEnding = this.silentFrom !== undefined && this.options.endpointingSeconds <= SHORT_SILENCE_SECONDS;
    if (window - this.speechFrom + 1 < this.maximumWindows || isEnding) return undefined;
    return this.end(window, this.silentFrom ?? window, "maximum");
  }

  /**
   * Continues the utterance that the last window ended by silence, until the silence is this long. Speech before that
   * belongs to the same utterance.
   * @returns false if the silence was long enough
   */
  hold(silenceSeconds: number): boolean {
    const windows = Math.round(silenceSeconds / this.options.windowSeconds);
    if (!this.ended || windows <= this.window - this.ended.silentFrom) return false;
    this.speechFrom = this.ended.speechFrom;
    this.silentFrom = this.ended.silentFrom;
    this.heldWindows = windows;
    return true;
  }

  /** Ends the utterance before the silence is long enough. @returns first window of the current silence */
  interrupt(): number | undefined {
    const { silentFrom } = this;
    this.heldWindows = undefined;
    this.speechFrom = undefined;
    this.silentFrom = undefined;
    return silentFrom;
  }

  private end(window: number, silentFrom: number, reason: "silence" | "maximum"): EndpointingEvent {
    if (reason === "silence" && this.speechFrom !== undefined) this.ended = { speechFrom: this.speechFrom, silentFrom };
    this.heldWindows = undefined;
    // After a cut the speech continues, so the next utterance begins at once.
    this.speechFrom = reason === "maximum" ? window + 1 : undefined;
    this.silentFrom = undefined;
    return { kind: "end", window, silentFrom, reason };
  }
}
