// Voice activity detection over a channel's audio, in order: one speech probability per window, and the ends of turns
// between them. One loop per channel.
import {
  coldVoiceActivityState,
  type VoiceActivityState,
} from "../../../speech/audio/voice-activity/detector-state.ts";
import {
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
  warmUpSamples,
} from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { VoiceActivityAnswer } from "../../inference/message.ts";
import type { ChannelServices } from "./channel-contract.ts";
import type { ChannelRecognizer } from "./channel-recognizer.ts";
import type { SampleBuffer } from "./sample-buffer.ts";

/** Most windows in one voice activity request. */
const MOST_WINDOWS = 31;
/** Fewest windows in one request while all recognisers are busy: each request takes time from them. */
const LEAST_WINDOWS_BUSY = 2;
/** Longest wait for a fuller request while all recognisers are busy. */
const BUSY_WAIT_MILLISECONDS = 100;

export interface DetectionEvents {
  /** Speech probability of the window that ends at `position`. The next window waits for a promise. */
  window(probability: number): Promise<void> | undefined;
  /** The windows of one request were processed. */
  processed(): void;
  /** All windows before the end of a turn were processed. @param turnEnd  sample */
  turnEnded(turnEnd: number): Promise<void>;
}

interface TurnEnd {
  sample: number;
  /** Called when `turnEnded` has resolved, or when no more audio is processed. */
  done(): void;
}

export class SpeechDetection {
  private state: VoiceActivityState | undefined;
  private isFlushing = false;
  /** Ends of turns, in order, beyond `position`. */
  private readonly turnEnds: TurnEnd[] = [];
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
    return new Promise((done) => {
      this.turnEnds.push({ sample, done });
      this.notify();
    });
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
      for (const { done } of this.turnEnds.splice(0)) done();
    }
  }

  private async processAll(): Promise<void> {
    let hasTimedOut = false;
    while (!this.signal.aborted) {
      const turnEnd = this.turnEnds[0]?.sample;
      const { end } = this.samples;
      const waiting = Math.floor((Math.min(end, turnEnd ?? end) - this.position) / WINDOW_SAMPLES);
      const windows = Math.min(MOST_WINDOWS, waiting);
      const isComplete = this.isFlushing || (turnEnd !== undefined && end >= turnEnd);
      if (windows > 0 && (isComplete || this.justifiesRequest(windows, hasTimedOut))) {
        hasTimedOut = false;
        await this.process(windows);
      } else if (turnEnd !== undefined && end >= turnEnd) {
        const ended = this.turnEnds.shift();
        // The next turn's audio is adjacent, but time has passed in between.
        this.state = undefined;
        await this.events.turnEnded(turnEnd);
        ended?.done();
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
    this.state ??= await this.warmedUp(samples.subarray(0, WARM_UP_SAMPLES));
    const { probabilities, state } = await this.detect(samples, this.state);
    this.state = state;
    for (const probability of probabilities) {
      this.position += WINDOW_SAMPLES;
      this.recognizer.activity.add(this.position, probability);
      const work = this.events.window(probability);
      if (work) await work;
      if (this.signal.aborted) return;
    }
    this.events.processed();
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
