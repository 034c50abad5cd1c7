// The messages of a connection: events of the session as Deepgram's clients read them.
import type { ListenMessage, ListenModelInfo, ListenResults } from "../../../../contract/deepgram-live.ts";
import { milliseconds, type Utterance } from "../../../../contract/transcript/transcript.ts";
import { spokenWords, textOf } from "../../../../speech/text/spoken-words.ts";
import { listenWord } from "../../../deepgram/word.ts";
import type { EmittedEvent, EventOf } from "../../events/live-event.ts";
import type { ListenOptions } from "./options.ts";
import { type SpeechEnd, SpeechEnds } from "./speech-ends.ts";
import { UtteranceEnds } from "./utterance-ends.ts";

export type ResultOptions = Pick<
  ListenOptions,
  | "channels"
  | "punctuates"
  | "namesLanguages"
  | "detectsEnds"
  | "speechEndSeconds"
  | "vadEvents"
  | "utteranceEndSeconds"
>;

export interface ListenSource {
  requestId: string;
  model: { uuid: string; info: ListenModelInfo };
}

/** A Finalize whose finals are not all known. */
interface Finalize {
  /** End of its audio, seconds. */
  seconds: number;
  /** Whose results it marks. */
  channels: readonly number[];
  /** Channels with a final of later audio: those before it were sent. */
  passed: Set<number>;
}

/** A final that is held back, because it may be the last one before the answer to a Finalize. */
interface Held {
  results: ListenResults;
  lastWordEnd: number;
}

/** Finalize messages without their answer. */
const MOST_FINALIZING = 100;

const NO_WORDS: Pick<Utterance, "words" | "confidence"> = { words: [], confidence: 0 };

export class ListenPrinter {
  private readonly ends: UtteranceEnds | undefined;
  private readonly speechEnds: SpeechEnds | undefined;
  /** Channels whose last speech continues after its end: the utterance was cut. */
  private readonly cut = new Set<number>();
  private readonly speaking = new Set<number>();
  /** Start of the speech of each channel that no result has answered, seconds. */
  private readonly unansweredSpeech = new Map<number, number>();
  private readonly finalizing: Finalize[] = [];
  /** The last final of each channel since a Finalize: the last one of all is marked. */
  private readonly held = new Map<number, Held>();
  private readonly waitingForRelease: (() => void)[] = [];
  /** Finalize messages that were received and not answered. */
  private unanswered = 0;
  private hasRefusedAudio = false;
  private hasEnded = false;

  constructor(
    private readonly options: ResultOptions,
    private readonly source: ListenSource,
  ) {
    const { utteranceEndSeconds, speechEndSeconds } = options;
    if (utteranceEndSeconds !== undefined) this.ends = new UtteranceEnds(utteranceEndSeconds);
    if (speechEndSeconds !== undefined) this.speechEnds = new SpeechEnds(speechEndSeconds);
  }

  /** Length of the audio so far, as the messages state it, seconds. */
  seconds = 0;

  /** Whether a further Finalize may wait for its answer; it then counts. */
  mayFinalize(): boolean {
    if (this.unanswered >= MOST_FINALIZING) return false;
    this.unanswered++;
    return true;
  }

  /** Resolves when no result is held back. Only then may the session count its events as sent. */
  released(): Promise<void> {
    if (this.held.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waitingForRelease.push(resolve));
  }

  /** Called when the session begins to end its utterances. @param channel  undefined for all @param seconds  of the audio so far */
  finalize(channel: number | undefined, seconds: number): void {
    const channels = channel === undefined ? [...Array(this.options.channels).keys()] : [channel];
    this.finalizing.push({ seconds, channels, passed: new Set() });
  }

  /** @param detectedSeconds  speech before this time is known */
  progress(detectedSeconds: number): ListenMessage[] {
    const ends = this.ends?.reached(detectedSeconds).map((end) => this.utteranceEnd(end)) ?? [];
    return [...ends, ...(this.speechEnds?.reached(detectedSeconds).map((end) => this.speechEnd(end)) ?? [])];
  }

