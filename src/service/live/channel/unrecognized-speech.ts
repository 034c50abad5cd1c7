// Voice activity of a channel for which no words were recognised. It is reported once no later final can contain its words.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import {
  addWindow,
  type Stretch,
  stretchesOf,
  uncoveredRuns,
} from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { QuietGaps } from "./quiet-gaps.ts";

/** Silence after which no later final contains words of earlier speech. */
const SETTLED_SECONDS = 2;

export class UnrecognizedSpeech {
  private runs: Stretch[] = [];

  /** @param gaps  examines the audio between words @param known  words of an earlier process, of which the last counts */
  constructor(
    private readonly gaps?: QuietGaps,
    known: readonly Stretch[] = [],
  ) {
    this.gaps?.cover(known.slice(-1));
  }

  /** Audio from here on is needed, samples. */
  get neededFrom(): number {
    return this.gaps?.neededFrom ?? Number.POSITIVE_INFINITY;
  }

  /** Speech before this sample is reported, or has words. */
  get undecidedFrom(): number {
    const [first] = this.runs;
    return Math.min(this.neededFrom, first ? Math.floor(first.startSeconds * SAMPLE_RATE) : Number.POSITIVE_INFINITY);
  }

  /** @param endSeconds  of a window that voice activity detection has processed @param isSpeech  whether an utterance is in progress */
  add(endSeconds: number, probability: number, isSpeech = false): void {
    addWindow(this.runs, endSeconds, WINDOW_SECONDS, probability);
    this.gaps?.consider(endSeconds, isSpeech);
  }

  /** Removes the speech of recognised words, which were decided in order. */
  cover(words: readonly Stretch[]): void {
    this.gaps?.cover(words);
    if (words.length > 0) this.runs = uncoveredRuns(this.runs, words);
  }

  /** Removes and returns the stretches of speech that end before this time. */
  takeBefore(seconds: number): Stretch[] {
    const before = this.runs.filter(({ endSeconds }) => endSeconds <= seconds);
    this.runs = this.runs.slice(before.length);
    return stretchesOf(before);
  }

  /** The same if the audio has been silent for long enough. @param seconds  processed by voice activity detection */
  takeSettled(seconds: number): Stretch[] {
    const end = this.runs.at(-1)?.endSeconds;
    return end === undefined || seconds - end < SETTLED_SECONDS ? [] : this.takeBefore(seconds);
  }

  /** For speech that is transcribed in another channel, or whose words are left out for a reason that is reported. */
  clear(): void {
    this.runs = [];
    this.gaps?.skip();
  }

  /** Resolves when the audio behind the last word was examined. @param seconds  end of the audio @param isCarried  it is transcribed in another channel */
  async finish(seconds: number, isCarried: boolean): Promise<void> {
    if (isCarried) this.gaps?.skip();
    await this.gaps?.finish(seconds);
  }
}
