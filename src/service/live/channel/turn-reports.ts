// Reports of a channel about turns: probably over, resumed, over. Each report that a turn is probably over is followed by exactly one of the
// others. Depends on the audio alone, as the ends of utterances do.
import { milliseconds, type Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { ChannelEvents, TurnState } from "./channel-contract.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing } from "./endpointing.ts";
import type { FinalRecognition } from "./final-recognition.ts";
import type { PauseJudgement } from "./pause-judgement.ts";

/** Where silence alone decides, a turn is probably over after this share of the silence that ends it. */
const PROBABLE_SHARE = 0.5;
/** Shorter silences are within words. */
const LEAST_PROBABLE_SECONDS = 0.1;
const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;

export interface TurnReportParts {
  channel: number;
  endpointingSeconds: number;
  /** Of an earlier process. */
  state: TurnState;
  events: Pick<ChannelEvents, "turnProbablyOver" | "turnResumed" | "turnOver">;
  endpointing: Endpointing;
  finals: FinalRecognition;
  utterance: CurrentUtterance;
  /** Undefined if silence alone ends utterances. */
  pauses: PauseJudgement | undefined;
  signal: AbortSignal;
  /** Whether the final of the current silence includes a word. @param silence  first window of the silence */
  isIncluded(startSeconds: number, silence: number): boolean;
}

export class TurnReports {
  private isOpen: boolean;
  private isProbable: boolean;

  constructor(private readonly parts: TurnReportParts) {
    const { state, channel, events } = parts;
    this.isOpen = state === "open" || state === "probable";
    this.isProbable = state === "probable";
    // The process was lost between the last final of the turn and its end.
    if (state !== undefined && typeof state === "object") {
      events.turnOver(channel, state.endedAt, null, "silence");
    }
  }

  /** Speech begins, or goes on in the next utterance. */
  started(): void {
    this.isOpen = true;
  }

  /** A window within an utterance was processed. @param position  its end, samples @param isCarried  another channel is transcribed */
  async consider(position: number, isCarried: boolean): Promise<void> {
    const { channel, endpointing, events } = this.parts;
    const silence = endpointing.silenceBegan;
    if (silence === undefined) {
      if (this.isProbable) events.turnResumed(channel, milliseconds((position - WINDOW_SAMPLES) / SAMPLE_RATE));
      this.isProbable = false;
      return;
    }
    if (this.isProbable || !this.isOpen || isCarried) return;
    const silenceSeconds = (position - silence * WINDOW_SAMPLES) / SAMPLE_RATE;
    if (silenceSeconds < this.probableSeconds(silence)) return;
    const utterance = await this.utteranceUntil(silence);
    if (!utterance) return;
    this.isProbable = true;
    const probability = this.parts.pauses?.probabilityAt(silence, silenceSeconds) ?? null;
    const id = this.parts.utterance.id;
    events.turnProbablyOver(channel, milliseconds(silence * WINDOW_SECONDS), probability, id, utterance);
  }

  /** The finals of the utterance were emitted. @param silence  first window of the silence, if one ended the utterance */
  over(endSeconds: number, end: { silence?: number; silenceSeconds?: number; reason?: "finalize" | "stop" }): void {
    const { channel, events, pauses } = this.parts;
    const { silence, silenceSeconds = 0, reason } = end;
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.isProbable = false;
    if (!wasOpen) return;
    const probability = (silence === undefined ? undefined : pauses?.probabilityAt(silence, silenceSeconds)) ?? null;
    const isJudged = silence !== undefined && pauses?.endedByJudgement(silence) === true;
    events.turnOver(channel, milliseconds(endSeconds), probability, reason ?? (isJudged ? "model" : "silence"));
  }

  /** Silence after which the turn is probably over, seconds. */
  private probableSeconds(silence: number): number {
    const { pauses, finals, endpointingSeconds } = this.parts;
    // Until then, not all of the audio of its words has arrived.
    const least = finals.tailSamples / SAMPLE_RATE;
    if (pauses?.isJudging) return Math.max(least, pauses.probableSeconds(silence) ?? Number.POSITIVE_INFINITY);
    return Math.max(least, LEAST_PROBABLE_SECONDS, PROBABLE_SHARE * endpointingSeconds);
  }

  private async utteranceUntil(silence: number): Promise<Utterance | undefined> {
    const { finals, utterance, signal, isIncluded } = this.parts;
    const until = silence * WINDOW_SAMPLES + finals.tailSamples;
    // Other models take over where a recognition is cancelled.
    const found = await finals.recognize(until).catch(() => undefined);
    signal.throwIfAborted();
    const fresh = found?.words.filter(({ startSeconds }) => isIncluded(startSeconds, silence)) ?? [];
    const words = [...utterance.settledWords, ...fresh];
    return words.length === 0 ? undefined : utterance.toUtterance(words, found?.language ?? "");
  }
}
