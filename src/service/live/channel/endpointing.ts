// Decides when an utterance begins and ends, from one speech probability per window. Counts audio time only, so that
// the result does not depend on how fast audio arrives. Pauses may be judged, which decides how long their silence must be. Pure
// state, no clock.

export interface EndpointingOptions extends EndpointingSettings {
  /** Probability at which speech begins; 0 to 1. */
  threshold: number;
  /** Longest utterance, seconds; a short silence at its end may extend it. */
  maximumSeconds: number;
  /** Length of a window, seconds. */
  windowSeconds: number;
}

/** What can change while a session runs. */
export interface EndpointingSettings {
  /** Silence that ends an utterance, seconds. */
  endpointingSeconds: number;
  /** Set if pauses are judged: the judgement then decides which silence ends an utterance, and `endpointingSeconds` does not apply. */
  turns?: TurnBounds | undefined;
}

/** Bounds of the silence that ends an utterance, seconds. */
export interface TurnBounds {
  minimumSeconds: number;
  maximumSeconds: number;
  /** Whether pauses are judged; otherwise `endpointingSeconds` applies. Read at each window of silence. */
  isJudging(): boolean;
}

export type EndpointingEvent =
  | { kind: "start"; window: number }
  /** `silentFrom` is the first silent window; the current window if the utterance was cut at the maximum length. */
  | { kind: "end"; window: number; silentFrom: number; reason: "silence" | "maximum" }
  /** The silence is long enough to be judged, or to be judged again. `judge` follows. */
  | { kind: "pause"; silentFrom: number; windows: number };

/** Hysteresis: speech ends at a probability this far below the threshold, so that fluctuations do not end it. */
const HYSTERESIS = 0.15;
const LEAST_SILENCE_THRESHOLD = 0.01;
/**
 * With an endpointing of up to this long, an utterance at the maximum length is not cut during a silence that may end
 * it.
 */
const SHORT_SILENCE_SECONDS = 1;
/** A pause that has not ended the utterance is judged again after this much silence: most pauses within sentences are shorter. */
const SECOND_JUDGEMENT_SECONDS = 0.6;
/**
 * A held silence lasts up to ONSET_WINDOWS longer while a voice may begin: "f" and "s" at the start of a digit have low probabilities.
 * Silence has probabilities below 0.05.
 */
const POSSIBLE_ONSET = 0.15;
const ONSET_WINDOWS = 5;

export class Endpointing {
  private speechFrom: number | undefined;
  private silentFrom: number | undefined;
  private readonly maximumWindows: number;
  private readonly silenceThreshold: number;
  /** The last end by silence, until the next window. */
  private ended: { speechFrom: number; silentFrom: number } | undefined;
  /** Windows of silence that end an utterance which `hold` continued. */
  private heldWindows: number | undefined;
  /** Windows of silence that end the utterance, from the judgement of the current pause. */
  private judgedWindows: number | undefined;
  private settings: EndpointingSettings;

  /** @param window  index of the next window */
  constructor(
    private readonly options: EndpointingOptions,
    private window = 0,
  ) {
    this.settings = options;
    this.maximumWindows = Math.max(1, Math.round(options.maximumSeconds / options.windowSeconds));
    this.silenceThreshold = Math.max(LEAST_SILENCE_THRESHOLD, options.threshold - HYSTERESIS);
  }

  /** Applies to the windows from the next one on, also within a silence. */
  configure(settings: EndpointingSettings): void {
    this.settings = settings;
    const { turns } = settings;
    if (this.judgedWindows === undefined || !turns) return;
    const least = Math.max(this.windowsOf(turns.minimumSeconds), this.judgedWindows);
    this.judgedWindows = Math.min(least, this.windowsOf(turns.maximumSeconds));
  }

  /** Silence that ends an utterance whose pauses are not judged, seconds. */
  get endpointingSeconds(): number {
    return this.settings.endpointingSeconds;
  }

