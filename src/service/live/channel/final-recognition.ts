// Recognition of finals: from scratch, so that the result depends on the audio alone, and started as soon as all of the
// audio has arrived, before the end of the utterance is certain.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { ChannelRecognizer, Hypothesis, RecognitionRequest } from "./channel-recognizer.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing } from "./endpointing.ts";

/** In a long utterance, words are settled this often. The recogniser's input is at most this step and the longest silence. */
const STEP_SECONDS = 10;
/** Longest silence after the last word in the audio of a final, if the endpointing is that long: four windows. */
const MOST_TAIL_WINDOWS = 4;
/**
 * An utterance that reaches its maximum length is recognised up to this long before its end, so that the result is
 * ready in time.
 */
export const CUT_LEAD_SAMPLES = 10 * WINDOW_SAMPLES;

/** A word that begins later than this after the end of speech belongs to the next utterance. */
const LATE_START_SECONDS = 0.08;
/** Whether a word belongs to the utterance that a silence ends. @param silence  its first window */
export const startsBefore = (startSeconds: number, silence: number): boolean =>
  startSeconds < (silence * WINDOW_SAMPLES) / SAMPLE_RATE + LATE_START_SECONDS;

/** Recognition of a final that was started before its end is certain. */
interface PendingFinal {
  until: number;
  result: Promise<Hypothesis | undefined>;
  cancellation: AbortController;
}

export class FinalRecognition {
  private pending: PendingFinal | undefined;
  /** Calls of `recognize` that have not ended. */
  private awaited = 0;

  /** @param onResult  called when the hypothesis of the utterance was replaced */
  constructor(
    private readonly utterance: CurrentUtterance,
    private readonly recognizer: ChannelRecognizer,
    private readonly endpointing: Endpointing,
    private readonly onResult: () => void,
  ) {}

  /** Silence after the last word in the audio of a final, samples. */
  get tailSamples(): number {
    return Math.min(MOST_TAIL_WINDOWS, this.endpointing.leastSilenceWindows) * WINDOW_SAMPLES;
  }

  get isPending(): boolean {
    return this.pending !== undefined;
  }

  /** Recognises the audio up to `until`, samples; calls with the same end share one recognition. */
  async recognize(until: number): Promise<Hypothesis | undefined> {
    this.awaited++;
    try {
      return await this.begin(until);
    } finally {
      this.awaited--;
    }
  }

  /** Starts the recognition of a final that will probably be needed. A recognition that a caller awaits is not cancelled for it. */
  anticipate(until: number): void {
    if (this.awaited === 0) this.begin(until).catch(() => undefined);
  }

  private begin(until: number): Promise<Hypothesis | undefined> {
    if (this.pending?.until === until) return this.pending.result;
    this.cancel();
    const cancellation = new AbortController();
    const result = this.recognizer.recognize(this.requestUntil(until), cancellation.signal);
    const pending = { until, result, cancellation };
    this.pending = pending;
    result.then(
      (found) => {
        if (!found || pending !== this.pending || until < (this.utterance.hypothesis?.until ?? 0)) return;
        this.utterance.hypothesis = found;
        this.onResult();
      },
      () => undefined,
    );
    return result;
  }

  /** Its result is not used for a later call. A caller that awaits it still receives it. */
  forget(): void {
    this.pending = undefined;
  }

  cancel(): void {
    this.pending?.cancellation.abort();
    this.pending = undefined;
  }

  requestUntil(until: number): RecognitionRequest {
    const { context, language } = this.utterance;
    const earliestSeconds = context.settledUntil;
    const route = language.route((until - context.start) / SAMPLE_RATE, true);
    const constraints = { draft: [], paddingSeconds: 0, mayUseCache: false, route };
    return { priority: "live", ...context.whole, until, earliestSeconds, ...constraints };
  }

  /** Starts the recognition if all audio of a possible final has arrived. @param detectedUntil  samples */
  consider(detectedUntil: number): void {
    const ends = [this.silentUntil, this.cutUntil];
    // Speech resumed: the result for the pause is not a final.
    if (this.pending && !ends.includes(this.pending.until)) this.cancel();
    const until = ends.find((end) => end !== undefined && detectedUntil >= end);
    if (until !== undefined) void this.begin(until);
  }

  /** End of the audio of a turn's final. @param silence  first window of the current silence */
  turnFinalUntil(turnEnd: number, silence: number | undefined): number {
    return silence === undefined ? turnEnd : Math.min(turnEnd, silence * WINDOW_SAMPLES + this.tailSamples);
  }

  /**
   * In an utterance that is long enough, the end of the audio whose words are settled now. The final of a silence ends before later
   * silence: words that were settled in it would leave the final no audio.
   * @param position  samples
   */
  stepUntil(position: number): number | undefined {
    const until = this.turnFinalUntil(position, this.endpointing.silenceBegan);
    return until - this.utterance.context.start < STEP_SECONDS * SAMPLE_RATE ? undefined : until;
  }

  /** End of the audio of the final if the current silence continues, samples. */
  private get silentUntil(): number | undefined {
    const silence = this.endpointing.silenceBegan;
    return silence === undefined ? undefined : silence * WINDOW_SAMPLES + this.tailSamples;
  }

  /** End of the audio of the final if the speech continues to the maximum length, samples. */
  private get cutUntil(): number | undefined {
    const { cutAt } = this.endpointing;
    return cutAt === undefined ? undefined : cutAt * WINDOW_SAMPLES - CUT_LEAD_SAMPLES;
  }
}
