// The messages of a connection: events of the session as Deepgram's clients read them.
import type { ListenMessage, ListenModelInfo, ListenResults } from "../../../../contract/deepgram-live.ts";
import { milliseconds, type Utterance } from "../../../../contract/transcript/transcript.ts";
import { spokenWords, textOf } from "../../../../speech/text/spoken-words.ts";
import { listenWord } from "../../../deepgram/word.ts";
import type { EmittedEvent, EventOf } from "../../events/live-event.ts";
import { TimedValue } from "../timed-value.ts";
import { CutSpeech } from "./cut-speech.ts";
import { type Final, HeldFinals } from "./held-finals.ts";
import type { ListenOptions } from "./options.ts";
import { type SpeechEnd, SpeechEnds } from "./speech-ends.ts";
import { UtteranceEnds } from "./utterance-ends.ts";
import { type ConnectionWarnings, sessionWarning } from "./warnings.ts";

export type ResultOptions = Pick<
  ListenOptions,
  | "channels"
  | "punctuates"
  | "namesLanguages"
  | "languagesHinted"
  | "detectsEnds"
  | "endpointingSeconds"
  | "speechEndSeconds"
  | "vadEvents"
  | "utteranceEndSeconds"
>;

export interface ListenSource {
  requestId: string;
  model: { uuid: string; info: ListenModelInfo };
}

const NO_WORDS: Pick<Utterance, "words" | "confidence"> = { words: [], confidence: 0 };

export class ListenPrinter {
  private readonly ends: UtteranceEnds | undefined;
  private readonly speechEnds: SpeechEnds | undefined;
  private readonly finals: HeldFinals;
  /** Channels whose last speech was cut, until it continues. */
  private readonly cut = new Set<number>();
  /** Undefined if no result states an end of speech. */
  private readonly cutSpeech: CutSpeech | undefined;
  private readonly speaking = new Set<number>();
  /** Start of the speech of each channel that no result has answered, seconds. */
  private readonly unansweredSpeech = new Map<number, number>();
  /** Whether text has punctuation. */
  private readonly punctuation: TimedValue<boolean>;
  private hasRefusedAudio = false;
  private hasEnded = false;

  constructor(
    private readonly options: ResultOptions,
    private readonly source: ListenSource,
    private readonly warnings: Pick<ConnectionWarnings, "add">,
  ) {
    const { channels, punctuates, detectsEnds, utteranceEndSeconds, speechEndSeconds } = options;
    this.punctuation = new TimedValue(punctuates);
    if (detectsEnds) this.cutSpeech = new CutSpeech();
    if (utteranceEndSeconds !== undefined) this.ends = new UtteranceEnds(utteranceEndSeconds);
    if (speechEndSeconds !== undefined) this.speechEnds = new SpeechEnds(speechEndSeconds);
    // An UtteranceEnd follows the results of its last word.
    const onSent = ({ channel, lastWordEnd }: Final) => this.ends?.final(channel, lastWordEnd);
    this.finals = new HeldFinals(channels, (channel, seconds) => this.empty(channel, seconds, seconds), onSent);
  }

  /** Length of the audio so far, as the messages state it, seconds. */
  seconds = 0;
  /** Speech before this time is known. */
  private detectedSeconds = 0;

  /** Whether a further Finalize may wait for its answer; it then counts. */
  mayFinalize(): boolean {
    return this.finals.mayFinalize();
  }

  /** Resolves when no result is held back. Only then may the session count its events as sent. */
  released(): Promise<void> {
    return this.finals.released();
  }

  /** Called when the session begins to end its utterances. @param channel  undefined for all @param seconds  of the audio so far */
  finalize(channel: number | undefined, seconds: number): void {
    this.finals.finalize(channel, seconds);
  }

  /** Changes the punctuation of utterances that end after a time. @param seconds  not before that of an earlier change */
  punctuate(punctuates: boolean, seconds: number): void {
    this.punctuation.change(punctuates, seconds);
  }

  /** Whether messages may depend on the time until which speech is known. */
  get needsProgress(): boolean {
    return this.ends !== undefined || this.cutSpeech?.isWaiting === true;
  }

  /** @param detectedSeconds  speech before this time is known */
  progress(detectedSeconds: number): ListenMessage[] {
    this.detectedSeconds = Math.max(this.detectedSeconds, detectedSeconds);
    const ends = this.ends?.reached(detectedSeconds).map((end) => this.utteranceEnd(end)) ?? [];
    return [...ends, ...this.speechEndsOf((one) => one.reached(detectedSeconds))];
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
        return this.finals.finalized(event.seconds);
      case "finalizeRefused":
        // All audio was received. The last finals answer this message; if they were sent already, an empty result does.
        return this.hasEnded ? this.finals.finalized(this.seconds) : [];
      case "chunkStored":
        this.seconds = Math.max(this.seconds, event.seconds[1]);
        return [];
      case "stopAccepted":
        this.seconds = Math.max(this.seconds, event.recordedSeconds);
        return [];
      case "recordingEnded":
        return this.ended(event.durationSeconds);
      case "chunkRefused":
        this.hasRefusedAudio = true;
        this.warnings.add({ parameter: "", type: "audio_refused", message: event.reason });
        return [];
      case "error":
        // The refusal of the chunk states it.
        if (event.code !== "invalid_audio_format" || !this.hasRefusedAudio) this.warnings.add(sessionWarning(event));
        return [];
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
    const reportedSeconds = Math.max(this.detectedSeconds, seconds + this.options.endpointingSeconds);
    this.cutSpeech?.ended(channel, { seconds, isCut: isCut === true }, reportedSeconds);
    this.ends?.speechEnded(channel, seconds, isCut === true);
    this.speechEnds?.speechEnded(channel, seconds);
    return [];
  }

