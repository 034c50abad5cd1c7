// Reports of a channel about speech: its start, its end, the enhancement between them, and speech without words.

import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { Stretch } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { ChannelEvents } from "./channel-contract.ts";
import type { EnhancedInput } from "./enhanced-input.ts";
import type { TurnReports } from "./turn-reports.ts";

/** Longer than the time between the two examinations of a voice. */
const RECENT_SECONDS = 120;

export class SpeechReports {
  /** Whether the start of the current utterance was reported. */
  private hasStart = false;
  /** Whether the current utterance began as that of another channel, and its start was not reported since. */
  private isStartMissing = false;
  /** Reported speech without words. */
  private recent: Stretch[] = [];

  constructor(
    private readonly channel: number,
    private readonly events: Pick<ChannelEvents, "speechStart" | "speechEnd" | "enhanced" | "unrecognized">,
    private readonly input: Pick<EnhancedInput, "report"> | undefined,
    private readonly turns: TurnReports | undefined,
  ) {}

  get isStartReported(): boolean {
    return this.hasStart;
  }

  /** @param isCarried  another channel carries the same source, and reports it */
  started(seconds: number, isCarried: boolean): void {
    this.hasStart = !isCarried;
    this.isStartMissing = isCarried;
    if (this.hasStart) this.turns?.started();
    if (this.hasStart) this.events.speechStart(this.channel, milliseconds(seconds));
  }

  /**
   * Reports the start of an utterance that proves to be the channel's own: comparing channels may lag behind.
   * @param ownStart  resolves with the start, seconds; with undefined if another channel reports the utterance
   */
  async startedLate(ownStart: () => Promise<number | undefined>): Promise<void> {
    if (!this.isStartMissing) return;
    const seconds = await ownStart();
    if (seconds !== undefined) this.started(seconds, false);
  }

  /**
   * @param utteranceStart  seconds
   * @param isCut           the speech continues in the next utterance
   */
  ended(seconds: number, utteranceStart: number, isCut = false): void {
    if (!this.hasStart) return;
    this.hasStart = false;
    this.events.speechEnd(this.channel, milliseconds(seconds), isCut);
    if (!this.input) return;
    const start = Math.min(utteranceStart, seconds);
    const enhancement = this.input.report(start * SAMPLE_RATE, seconds * SAMPLE_RATE);
    this.events.enhanced(this.channel, [milliseconds(start), milliseconds(seconds)], enhancement);
  }

  /** Two examinations may find one voice: it is reported once. */
  unrecognized(stretches: readonly Stretch[]): void {
    for (const { startSeconds, endSeconds } of stretches) {
      if (this.recent.some((one) => one.startSeconds < endSeconds && one.endSeconds > startSeconds)) continue;
      this.recent = this.recent.filter((one) => one.endSeconds > startSeconds - RECENT_SECONDS);
      this.recent.push({ startSeconds, endSeconds });
      this.events.unrecognized(this.channel, [milliseconds(startSeconds), milliseconds(endSeconds)]);
    }
  }
}
