// Examines the audio between a channel's words for a quiet voice, which the detector does not report after a louder one. The examination
// makes reports; it adds no words and moves no boundary. It runs beside the detection, which does not wait for it.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import {
  type Detect,
  examinedQuietly,
  gapBetween,
  MOST_GAP_SECONDS,
  quietRuns,
} from "../../../speech/audio/voice-activity/quiet-speech.ts";
import { type Stretch, stretchesOf, uncoveredRuns } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { ChannelOptions, ChannelServices } from "./channel-contract.ts";
import type { ChannelRecognizer } from "./channel-recognizer.ts";
import type { SampleBuffer } from "./sample-buffer.ts";

/** Windows in one request: other sessions share the detector. */
const PIECE_WINDOWS = 31;
/** During silence, a word of the next utterance begins at most this long before its speech is detected. */
const LATE_WORDS_SECONDS = 1;
/** During speech, words of a long utterance are settled at most this long after they end: a step, its margin, and the longest silence. */
const LATEST_WORDS_SECONDS = 23;
/** Distance to voices of other channels, which leak into this one. */
const OTHER_MARGIN_SECONDS = 0.4;

export interface QuietGapsParts {
  samples: SampleBuffer;
  detect: Detect;
  /** Whether the audio of another channel has a voice. @param from, until  seconds */
  hasOtherVoice(from: number, until: number): Promise<boolean>;
  /** Called with stretches of a voice without words. */
  onFound(stretches: readonly Stretch[]): void;
  onFailed(error: unknown): void;
}

export class QuietGaps {
  /** End of the last word, if the gap after it was not examined yet; seconds. */
  private wordEnd: number | undefined;
  /** End of the last word, seconds. */
  private decidedUntil = 0;
  private pending: Promise<void> = Promise.resolve();

  constructor(private readonly parts: QuietGapsParts) {}

  /** Audio from here on is needed, samples. */
  get neededFrom(): number {
    return this.wordEnd === undefined ? Number.POSITIVE_INFINITY : Math.floor(this.wordEnd * SAMPLE_RATE);
  }

  /** Words that were decided: no later ones begin before them. */
  cover(words: readonly Stretch[]): void {
    for (const { startSeconds, endSeconds } of words) {
      // The words of a long utterance arrive twice: when they are settled, and with its final.
      if (endSeconds <= this.decidedUntil) continue;
      this.decidedUntil = endSeconds;
      if (this.wordEnd !== undefined) this.examine(this.wordEnd, startSeconds);
      this.wordEnd = endSeconds;
    }
  }

  /** @param seconds  processed by voice activity detection */
  consider(seconds: number, isSpeech: boolean): void {
    const late = isSpeech ? LATEST_WORDS_SECONDS : LATE_WORDS_SECONDS;
    if (this.wordEnd === undefined || seconds - this.wordEnd < MOST_GAP_SECONDS + late) return;
    this.examine(this.wordEnd, Number.POSITIVE_INFINITY);
    this.wordEnd = undefined;
  }

  /** The audio since the last word is transcribed elsewhere, or its words are left out for a reason that is reported. */
  skip(): void {
    this.wordEnd = undefined;
  }

  /** Resolves when all gaps are examined. @param seconds  end of the audio */
  async finish(seconds: number): Promise<void> {
    if (this.wordEnd !== undefined) this.examine(this.wordEnd, seconds);
    this.wordEnd = undefined;
    await this.pending;
  }

  private examine(endSeconds: number, startSeconds: number): void {
    const gap = gapBetween(endSeconds, startSeconds);
    if (!gap) return;
    const from = Math.ceil((gap.startSeconds * SAMPLE_RATE) / WINDOW_SAMPLES) * WINDOW_SAMPLES;
    const samples = this.parts.samples.slice(from, Math.floor(gap.endSeconds * SAMPLE_RATE));
    const words = [endSeconds, startSeconds].map((at) => ({ startSeconds: at, endSeconds: at }));
    this.pending = this.pending.then(async () => {
      const { detect, hasOtherVoice, onFound, onFailed } = this.parts;
      try {
        const runs = quietRuns(await examinedQuietly(samples, detect, PIECE_WINDOWS), from / SAMPLE_RATE);
        for (const one of stretchesOf(uncoveredRuns(runs, words))) {
          const [start, end] = [one.startSeconds - OTHER_MARGIN_SECONDS, one.endSeconds + OTHER_MARGIN_SECONDS];
          if (!(await hasOtherVoice(start, end))) onFound([one]);
        }
      } catch (error) {
        onFailed(error);
      }
    });
  }
}

/** The gaps of a channel. */
export function quietGaps(
  { hasOtherVoice }: Pick<ChannelOptions, "hasOtherVoice">,
  { detection }: Pick<ChannelServices, "detection">,
  recognizer: Pick<ChannelRecognizer, "retryTransient">,
  samples: SampleBuffer,
  signal: AbortSignal,
  { onFound, onFailed }: Pick<QuietGapsParts, "onFound" | "onFailed">,
): QuietGaps {
  return new QuietGaps({
    samples,
    detect: (audio, state) =>
      recognizer.retryTransient(() => detection.voiceActivity(audio, state, { priority: "live", signal })),
    hasOtherVoice: async (from, until) => (await hasOtherVoice?.(from, until)) === true,
    onFound,
    onFailed: (error) => {
      if (!signal.aborted) onFailed(error);
    },
  });
}