  private speechStarted({ channel, seconds }: EventOf<"speechStarted">): ListenMessage[] {
    const ends = this.ends?.speechStarted(channel, seconds).map((end) => this.utteranceEnd(end)) ?? [];
    const speechEnds = this.speechEndsOf((one) => one.speechStarted(channel, seconds));
    this.speaking.add(channel);
    if (!this.unansweredSpeech.has(channel)) this.unansweredSpeech.set(channel, seconds);
    // The speech did not start here: its utterance was cut.
    if (this.cut.delete(channel) || !this.options.vadEvents) return [...ends, ...speechEnds];
    return [...ends, ...speechEnds, { type: "SpeechStarted", channel: this.indexOf(channel), timestamp: seconds }];
  }

  private final(utterance: Utterance): ListenMessage[] {
    const { channel, start, words } = utterance;
    this.unansweredSpeech.delete(channel);
    const lastWordEnd = words.at(-1)?.end ?? utterance.end;
    return this.finals.add({ channel, start, results: this.results(utterance, true), lastWordEnd });
  }

  /**
   * Voice activity without words: its end is stated, too, as clients wait for one after SpeechStarted. A quiet voice that was found
   * later had no SpeechStarted: the warning of the result names it.
   */
  private unrecognized({ channel, range: [start, end] }: EventOf<"speechUnrecognized">): ListenMessage[] {
    const started = this.unansweredSpeech.get(channel);
    if (started === undefined || end <= started) return [];
    this.unansweredSpeech.delete(channel);
    const results = this.empty(channel, start, end);
    return [{ ...results, speech_final: results.speech_final && !this.speaking.has(channel) }];
  }

  /** All audio is transcribed, which answers every Finalize. */
  private ended(seconds: number): ListenMessage[] {
    this.seconds = seconds;
    this.hasEnded = true;
    const finalized: ListenMessage[] = [];
    while (this.finals.isFinalizing) finalized.push(...this.finals.finalized(seconds));
    return [...finalized, ...this.progress(seconds), ...this.speechEndsOf((one) => one.finish(seconds))];
  }

  private indexOf = (channel: number): [number, number] => [channel, Math.max(this.options.channels, channel + 1)];

  private utteranceEnd({ channel, lastWordEnd }: { channel: number; lastWordEnd: number }): ListenMessage {
    return { type: "UtteranceEnd", channel: this.indexOf(channel), last_word_end: lastWordEnd };
  }

  private speechEndsOf(endsOf: (one: CutSpeech | SpeechEnds) => SpeechEnd[]): ListenMessage[] {
    const trackers = [this.cutSpeech, this.speechEnds].filter((one) => one !== undefined);
    return trackers.flatMap(endsOf).map((end) => this.speechEnd(end));
  }

  /** The utterance of this speech has ended before, or the speech has no words. */
  private speechEnd({ channel, seconds }: SpeechEnd): ListenMessage {
    return this.results({ ...NO_WORDS, channel, start: seconds, end: seconds, language: "" }, true, true);
  }

  /** Results without words. */
  private empty(channel: number, start: number, end: number): ListenResults {
    return this.results({ ...NO_WORDS, channel, start, end, language: "" }, true);
  }

  private results(
    utterance: Pick<Utterance, "channel" | "start" | "end" | "words" | "confidence" | "language"> &
      Partial<Pick<Utterance, "speaker">>,
    isFinal: boolean,
    endsSpeech = isFinal && this.cutSpeech?.isCut(utterance.channel, utterance) === false,
  ): ListenResults {
    const { namesLanguages, languagesHinted } = this.options;
    const { channel, start, end, confidence, language } = utterance;
    const punctuates = this.punctuation.at(end);
    const words = spokenWords([utterance]);
    return {
      type: "Results",
      channel_index: this.indexOf(channel),
      duration: milliseconds(end - start),
      start,
      is_final: isFinal,
      speech_final: endsSpeech,
      from_finalize: false,
      channel: {
        alternatives: [
          {
            transcript: textOf(words, punctuates),
            confidence,
            words: words.map((word) => listenWord(word, { punctuates, namesLanguages })),
            ...(namesLanguages && language !== "" ? { languages: [language] } : {}),
            ...(languagesHinted.length > 0 ? { languages_hinted: languagesHinted } : {}),
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
