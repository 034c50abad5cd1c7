// Voice activity detection over a channel's audio, in order: one speech probability per window, and the ends of turns
// between them. One loop per channel.
import {
  coldVoiceActivityState,
  settledFrom,
  type VoiceActivityState,
} from "../../../speech/audio/voice-activity/detector-state.ts";
import {
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
  warmUpSamples,
} from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { VoiceActivityAnswer } from "../../inference/message.ts";
import type { ChannelServices, ChannelState } from "./channel-contract.ts";
import type { ChannelRecognizer } from "./channel-recognizer.ts";
import type { SampleBuffer } from "./sample-buffer.ts";

/** Most windows in one voice activity request. */
const MOST_WINDOWS = 31;
/** Fewest windows in one request while all recognisers are busy: each request takes time from them. */
const LEAST_WINDOWS_BUSY = 2;
/** Longest wait for a fuller request while all recognisers are busy. */
const BUSY_WAIT_MILLISECONDS = 100;

export interface DetectionEvents {
  /** @returns probability that the speech of the window is the channel's own; called in order, before `window`. @param start  sample */
  ownProbability(start: number, probability: number): number;
  /** Speech probability of the window that ends at `position`. The next window waits for a promise. */
  window(probability: number): Promise<void> | undefined;
  /** The windows of one request were processed. */
  processed(): void;
  /** All windows before the end of a turn were processed. @param turnEnd  sample */
  turnEnded(turnEnd: number): Promise<void>;
}

/** What happens between two windows: the end of a turn, or a change of the channel's settings. */
interface Mark {
  sample: number;
  /** Whether the utterance before it ends there, and the audio before it must be processed at once. */
  isTurnEnd: boolean;
  /** Called for a change when the windows before it are processed; for the end of a turn, also when no more audio is processed. */
  reached(): void;
}

/**
 * First sample that a resumed channel needs: the window boundary at or before its context, and enough audio for the
 * same speech probabilities as without the restart.
 */
export function audioStartOf(state: ChannelState | undefined): number {
  if (!state) return 0;
  const windowOf = (sample: number) => Math.floor(sample / WINDOW_SAMPLES);
  return (
    Math.min(windowOf(Math.max(0, state.context.startSample)), settledFrom(windowOf(state.position))) * WINDOW_SAMPLES
  );
}

export class SpeechDetection {
  private state: VoiceActivityState | undefined;
  private isFlushing = false;
  /** In order, beyond `position`. */
  private readonly marks: Mark[] = [];
  private notifyAudio: (() => void) | undefined;

  /** @param position  samples that were processed */
  constructor(
    private readonly samples: SampleBuffer,
    public position: number,
    private readonly services: Pick<ChannelServices, "detection" | "recognition">,
    private readonly recognizer: Pick<ChannelRecognizer, "retryTransient" | "activity">,
    private readonly events: DetectionEvents,
    private readonly signal: AbortSignal,
  ) {}

  /** Audio was appended, or the channel was stopped. */
  notify(): void {
    this.notifyAudio?.();
  }

  /** Later audio starts a new turn. Resolves when the turn was processed, or when the channel is stopped. @param sample  end of the turn */
  endTurn(sample: number): Promise<void> {
    if (this.isFlushing) return Promise.resolve();
    return new Promise((reached) => this.mark({ sample, isTurnEnd: true, reached }));
  }

  /** @param reached  called when the windows before the sample are processed; not at all if the audio ends before */
  change(sample: number, reached: () => void): void {
    this.mark({ sample, isTurnEnd: false, reached });
  }

  /** The same for a change that ends the utterance before the sample, unless that audio was processed already. */
  changeAfterTurn(sample: number, reached: () => void): void {
    this.mark({ sample, isTurnEnd: sample >= this.position, reached });
  }

  private mark(mark: Mark): void {
    // Most marks are behind all others.
    const before = this.marks.findLastIndex(({ sample }) => sample <= mark.sample);
    this.marks.splice(before + 1, 0, mark);
    this.notify();
  }

  /** No more audio follows: `run` resolves when it is processed. */
  flush(): void {
    this.isFlushing = true;
    this.notify();
  }

