// Asks the recogniser for the words of a piece of a channel's audio, until it gets them.
import { randomUUID } from "node:crypto";
import { padded } from "../audio/padded.ts";
import { ParlanceError } from "../errors.ts";
import type { Priority } from "../recognition/process/scheduler.ts";
import { type ChannelOptions, type ChannelServices, SAMPLE_RATE } from "./channel-contract.ts";
import type { SampleBuffer } from "./sample-buffer.ts";
import type { PlacedWord } from "./speech-context.ts";

/** What the recogniser takes some audio for. */
export interface Hypothesis {
  /** End of the audio that it was made from, samples. */
  until: number;
  words: PlacedWord[];
  language: string;
}

export interface Question {
  priority: Priority;
  /** The audio to hear, samples of the channel. */
  start: number;
  until: number;
  /** No word begins before this, seconds. */
  earliestSeconds: number;
  /** Units of the words at its beginning that are settled. */
  prefix: number[];
  /** Units of what is probably said after them. */
  draft: number[];
  /** Silence that is heard behind it. */
  paddingSeconds: number;
  /** Whether the answer may be made with what is known of the beginning of the audio: sooner, hardly worse. */
  mayGoOn: boolean;
}

const RETRY_MILLISECONDS = 100;

export class Listener {
  private readonly name = randomUUID();

  constructor(
    private readonly options: Pick<ChannelOptions, "model" | "vocabulary">,
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
    const { priority, start, until, earliestSeconds, prefix, draft, paddingSeconds, mayGoOn } = question;
    const heard = this.samples.slice(start, until);
    if (heard.length === 0) return undefined;
    const audio = padded(heard, heard.length + Math.round(paddingSeconds * SAMPLE_RATE));
    const { model, vocabulary } = this.options;
    const signal = unwanted ? AbortSignal.any([this.signal, unwanted]) : this.signal;
    const { words, language } = await this.patiently(
      () =>
        this.services.recognition.recognize(
          model,
          { audio, prefix, draft, vocabulary, ...(mayGoOn ? { audioId: `${this.name}:${start}` } : {}) },
          { priority, signal },
        ),
      signal,
    );
    const edge = until / SAMPLE_RATE;
    const place = (word: PlacedWord): PlacedWord => {
      const startSeconds = Math.max(earliestSeconds, Math.min(edge, word.startSeconds + start / SAMPLE_RATE));
      const endSeconds = Math.max(startSeconds, Math.min(edge, word.endSeconds + start / SAMPLE_RATE));
      return { ...word, startSeconds, endSeconds };
    };
    return { until, language, words: words.map(place) };
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
