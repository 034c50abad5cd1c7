// Reports of a channel about turns: probably over, resumed, over. Exactly one of the other two follows each "probably over". The reports depend
// on the audio alone, as the ends of utterances do.
import { milliseconds, type Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES, WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { ChannelEvents, ChannelOptions } from "./channel-contract.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing } from "./endpointing.ts";
import { type FinalRecognition, startsBefore } from "./final-recognition.ts";
import type { PauseJudgement } from "./pause-judgement.ts";
import type { PlacedWord } from "./speech-context.ts";

/** Where silence alone decides, a turn is probably over after this share of the silence that ends it. */
const PROBABLE_SHARE = 0.5;
/** Shorter silences are within words. */
const LEAST_PROBABLE_SECONDS = 0.1;

export interface TurnReportParts {
  options: Pick<ChannelOptions, "channel" | "turnStateOf">;
  events: Pick<ChannelEvents, "turnProbablyOver" | "turnResumed" | "turnOver">;
  endpointing: Endpointing;
  finals: FinalRecognition;
  utterance: CurrentUtterance;
  /** The words of the utterance that are in no other channel's finals. @param found  those after the settled ones */
  ownWords(found: readonly PlacedWord[]): PlacedWord[];
  /** Undefined if silence alone ends utterances. */
  pauses(): PauseJudgement | undefined;
  signal: AbortSignal;
}

export class TurnReports {
  private isOpen: boolean;
  private isProbable: boolean;

  /** @returns undefined if turns are not reported */
  static for(parts: TurnReportParts): TurnReports | undefined {
    return parts.options.turnStateOf && new TurnReports(parts);
  }

  private constructor(private readonly parts: TurnReportParts) {
    const { events, options } = parts;
    const { channel } = options;
    const state = options.turnStateOf?.(channel);
    this.isOpen = state === "open" || state === "probable";
    this.isProbable = state === "probable";
    // The process was lost between the last final of the turn and its end.
    if (state !== undefined && typeof state === "object") {
      events.turnOver(channel, state.endedAt, null, "silence");
    }
  }

  /** Speech begins, or continues in the next utterance. */
  started(): void {
    this.isOpen = true;
  }

  /** A window within an utterance was processed. @param position  its end, samples @param isCarried  another channel is transcribed */
  async consider(position: number, isCarried: boolean): Promise<void> {
    const { endpointing, events, options } = this.parts;
    const { channel } = options;
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
    const probability = this.parts.pauses()?.probabilityAt(silence, silenceSeconds) ?? null;
    const id = this.parts.utterance.id;
    events.turnProbablyOver(channel, milliseconds(silence * WINDOW_SECONDS), probability, id, utterance);
  }

  /**
   * The finals of the utterance were emitted.
   * @param silence  first window of the silence, if one ended the utterance
   * @param until    its end, samples
   */
  over(endSeconds: number, end: { silence?: number; until?: number; reason?: "finalize" | "stop" }): void {
    const { events, options, signal } = this.parts;
    const pauses = this.parts.pauses();
    const { silence, until = 0, reason } = end;
    // Where a stopped channel emitted no final, the next process reports the end.
    if (signal.aborted) return;
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.isProbable = false;
    if (!wasOpen) return;
    const silenceSeconds = silence === undefined ? 0 : until / SAMPLE_RATE - silence * WINDOW_SECONDS;
    const probability = (silence === undefined ? undefined : pauses?.probabilityAt(silence, silenceSeconds)) ?? null;
    const isJudged = silence !== undefined && pauses?.endedByJudgement(silence) === true;
    events.turnOver(options.channel, milliseconds(endSeconds), probability, reason ?? (isJudged ? "model" : "silence"));
  }

  /** Silence after which the turn is probably over, seconds. */
  private probableSeconds(silence: number): number {
    const { endpointing, finals } = this.parts;
    const pauses = this.parts.pauses();
    // Until then, not all of the audio of its words has arrived.
    const least = finals.tailSamples / SAMPLE_RATE;
    if (pauses?.isJudging) return Math.max(least, pauses.probableSeconds(silence) ?? Number.POSITIVE_INFINITY);
    return Math.max(least, LEAST_PROBABLE_SECONDS, PROBABLE_SHARE * endpointing.endpointingSeconds);
  }

  private async utteranceUntil(silence: number): Promise<Utterance | undefined> {
    const { finals, utterance, signal } = this.parts;
    const until = silence * WINDOW_SAMPLES + finals.tailSamples;
    // Other models take over where a recognition is cancelled.
    const found = await finals.recognize(until).catch(() => undefined);
    signal.throwIfAborted();
    const fresh = found?.words.filter(({ startSeconds }) => startsBefore(startSeconds, silence)) ?? [];
    const words = this.parts.ownWords(fresh);
    const language = found?.language ?? utterance.settledLanguage ?? "";
    return words.length === 0 ? undefined : utterance.toUtterance(words, language);
  }
}
