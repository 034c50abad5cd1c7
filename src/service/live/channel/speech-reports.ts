// Reports of a channel about speech: its start, its end, the enhancement between them, and speech without words.

import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { Stretch } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { ChannelEvents, ChannelOptions, SpeechReport } from "./channel-contract.ts";
import type { EnhancedInput } from "./enhanced-input.ts";
import type { TurnReports } from "./turn-reports.ts";

/** Longer than the time between the two examinations of a voice. */
const RECENT_SECONDS = 120;
/** Distance between the reports of two processes about the same speech. */
const SAME_SECONDS = 0.1;

export class SpeechReports {
  /** Whether the start of the current utterance was reported. */
  private hasStart = false;
  /** Whether the current utterance began as that of another channel, and its start was not reported since. */
  private isStartMissing = false;
  /** Reported speech without words. */
  private recent: Stretch[] = [];
  /** Reports of an earlier process. */
  private readonly known: SpeechReport[];
  private readonly channel: number;

  constructor(
    { channel, reportedSpeechOf }: Pick<ChannelOptions, "channel" | "reportedSpeechOf">,
    private readonly events: Pick<ChannelEvents, "speechStart" | "speechEnd" | "enhanced" | "unrecognized">,
    private readonly input: Pick<EnhancedInput, "report"> | undefined,
    private readonly turns: TurnReports | undefined,
  ) {
    this.channel = channel;
    this.known = [...(reportedSpeechOf?.(channel) ?? [])];
  }

  get isStartReported(): boolean {
    return this.hasStart;
  }

  /** @param isCarried  another channel carries the same source, and reports it */
  started(seconds: number, isCarried: boolean): void {
    this.hasStart = !isCarried;
    this.isStartMissing = isCarried;
    if (isCarried) return;
    this.turns?.started();
    if (!this.isKnown(true, seconds)) this.events.speechStart(this.channel, milliseconds(seconds));
  }

  /**
   * Reports the start of an utterance that proves to be the channel's own at its end.
   * @param ownStart  gives the start, seconds; undefined if another channel reports the utterance
   */
  startedLate(ownStart: () => number | undefined): void {
    if (!this.isStartMissing) return;
    const seconds = ownStart();
    if (seconds !== undefined) this.started(seconds, false);
  }

  /**
   * @param utteranceStart  seconds
   * @param isCut           the speech continues in the next utterance
   */
  ended(seconds: number, utteranceStart: number, isCut = false): void {
    if (!this.hasStart) return;
    this.hasStart = false;
    if (this.isKnown(false, seconds)) return;
    this.events.speechEnd(this.channel, milliseconds(seconds), isCut);
    if (!this.input) return;
    const start = Math.min(utteranceStart, seconds);
    const enhancement = this.input.report(start * SAMPLE_RATE, seconds * SAMPLE_RATE);
    this.events.enhanced(this.channel, [milliseconds(start), milliseconds(seconds)], enhancement);
  }

  /** Whether an earlier process made the report; each of its reports counts once. */
  private isKnown(isStart: boolean, seconds: number): boolean {
    const at = this.known.findIndex(
      (one) => one.isStart === isStart && Math.abs(one.seconds - seconds) <= SAME_SECONDS,
    );
    if (at >= 0) this.known.splice(at, 1);
    return at >= 0;
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