  /** The same in windows; at least one. */
  get silenceWindows(): number {
    return this.windowsOf(this.settings.endpointingSeconds);
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

  /** Windows of silence after which an utterance may end. */
  get leastSilenceWindows(): number {
    const { turns } = this.settings;
    return turns ? this.windowsOf(turns.minimumSeconds) : this.silenceWindows;
  }

  private windowsOf(seconds: number): number {
    return Math.max(1, Math.round(seconds / this.options.windowSeconds));
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
      this.judgedWindows = undefined;
    } else this.silentFrom ??= window;
    const turns = this.settings.turns?.isJudging() ? this.settings.turns : undefined;
    if (turns && this.silentFrom !== undefined) return this.pushPause(turns, this.silentFrom, window, this.speechFrom);
    const needed = this.neededWindows(probability);
    if (this.silentFrom !== undefined && window - this.silentFrom + 1 >= needed) {
      return this.end(window, this.silentFrom, "silence");
    }
    const isEnding = this.silentFrom !== undefined && this.settings.endpointingSeconds <= SHORT_SILENCE_SECONDS;
    if (window - this.speechFrom + 1 < this.maximumWindows || isEnding) return undefined;
    return this.end(window, this.silentFrom ?? window, "maximum");
  }

  /** Windows of silence that end the utterance. @param probability  of the last one */
  private neededWindows(probability: number): number {
    if (this.heldWindows === undefined) return this.silenceWindows;
    return this.heldWindows + (probability >= POSSIBLE_ONSET ? ONSET_WINDOWS : 0);
  }

  private pushPause(
    { minimumSeconds, maximumSeconds }: TurnBounds,
    silentFrom: number,
    window: number,
    speechFrom: number,
  ): EndpointingEvent | undefined {
    const windows = window - silentFrom + 1;
    const minimum = this.windowsOf(minimumSeconds);
    const needed = this.judgedWindows ?? Math.max(minimum, this.windowsOf(maximumSeconds));
    const isTooLong = window - speechFrom + 1 >= this.maximumWindows;
    if (windows >= (isTooLong ? Math.min(needed, this.windowsOf(SHORT_SILENCE_SECONDS)) : needed)) {
      return this.end(window, silentFrom, "silence");
    }
    const isSecond = windows > minimum && windows === this.windowsOf(SECOND_JUDGEMENT_SECONDS);
    return windows === minimum || isSecond ? { kind: "pause", silentFrom, windows } : undefined;
  }

  /**
   * The judgement of the current pause, after the event that requested it and before the next window.
   * @param silenceSeconds  silence that ends the utterance, within the bounds
   * @returns the end, if the silence is long enough
   */
  judge(silenceSeconds: number): EndpointingEvent | undefined {
    const { turns } = this.settings;
    if (!turns || this.silentFrom === undefined) return undefined;
    const seconds = Math.max(turns.minimumSeconds, Math.min(turns.maximumSeconds, silenceSeconds));
    this.judgedWindows = this.windowsOf(seconds);
    const last = this.window - 1;
    return last - this.silentFrom + 1 >= this.judgedWindows ? this.end(last, this.silentFrom, "silence") : undefined;
  }

  /**
   * Continues the utterance that the last window ended by silence, until the silence is this long. Speech before that
   * belongs to the same utterance.
   * @returns false if the silence was long enough, or if pauses are judged, which includes the reason to hold
   */
  hold(silenceSeconds: number): boolean {
    if (this.settings.turns?.isJudging()) return false;
    const windows = Math.round(silenceSeconds / this.options.windowSeconds);
    if (!this.ended || windows <= this.window - this.ended.silentFrom) return false;
    this.speechFrom = this.ended.speechFrom;
    this.silentFrom = this.ended.silentFrom;
    this.heldWindows = windows;
    return true;
  }

  /** An utterance begins with the next window, as after one that was cut at the maximum length. */
  continueSpeech(): void {
    this.speechFrom = this.window;
  }

  /** Ends the utterance before the silence is long enough. @returns first window of the current silence */
  interrupt(): number | undefined {
    const { silentFrom } = this;
    this.heldWindows = undefined;
    this.judgedWindows = undefined;
    this.speechFrom = undefined;
    this.silentFrom = undefined;
    return silentFrom;
  }

  private end(window: number, silentFrom: number, reason: "silence" | "maximum"): EndpointingEvent {
    if (reason === "silence" && this.speechFrom !== undefined) this.ended = { speechFrom: this.speechFrom, silentFrom };
    this.heldWindows = undefined;
    this.judgedWindows = undefined;
    // After a cut the speech continues, so the next utterance begins at once.
    this.speechFrom = reason === "maximum" ? window + 1 : undefined;
    this.silentFrom = undefined;
    return { kind: "end", window, silentFrom, reason };
  }
}
