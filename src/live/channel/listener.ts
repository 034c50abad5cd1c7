// Asks the recogniser for the words of a piece of a channel's audio, until it gets them.
import { randomUUID } from "node:crypto";
import { padded } from "../../audio/padded.ts";
import { ParlanceError } from "../../errors.ts";
import type { Priority } from "../../inference/scheduler.ts";
import { type ChannelOptions, type ChannelServices, SAMPLE_RATE } from "./channel-contract.ts";
import type { SampleBuffer } from "./sample-buffer.ts";
import { areOf, type PlacedWord, unitsOf } from "./speech-context.ts";
import type { HeardLanguage, HearingWay } from "./spoken-language.ts";

/** What the recogniser takes some audio for. */
export interface Hypothesis extends HeardLanguage {
  /** End of the audio that it was made from, samples. */
  until: number;
  words: PlacedWord[];
}

export interface Question {
  priority: Priority;
  /** The audio to hear, samples of the channel. */
  start: number;
  until: number;
  /** No word begins before this, seconds. */
  earliestSeconds: number;
  /** The words at its beginning that are settled. */
  prefix: readonly PlacedWord[];
  /** What is probably said after them. */
  draft: readonly PlacedWord[];
  /** Silence that is heard behind it. */
  paddingSeconds: number;
  /** Whether the answer may be made with what is known of the beginning of the audio: sooner, hardly worse. */
  mayGoOn: boolean;
  /** The model and the languages in question. */
  way: HearingWay;
}

const RETRY_MILLISECONDS = 100;

export class Listener {
  private readonly name = randomUUID();

  constructor(
    private readonly options: Pick<ChannelOptions, "vocabulary">,
    private readonly services: Pick<ChannelServices, "recognition">,
    private readonly samples: SampleBuffer,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param unwanted  ends the waiting for an answer that is not needed any more
   * @returns the words after the settled ones, in their place; undefined where there is no audio
   * @throws work.aborted
   */
  async words(question: Question, unwanted?: AbortSignal): Promise<Hypothesis | undefined> {
    const signal = unwanted ? AbortSignal.any([this.signal, unwanted]) : this.signal;
    const { left } = question.way;
    const heard = await this.ask(question, signal);
    if (!heard || heard.language !== left?.language) return heard;
    const { probability } = heard;
    const way = { model: left.model, languages: [left.language] };
    const written = await this.ask({ ...question, way }, signal);
    return written && { ...written, ...(probability === undefined ? {} : { probability }) };
  }

  private async ask(question: Question, signal: AbortSignal): Promise<Hypothesis | undefined> {
    const { priority, until, earliestSeconds, prefix, draft, paddingSeconds, mayGoOn, way } = question;
    const { model, languages, languageBias, left } = way;
    const { continuation } = await this.services.recognition.capabilitiesOf(model);
    // Words of another model mean nothing to this one: it hears what comes behind them.
    const knowsPrefix = continuation && areOf(prefix, model);
    const behind = Math.round((prefix.at(-1)?.endSeconds ?? 0) * SAMPLE_RATE);
    const start = knowsPrefix ? question.start : Math.max(question.start, Math.min(behind, until));
    const heard = this.samples.slice(start, until);
    if (heard.length === 0) return undefined;
    const audio = padded(heard, heard.length + Math.round(paddingSeconds * SAMPLE_RATE));
    const task = {
      audio,
      prefix: knowsPrefix ? unitsOf(prefix) : [],
      draft: continuation && areOf(draft, model) ? unitsOf(draft) : [],
      vocabulary: this.options.vocabulary,
      languages,
      ...(languageBias ? { languageBias } : {}),
      ...(left ? { leftLanguages: [left.language] } : {}),
      ...(mayGoOn ? { audioId: `${this.name}:${start}` } : {}),
    };
    const { words, language, languageProbabilities } = await this.patiently(
      () => this.services.recognition.recognize(model, task, { priority, signal }),
      signal,
    );
    const edge = until / SAMPLE_RATE;
    const place = (word: PlacedWord): PlacedWord => {
      const startSeconds = Math.max(earliestSeconds, Math.min(edge, word.startSeconds + start / SAMPLE_RATE));
      const endSeconds = Math.max(startSeconds, Math.min(edge, word.endSeconds + start / SAMPLE_RATE));
      return { ...word, startSeconds, endSeconds, model };
    };
    const probability = languageProbabilities?.[0]?.[1];
    return { until, language, words: words.map(place), ...(probability === undefined ? {} : { probability }) };
  }

  /** A lost process or a full queue is no reason to lose words. */
  async patiently<T>(ask: () => Promise<T>, signal = this.signal): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (signal.aborted || !(error instanceof ParlanceError) || !error.retryable) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
      }
    }
  }
}