  print({ event }: EmittedEvent): ListenMessage[] {
    switch (event.kind) {
      case "speechStarted":
        return this.speechStarted(event);
      case "speechEnded":
        return this.speechEnded(event);
      case "partial":
        return [this.results(event.utterance, false)];
      case "final":
        return this.final(event.utterance);
      case "speechUnrecognized":
        return this.unrecognized(event);
      case "finalized":
        return this.finalized(event.seconds);
      case "finalizeRefused":
        // All audio was received. The last finals answer this message; if they were sent already, an empty result does.
        return this.hasEnded ? this.finalized(this.seconds) : [];
      case "chunkStored":
        this.seconds = Math.max(this.seconds, event.seconds[1]);
        return [];
      case "stopAccepted":
        this.seconds = Math.max(this.seconds, event.recordedSeconds);
        return [];
      case "recordingEnded":
        return this.ended(event.durationSeconds);
      case "chunkRefused":
        if (this.hasRefusedAudio) return [];
        this.hasRefusedAudio = true;
        return [{ type: "Error", variant: "AudioRefused", description: event.reason, message: event.reason }];
      case "error":
        // The refusal of the chunk states it.
        if (event.code === "invalid_audio_format" && this.hasRefusedAudio) return [];
        return [{ type: "Warning", code: event.code, description: event.reason }];
      // The interface has no messages for these.
      case "turnProbablyOver":
      case "turnResumed":
      case "turnOver":
      case "sessionCreated":
      case "recordingStarted":
      case "sessionEnded":
      case "speechEnhanced":
      case "languageDetected":
      case "speakersRevised":
      case "speakersNamed":
      case "stopRefused":
      case "configured":
      case "configureRefused":
      case "translation":
      case "utteranceAddon":
      case "utteranceAddonFailed":
      case "transcript":
      case "sessionAddon":
      case "result":
        return [];
    }
  }

  private speechEnded({ channel, seconds, isCut }: EventOf<"speechEnded">): ListenMessage[] {
    if (isCut) this.cut.add(channel);
    else this.cut.delete(channel);
    this.speaking.delete(channel);
    this.ends?.speechEnded(channel, seconds, isCut === true);
    this.speechEnds?.speechEnded(channel, seconds);
    return [];
  }

  private speechStarted({ channel, seconds }: EventOf<"speechStarted">): ListenMessage[] {
    const ends = this.ends?.speechStarted(channel, seconds).map((end) => this.utteranceEnd(end)) ?? [];
    this.speechEnds?.speechStarted(channel);
    this.speaking.add(channel);
    if (!this.unansweredSpeech.has(channel)) this.unansweredSpeech.set(channel, seconds);
    // The speech did not start here: its utterance was cut.
    if (this.cut.delete(channel) || !this.options.vadEvents) return ends;
    return [...ends, { type: "SpeechStarted", channel: this.indexOf(channel), timestamp: seconds }];
  }

  private final(utterance: Utterance): ListenMessage[] {
    const { channel } = utterance;
    this.unansweredSpeech.delete(channel);
    const held = { results: this.results(utterance, true), lastWordEnd: utterance.words.at(-1)?.end ?? utterance.end };
    const passed = this.pass(channel, utterance.start);
    if (this.finalizing.every((one) => one.passed.has(channel))) return [...passed, this.sent(held)];
    const before = this.held.get(channel);
    this.held.set(channel, held);
    return [...passed, ...(before ? [this.sent(before)] : [])];
  }

  /** Audio from `start` on has a final: it answers each Finalize before it on this channel. */
  private pass(channel: number, start: number): ListenMessage[] {
    const before = this.finalizing.filter(({ seconds, passed }) => seconds <= start && !passed.has(channel));
    const messages = before.flatMap((one) => {
      one.passed.add(channel);
      return one.channels.includes(channel) ? [this.marked(channel, one.seconds)] : [];
    });
    if (this.held.size === 0) this.release();
    return messages;
  }