  /** Resolves when all audio is processed, or when the channel is stopped. */
  async run(): Promise<void> {
    try {
      await this.processAll();
    } finally {
      for (const { isTurnEnd, reached } of this.marks.splice(0)) if (isTurnEnd) reached();
    }
  }

  private async processAll(): Promise<void> {
    let hasTimedOut = false;
    while (!this.signal.aborted) {
      const [mark] = this.marks;
      const { end } = this.samples;
      const waiting = Math.floor((Math.min(end, mark?.sample ?? end) - this.position) / WINDOW_SAMPLES);
      const windows = Math.min(MOST_WINDOWS, waiting);
      const turnEnd = this.marks.find(({ isTurnEnd }) => isTurnEnd)?.sample;
      const isComplete = this.isFlushing || (turnEnd !== undefined && end >= turnEnd);
      if (windows > 0 && (isComplete || this.justifiesRequest(windows, hasTimedOut))) {
        hasTimedOut = false;
        await this.process(windows);
      } else if (mark && !mark.isTurnEnd && this.position + WINDOW_SAMPLES > mark.sample) {
        this.marks.shift();
        mark.reached();
      } else if (mark?.isTurnEnd && end >= mark.sample) {
        this.marks.shift();
        // The next turn's audio is adjacent, but time has passed in between.
        this.state = undefined;
        await this.events.turnEnded(mark.sample);
        mark.reached();
      } else if (this.isFlushing) return;
      else hasTimedOut = await this.waitForAudio(windows > 0 && this.state !== undefined);
    }
  }

  /** Whether so many windows justify a request. */
  private justifiesRequest(windows: number, hasTimedOut: boolean): boolean {
    // The detector's warm-up always uses the same amount of audio, so that results do not depend on how audio arrives.
    if (this.state === undefined && this.samples.end - this.position < WARM_UP_SAMPLES) return false;
    return windows >= LEAST_WINDOWS_BUSY || hasTimedOut || this.services.recognition.idleCount > 0;
  }

  /**
   * Waits for more audio.
   * @param isBounded  returns after BUSY_WAIT_MILLISECONDS at the latest: the client may not send any more
   * @returns whether the wait timed out
   */
  private async waitForAudio(isBounded: boolean): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const hasTimedOut = await new Promise<boolean>((resolve) => {
      this.notifyAudio = () => resolve(false);
      if (isBounded) timer = setTimeout(() => resolve(true), BUSY_WAIT_MILLISECONDS);
    });
    clearTimeout(timer);
    return hasTimedOut;
  }

  private async process(windows: number): Promise<void> {
    const samples = this.samples.slice(this.position, this.position + windows * WINDOW_SAMPLES);
    this.state ??= await this.warmedUp(this.samples.slice(this.position, this.warmUpEnd));
    const { probabilities, state } = await this.detect(samples, this.state);
    this.state = state;
    for (const found of probabilities) {
      const probability = this.events.ownProbability(this.position, found);
      this.position += WINDOW_SAMPLES;
      this.recognizer.activity.add(this.position, probability);
      const work = this.events.window(probability);
      if (work) await work;
      if (this.signal.aborted) return;
    }
    this.events.processed();
  }

  /** A change of settings is no end of the audio with which the detector warms up. */
  private get warmUpEnd(): number {
    const turnEnd = this.marks.find(({ isTurnEnd }) => isTurnEnd)?.sample ?? Number.POSITIVE_INFINITY;
    const wholeWindows = Math.floor((Math.min(this.samples.end, turnEnd) - this.position) / WINDOW_SAMPLES);
    return this.position + Math.min(WARM_UP_SAMPLES, wholeWindows * WINDOW_SAMPLES);
  }

  private async warmedUp(beginning: Float32Array): Promise<VoiceActivityState> {
    const cold = coldVoiceActivityState(Math.floor(this.position / WINDOW_SAMPLES));
    return (await this.detect(warmUpSamples(beginning), cold)).state;
  }

  private detect(samples: Float32Array, state: VoiceActivityState): Promise<VoiceActivityAnswer> {
    return this.recognizer.retryTransient(() =>
      this.services.detection.voiceActivity(samples, state, { priority: "live", signal: this.signal }),
    );
  }
}
