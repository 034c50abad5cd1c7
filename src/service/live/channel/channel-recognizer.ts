// Recognises a section of a channel's audio and retries on transient errors.
import { randomUUID } from "node:crypto";
import { retry } from "../../../platform/process/retry.ts";
import { padded } from "../../../speech/audio/padded.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { isContradicted, mayContradict } from "../../../speech/recognition/contradicting-language.ts";
import { isDoubtful } from "../../../speech/recognition/english-evidence.ts";
import type { Priority } from "../../inference/scheduler.ts";
import { pauseAfterTransient } from "../../inference/transient-errors.ts";
import type { ChannelOptions, ChannelServices } from "./channel-contract.ts";
import { DetectedActivity } from "./detected-activity.ts";
import type { SampleBuffer } from "./sample-buffer.ts";
import { hasTokensOf, type PlacedWord, tokensOf } from "./speech-context.ts";
import type { RecognitionRoute, SpeechLanguage } from "./spoken-language.ts";

/** Recognition result for a section of audio. */
export interface Hypothesis extends SpeechLanguage {
  /** End of its audio, samples. */
  until: number;
  words: PlacedWord[];
}

export interface RecognitionRequest {
  priority: Priority;
  /** Section of the channel's audio, samples. */
  start: number;
  until: number;
  /** Lower bound for the start times of words, seconds. */
  earliestSeconds: number;
  /** Settled words at the start of the audio. */
  prefix: readonly PlacedWord[];
  /** Expected words after the prefix, verified in one decoder pass. */
  draft: readonly PlacedWord[];
  /** Silence appended to the audio. */
  paddingSeconds: number;
  /**
   * Whether the engine may reuse the cached encoder output of an earlier part of the audio: faster, and nearly as
   * accurate.
   */
  mayUseCache: boolean;
  route: RecognitionRoute;
}

const RETRY_MILLISECONDS = 100;
/**
 * Consecutive process crashes or time-outs after which audio is given up. Audio of other sessions that shared a process
 * succeeds long before. Without the bound, audio that crashes every process would block its session and the
 * recognisers.
 */
const MOST_CRASHES = 20;

export class ChannelRecognizer {
  private readonly name = randomUUID();
  /** Of the channel's audio; voice activity detection adds to it. */
  readonly activity = new DetectedActivity();

  constructor(
    private readonly options: Pick<ChannelOptions, "vocabulary">,
    private readonly services: Pick<ChannelServices, "recognition">,
    private readonly samples: SampleBuffer,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param cancellation  aborts the recognition when its result is no longer needed
   * @returns the words after the prefix, in session time; undefined if there is no audio
   * @throws work.aborted
   */
  async recognize(request: RecognitionRequest, cancellation?: AbortSignal): Promise<Hypothesis | undefined> {
    const signal = cancellation ? AbortSignal.any([this.signal, cancellation]) : this.signal;
    const { specialist, isSpecialistLikely, isUnsure } = request.route;
    const bySpecialist = () => {
      const route = { model: specialist?.model ?? "", languages: [specialist?.language ?? ""] };
      return this.recognizeWith({ ...request, route }, signal);
    };
    const likely = specialist && isSpecialistLikely ? await bySpecialist() : undefined;
    if (likely && !isDoubtful(likely.words)) return likely;
    const contradicting = likely && (await this.contradicting(likely, request, signal));
    if (contradicting) return contradicting;
    const detected = await this.recognizeWith(request, signal);
    if (!detected || !specialist) return detected;
    // For one short word, Whisper often returns no text and detects an arbitrary language.
    const isMissed = isUnsure === true && detected.words.length === 0;
    if (detected.language !== specialist.language && !isMissed) return detected;
    const transcribed = likely ?? (await bySpecialist());
    const { probabilities } = detected;
    if (!transcribed || !probabilities) return transcribed;
    const [, probability = 0] = probabilities.find(([language]) => language === specialist.language) ?? [];
    return { ...transcribed, probability, probabilities };
  }

  /** The words in the language that detection finds without the session's bias, if they are clearly more certain. */
  private async contradicting(
    likely: Hypothesis,
    request: RecognitionRequest,
    signal: AbortSignal,
  ): Promise<Hypothesis | undefined> {
    if (!mayContradict(likely.words, (request.until - request.start) / SAMPLE_RATE)) return undefined;
    const { languageBias: _, ...route } = request.route;
    const detected = await this.recognizeWith({ ...request, route }, signal);
    if (!detected || detected.language === likely.language) return undefined;
    return isContradicted(likely.words, detected.words, detected.probability ?? 0) ? detected : undefined;
  }

  private async recognizeWith(request: RecognitionRequest, signal: AbortSignal): Promise<Hypothesis | undefined> {
    const { priority, until, earliestSeconds, prefix, draft, paddingSeconds, mayUseCache, route } = request;
    const { model, languages, languageBias, specialist } = route;
    const { continuation } = await this.services.recognition.capabilitiesOf(model);
    // Tokens of another model cannot be a prefix: recognise only the audio after them.
    const hasPrefixTokens = continuation && hasTokensOf(prefix, model);
    const prefixEnd = Math.round((prefix.at(-1)?.endSeconds ?? 0) * SAMPLE_RATE);
    const start = hasPrefixTokens ? request.start : Math.max(request.start, Math.min(prefixEnd, until));
    const section = this.samples.slice(start, until);
    if (section.length === 0) return undefined;
    const audio = padded(section, section.length + Math.round(paddingSeconds * SAMPLE_RATE));
    const activity = this.activity.between(start, until);
    const task = {
      audio,
      ...(activity ? { activity } : {}),
      prefix: hasPrefixTokens ? tokensOf(prefix) : [],
      draft: continuation && hasTokensOf(draft, model) ? tokensOf(draft) : [],
      vocabulary: this.options.vocabulary,
      languages,
      ...(languageBias ? { languageBias } : {}),
      ...(specialist ? { detectOnlyLanguages: [specialist.language] } : {}),
      ...(mayUseCache ? { audioId: `${this.name}:${start}` } : {}),
    };
    const { words, language, languageProbabilities } = await this.retryTransient(
      () => this.services.recognition.recognize(model, task, { priority, signal }),
      signal,
    );
    const edge = until / SAMPLE_RATE;
    const place = (word: PlacedWord): PlacedWord => {
      const startSeconds = Math.max(earliestSeconds, Math.min(edge, word.startSeconds + start / SAMPLE_RATE));
      const endSeconds = Math.max(startSeconds, Math.min(edge, word.endSeconds + start / SAMPLE_RATE));
      return { ...word, startSeconds, endSeconds, model };
    };
    const detected = languageProbabilities
      ? { probability: languageProbabilities[0]?.[1] ?? 0, probabilities: languageProbabilities }
      : {};
    return { until, language, words: words.map(place), ...detected };
  }

  /**
   * Retries when a process crashed or the queue is full. @throws also the error of the last of MOST_CRASHES processes
   */
  retryTransient<T>(operation: () => Promise<T>, signal = this.signal): Promise<T> {
    const pauseAfter = pauseAfterTransient(RETRY_MILLISECONDS, MOST_CRASHES);
    return retry(() => operation(), { pauseAfter: (error) => (signal.aborted ? undefined : pauseAfter(error)) });
  }
}