  /** The last result of a channel for a Finalize: an empty one if it has none. */
  private marked(channel: number, seconds: number): ListenResults {
    const held = this.held.get(channel);
    this.held.delete(channel);
    const silence = { ...NO_WORDS, channel, start: seconds, end: seconds, language: "" };
    return { ...(held ? this.sent(held) : this.results(silence, true)), from_finalize: true };
  }

  private release(): void {
    for (const resolve of this.waitingForRelease.splice(0)) resolve();
  }

  /** An UtteranceEnd follows the results of its last word. */
  private sent({ results, lastWordEnd }: Held): ListenResults {
    this.ends?.final(results.channel_index[0], lastWordEnd);
    return results;
  }

  /**
   * Voice activity without words: its end is stated, too, as clients wait for one after SpeechStarted. A quiet voice that was found
   * later had no SpeechStarted: the warning of the result names it.
   */
  private unrecognized({ channel, range: [start, end] }: EventOf<"speechUnrecognized">): ListenMessage[] {
    const started = this.unansweredSpeech.get(channel);
    if (started === undefined || end <= started) return [];
    this.unansweredSpeech.delete(channel);
    const results = this.results({ ...NO_WORDS, channel, start, end, language: "" }, true);
    return [{ ...results, speech_final: results.speech_final && !this.speaking.has(channel) }];
  }

  private finalized(seconds: number): ListenMessage[] {
    this.unanswered = Math.max(0, this.unanswered - 1);
    const { channels = [], passed } = this.finalizing.shift() ?? {};
    const marked = channels.filter((one) => !passed?.has(one)).map((channel) => this.marked(channel, seconds));
    // The others may be the last ones of a later Finalize.
    const released = [...this.held].filter(([one]) => this.finalizing.every((other) => other.passed.has(one)));
    const others = released.map(([channel, held]) => {
      this.held.delete(channel);
      return this.sent(held);
    });
    if (this.held.size === 0) this.release();
    return [...others, ...marked];
  }

  /** All audio is transcribed, which answers every Finalize. */
  private ended(seconds: number): ListenMessage[] {
    this.seconds = seconds;
    this.hasEnded = true;
    const finalized: ListenMessage[] = [];
    while (this.finalizing.length > 0) finalized.push(...this.finalized(seconds));
    const speechEnds = this.speechEnds?.finish(seconds).map((end) => this.speechEnd(end)) ?? [];
    return [...finalized, ...this.progress(seconds), ...speechEnds];
  }

  private indexOf = (channel: number): [number, number] => [channel, Math.max(this.options.channels, channel + 1)];

  private utteranceEnd({ channel, lastWordEnd }: { channel: number; lastWordEnd: number }): ListenMessage {
    return { type: "UtteranceEnd", channel: this.indexOf(channel), last_word_end: lastWordEnd };
  }

  /** The utterance of this speech has ended before. */
  private speechEnd({ channel, seconds }: SpeechEnd): ListenMessage {
    const results = this.results({ ...NO_WORDS, channel, start: seconds, end: seconds, language: "" }, true);
    return { ...results, speech_final: true };
  }

  private results(
    utterance: Pick<Utterance, "channel" | "start" | "end" | "words" | "confidence" | "language"> &
      Partial<Pick<Utterance, "speaker">>,
    isFinal: boolean,
  ): ListenResults {
    const { punctuates, namesLanguages, detectsEnds } = this.options;
    const { channel, start, end, confidence, language } = utterance;
    const words = spokenWords([utterance]);
    return {
      type: "Results",
      channel_index: this.indexOf(channel),
      duration: milliseconds(end - start),
      start,
      is_final: isFinal,
      speech_final: isFinal && detectsEnds && !this.cut.has(channel),
      from_finalize: false,
      channel: {
        alternatives: [
          {
            transcript: textOf(words, punctuates),
            confidence,
            words: words.map((word) => listenWord(word, punctuates)),
            ...(namesLanguages && language !== "" ? { languages: [language] } : {}),
          },
        ],
      },
      metadata: {
        request_id: this.source.requestId,
        model_info: this.source.model.info,
        model_uuid: this.source.model.uuid,
      },
    };
  }
}
