// Recognition of partials: while an utterance continues, its newest audio is recognised whenever a recogniser is free.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { ChannelServices } from "./channel-contract.ts";
import type { ChannelRecognizer, RecognitionRequest } from "./channel-recognizer.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing } from "./endpointing.ts";
import type { FinalRecognition } from "./final-recognition.ts";
import { PADDING_SECONDS, partialAudio } from "./partial-audio.ts";
import type { SampleBuffer } from "./sample-buffer.ts";
import type { PlacedWord } from "./speech-context.ts";
import { openEnded } from "./utterance.ts";

/** Partials recognised at once. Two in parallel agree sooner than two in sequence if a process is idle. */
const MOST_PARTIALS = 2;
/** Audio before the utterance that is included in the audio of a partial. */
const PARTIAL_CONTEXT_SECONDS = 0.6;
const FIRST_PARTIAL_SAMPLES = Math.round(0.25 * SAMPLE_RATE);

/** Parts of the channel that partials are recognised from. */
export interface PartialParts {
  utterance: CurrentUtterance;
  samples: SampleBuffer;
  recognizer: ChannelRecognizer;
  recognition: ChannelServices["recognition"];
  endpointing: Endpointing;
  finals: FinalRecognition;
  /** Whether the utterance is transcribed in another channel, or the channel was stopped. */
  isHidden(): boolean;
  /** The words of the utterance that are in no other channel's finals. @param found  those after the settled ones */
  ownWords(found: readonly PlacedWord[]): PlacedWord[];
  /** Seconds of audio that voice activity detection has not processed. */
  undetectedSeconds(): number;
  onPartial(id: string, utterance: Utterance): void;
}

export class PartialRecognition {
  private underWay = 0;
  /** End of the audio of the newest partial, samples. */
  private newestAt = 0;
  /** New audio that justifies the first partial of an utterance; undefined for a later one, for which the load decides. */
  private step: number | undefined;
  private readonly turn = () => this.consider();

  /** @param isEnabled  whether anybody receives partials */
  constructor(
    private readonly isEnabled: boolean,
    private readonly parts: PartialParts,
  ) {}

  /** An utterance begins: its first words need a little more audio than later ones. @param detectedUntil  samples */
  begin(detectedUntil: number): void {
    this.newestAt = detectedUntil;
    this.step = FIRST_PARTIAL_SAMPLES;
  }

  /** Starts a partial if there is new audio and a recogniser is free. */
  consider(): void {
    const { utterance, samples, recognizer, recognition, endpointing, finals } = this.parts;
    if (!this.isEnabled || !endpointing.isSpeech || this.parts.isHidden()) return;
    const { stage, stepSeconds } = recognition.pace.level;
    const step = this.step ?? Math.round(stepSeconds * SAMPLE_RATE);
    if (this.underWay === MOST_PARTIALS || samples.end - this.newestAt < step) return;
    if (this.underWay > 0 && (recognition.idleCount === 0 || stage !== "normal")) return;
    // While detection is behind, a partial would be outdated.
    if (this.parts.undetectedSeconds() > 1 || recognition.waitingWords > 0) return;
    // In silence the final is recognised next: leave a process free for it.
    const isEnding = endpointing.silenceBegan !== undefined;
    if (isEnding && (finals.isPending || recognition.idleCount < 2)) return;
    const releasePlace = recognition.partialSlots.tryAcquire(this.turn);
    if (!releasePlace) return;
    this.newestAt = samples.end;
    this.step = undefined;
    const { generation } = utterance;
    const { known, request } = this.nextRequest();
    this.underWay++;
    recognizer
      .recognize(request)
      .then((found) => {
        // The next utterance has begun, or there is a newer result.
        if (!found || generation !== utterance.generation || found.until < (utterance.hypothesis?.until ?? 0)) return;
        utterance.language.guessFrom(found, (found.until - utterance.context.start) / SAMPLE_RATE);
        utterance.hypothesis = { ...found, words: [...known, ...found.words] };
        this.emit();
      })
      .catch(() => undefined)
      .finally(() => {
        this.underWay--;
        releasePlace();
        this.consider();
      });
  }

  /** Emits the words of the newest hypothesis that are stable. */
  emit(): void {
    const { utterance, endpointing } = this.parts;
    const { hypothesis, settledWords, context, guard } = utterance;
    if (!this.isEnabled || !hypothesis || this.parts.isHidden()) return;
    const { until, words, language } = hypothesis;
    const start = settledWords[0]?.startSeconds ?? context.settledUntil;
    const all = this.parts.ownWords(words);
    if (guard && !guard.isPlausible(all)) return;
    const shown = utterance.partials.update(all, start, until / SAMPLE_RATE);
    if (!shown) return;
    const isOpenEnded = shown.length >= all.length && endpointing.silenceBegan === undefined;
    this.parts.onPartial(
      utterance.id,
      utterance.toUtterance(isOpenEnded ? openEnded(shown, language) : shown, language),
    );
  }

  private nextRequest(): { request: RecognitionRequest; known: PlacedWord[] } {
    const { utterance, samples } = this.parts;
    const { context, language, hypothesis, partialSince } = utterance;
    const { end } = samples;
    const words = hypothesis?.words ?? [];
    const earliestSeconds = context.settledUntil;
    const route = language.route((end - context.start) / SAMPLE_RATE, false);
    const latencyOptions = { priority: "partial", paddingSeconds: PADDING_SECONDS, mayUseCache: true } as const;
    const base = { ...latencyOptions, route, until: end, earliestSeconds };
    const whole = context.since(utterance.start - PARTIAL_CONTEXT_SECONDS);
    const seconds = partialSince ?? whole.start / SAMPLE_RATE;
    const part = partialAudio(words, end / SAMPLE_RATE, { seconds, isWhole: partialSince === undefined });
    if (!part) return { request: { ...base, ...whole, draft: words }, known: [] };
    const { startSeconds, prefix, known } = part;
    utterance.partialSince = startSeconds;
    const start = Math.round(startSeconds * SAMPLE_RATE);
    return { request: { ...base, start, prefix, draft: words.slice(known.length) }, known };
  }
}
