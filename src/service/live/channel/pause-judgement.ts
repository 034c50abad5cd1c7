// Judges the pauses of an utterance: whether the turn is over, from the sound and the words so far. Uses audio of the utterance alone, up to
// positions that depend on the audio alone, so that a restart judges the same.
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { digitsOf } from "../../../speech/text/numerals/digits-of.ts";
import { MOST_TURN_SECONDS } from "../../../speech/turns/turn-detector.ts";
import { probabilityOfTurnEnd, silenceOfTurnEnd, type TurnEvidence } from "../../../speech/turns/turn-end.ts";
import { rounded } from "../../transcripts/recognized-segments.ts";
import type { TurnOptions } from "./channel-contract.ts";
import type { ChannelRecognizer } from "./channel-recognizer.ts";
import type { CurrentUtterance } from "./current-utterance.ts";
import type { Endpointing, EndpointingEvent } from "./endpointing.ts";
import type { FinalRecognition } from "./final-recognition.ts";
import type { SampleBuffer } from "./sample-buffer.ts";

export interface JudgementParts {
  utterance: CurrentUtterance;
  samples: SampleBuffer;
  recognizer: Pick<ChannelRecognizer, "retryTransient">;
  endpointing: Endpointing;
  finals: FinalRecognition;
  signal: AbortSignal;
}

type Pause = Extract<EndpointingEvent, { kind: "pause" }>;

interface Judged {
  until: number;
  probability: Promise<number | undefined>;
}

export class PauseJudgement {
  private newest: Judged | undefined;
  private last: { silentFrom: number; evidence: TurnEvidence } | undefined;

  constructor(
    private options: TurnOptions,
    private readonly parts: JudgementParts,
  ) {}

  /** Applies to the judgements from the next one on. */
  configure(options: TurnOptions): void {
    this.options = options;
  }

  get isJudging(): boolean {
    return this.options.isJudging();
  }

  /** @param silence  first window of a silence @returns seconds of it after which the turn is probably over; undefined if it was not judged */
  probableSeconds(silence: number): number | undefined {
    const evidence = this.evidenceOf(silence);
    return evidence && silenceOfTurnEnd(evidence, this.options.probableThreshold);
  }

  /** @returns probability that the turn is over, rounded; undefined if the silence was not judged */
  probabilityAt(silence: number, silenceSeconds: number): number | undefined {
    const evidence = this.evidenceOf(silence);
    return evidence && rounded(probabilityOfTurnEnd(evidence, silenceSeconds));
  }

  /** Whether the judgement of a silence ended its utterance before the longest wait. */
  endedByJudgement(silence: number): boolean {
    const evidence = this.evidenceOf(silence);
    return evidence !== undefined && silenceOfTurnEnd(evidence, this.options.threshold) < this.options.maximumSeconds;
  }

  private evidenceOf(silence: number): TurnEvidence | undefined {
    return this.last?.silentFrom === silence ? this.last.evidence : undefined;
  }

  /** Starts to judge the current silence as soon as its audio has arrived, beside the recognition of its words. @param detectedUntil  samples */
  consider(detectedUntil: number): void {
    const { endpointing, finals } = this.parts;
    const silence = endpointing.silenceBegan;
    if (silence === undefined || !this.options.isJudging()) return;
    const until = silence * WINDOW_SAMPLES + finals.tailSamples;
    if (detectedUntil >= until && (this.newest?.until ?? 0) < until) this.judge(until);
  }

  /** @returns the end, if the pause ends the utterance @throws work.aborted */
  async decide({ silentFrom, windows }: Pause): Promise<EndpointingEvent | undefined> {
    const { endpointing, finals, signal, utterance } = this.parts;
    const first = silentFrom * WINDOW_SAMPLES + finals.tailSamples;
    const isFirst = windows === endpointing.leastSilenceWindows;
    const judged = this.judge(isFirst ? first : (silentFrom + windows) * WINDOW_SAMPLES);
    const found = await finals.recognize(first);
    const probability = await judged;
    // A channel that stops ends no utterance.
    signal.throwIfAborted();
    if (probability === undefined) return endpointing.judge(endpointing.endpointingSeconds);
    const words = [...utterance.settledWords, ...(found?.words ?? [])].map(({ text }) => text);
    const language = found?.language ?? utterance.settledLanguage ?? "";
    const endsInNumber = digitsOf(words.at(-1) ?? "", language) !== undefined;
    const evidence = { probability, words, language, endsInNumber };
    this.last = { silentFrom, evidence };
    return endpointing.judge(silenceOfTurnEnd(evidence, this.options.threshold));
  }

  /** @param until  end of the judged audio, samples @returns undefined if the model failed */
  private judge(until: number): Promise<number | undefined> {
    if (this.newest?.until === until) return this.newest.probability;
    const { utterance, samples, recognizer, signal } = this.parts;
    const start = Math.round(utterance.start * SAMPLE_RATE);
    const audio = samples.slice(Math.max(start, until - MOST_TURN_SECONDS * SAMPLE_RATE), until);
    const probability = recognizer
      .retryTransient(() => this.options.judge(audio, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.options.fail(error);
        return undefined;
      });
    this.newest = { until, probability };
    return probability;
  }
}
