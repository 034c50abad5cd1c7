// The turns of a connection: events of the session as clients of AssemblyAI read them. A turn begins with its first words, so that a sound
// without words interrupts no agent; the last Turn of a turn has the words of its finals.
import type { StreamingMessage, StreamingTurn, StreamingWord } from "../../../../contract/assemblyai.ts";
import type { SpeakerRevision } from "../../../../contract/transcript/speaker-revision.ts";
import { revised } from "../../../../contract/transcript/speaker-revision.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { bare, type SpokenWord, spokenWords, textOf } from "../../../../speech/text/spoken-words.ts";
import { speakerLabel } from "../../../assemblyai/labels.ts";
import type { EmittedEvent, EventOf } from "../../events/live-event.ts";
import { CODES } from "./problem.ts";

export interface TurnForm {
  /** Texts have punctuation and capitals. */
  formatsTurns: boolean;
  namesLanguages: boolean;
  namesSpeakers: boolean;
}

interface Final {
  id: string;
  utterance: Utterance;
}

interface Turn {
  order: number;
  finals: Final[];
  /** Transcript of the Turn that said that the turn is probably over, until speech resumes it. */
  probable: string | undefined;
}

/** A longer turn ends with its next final, as every message has all words of its turn: about three minutes of speech. */
const MOST_WORDS = 500;
/** Turns that are over whose speakers may still be corrected. */
const MOST_EARLIER = 500;
/** Where silence alone decides. */
const PROBABLE = 0.5;

/** With the speaker of each word, where it has one. */
const wordsOf = (utterances: readonly Utterance[]): SpokenWord[] =>
  spokenWords(utterances.map(({ words, channel, language }) => ({ words, channel, language })));

/** Whether the client sent something wrong, or the service lacks something. */
const warningCodeOf = (code: EventOf<"error">["code"]) =>
  code === "invalid_audio_format" || code === "invalid_message" ? CODES.invalid : CODES.fault;

const thousandths = (seconds: number) => Math.round(seconds * 1000);

export class StreamingTurns {
  private turn: Turn | undefined;
  private nextOrder = 0;
  /** When the speech began whose words are awaited, seconds. */
  private onset: number | undefined;
  private language: EventOf<"languageDetected"> | undefined;
  private earlier: Turn[] = [];
  private hasRefusedAudio = false;
  /** Of the whole recording, once it is known. */
  durationSeconds = 0;

  constructor(private readonly form: TurnForm) {}

  print({ event }: EmittedEvent): StreamingMessage[] {
    switch (event.kind) {
      case "speechStarted":
        this.onset = event.seconds;
        return [];
      case "partial":
        return this.partial(event.utterance);
      case "final":
        return this.final(event.id, event.utterance);
      case "turnProbablyOver":
        return this.probablyOver(event);
      case "turnResumed":
        if (this.turn) this.turn.probable = undefined;
        return [];
      case "turnOver":
        return this.over(event.probability);
      case "recordingEnded":
        this.durationSeconds = event.durationSeconds;
        return this.over(null);
      case "languageDetected":
        this.language = event;
        return [];
      case "speakersRevised":
        return this.speakersRevised(event);
      case "chunkRefused": {
        if (this.hasRefusedAudio) return [];
        this.hasRefusedAudio = true;
        return [warning(`audio was not used: ${event.reason}`)];
      }
      case "configureRefused":
        return [warning(`UpdateConfiguration was not used: ${event.reason}`)];
      case "error":
        // The close frame states it.
        if (event.code === "invalid_audio_format" && this.hasRefusedAudio) return [];
        return [{ type: "Warning", warning_code: warningCodeOf(event.code), warning: event.reason }];
      // The interface has no messages for these.
      case "speechEnded":
      case "speechUnrecognized":
      case "sessionCreated":
      case "recordingStarted":
      case "sessionEnded":
      case "speechEnhanced":
      case "speakersNamed":
      case "chunkStored":
      case "stopAccepted":
      case "stopRefused":
      case "configured":
      case "finalized":
      case "finalizeRefused":
      case "translation":
      case "utteranceAddon":
      case "utteranceAddonFailed":
      case "transcript":
      case "sessionAddon":
      case "result":
        return [];
    }
  }

  private partial(utterance: Utterance): StreamingMessage[] {
    if (utterance.words.length === 0) return [];
    const begun = this.begin(utterance);
    const { turn } = this;
    if (!turn) return begun;
    const message = this.message(turn, utterance);
    return message.transcript === turn.probable ? begun : [...begun, message];
  }

  private begin({ start }: Utterance): StreamingMessage[] {
    if (this.turn) return [];
    this.turn = { order: this.nextOrder++, finals: [], probable: undefined };
    const timestamp = thousandths(Math.min(this.onset ?? start, start));
    this.onset = undefined;
    return [{ type: "SpeechStarted", timestamp }];
  }

  private final(id: string, utterance: Utterance): StreamingMessage[] {
    if (utterance.words.length === 0) return [];
    const begun = this.begin(utterance);
    this.turn?.finals.push({ id, utterance });
    const words = this.turn?.finals.reduce((sum, one) => sum + one.utterance.words.length, 0) ?? 0;
    return words < MOST_WORDS ? begun : [...begun, ...this.over(null)];
  }

  private probablyOver({ utterance, probability }: EventOf<"turnProbablyOver">): StreamingMessage[] {
    if (utterance.words.length === 0) return [];
    const begun = this.begin(utterance);
    const { turn } = this;
    if (!turn) return begun;
    const message = this.message(turn, utterance, probability ?? PROBABLE);
    turn.probable = message.transcript;
    return [...begun, message];
  }

  private over(probability: number | null): StreamingMessage[] {
    const { turn } = this;
    this.turn = undefined;
    if (!turn) return [];
    const message = this.message(turn, undefined, probability ?? 1);
    if (this.form.namesSpeakers) this.earlier = [...this.earlier, turn].slice(-MOST_EARLIER);
    return [
      { ...message, end_of_turn: true, turn_is_formatted: this.form.formatsTurns, utterance: message.transcript },
    ];
  }

  /** @param partial  the words since the last final */
  private message(turn: Turn, partial: Utterance | undefined, confidence = 0): StreamingTurn {
    const finals = turn.finals.map(({ utterance }) => utterance);
    const utterances = partial ? [...finals, partial] : finals;
    return {
      type: "Turn",
      turn_order: turn.order,
      turn_is_formatted: false,
      end_of_turn: false,
      transcript: textOf(wordsOf(utterances), this.form.formatsTurns),
      utterance: "",
      end_of_turn_confidence: confidence,
      words: [...this.words(finals, true), ...(partial ? this.words([partial], false) : [])],
      ...this.languageOf(utterances),
      ...this.speakerOf(utterances),
    };
  }

  private words(utterances: readonly Utterance[], isFinal: boolean): StreamingWord[] {
    return wordsOf(utterances).map(({ word, start, end, confidence, speaker, language }) => ({
      text: this.form.formatsTurns ? word.trim() : bare(word.trim(), language),
      ...{ start: thousandths(start), end: thousandths(end), confidence, word_is_final: isFinal },
      ...(this.form.namesSpeakers && speaker !== undefined ? { speaker: speakerLabel(speaker) } : {}),
    }));
  }

  private languageOf(utterances: readonly Utterance[]): Pick<StreamingTurn, "language_code" | "language_confidence"> {
    const language = utterances.at(-1)?.language ?? "";
    if (!this.form.namesLanguages || language === "") return {};
    const isDetected = this.language?.language === language;
    return { language_code: language, ...(isDetected ? { language_confidence: this.language?.probability ?? 0 } : {}) };
  }

  private speakerOf(utterances: readonly Utterance[]): Pick<StreamingTurn, "speaker_label"> {
    const speaker = this.form.namesSpeakers ? utterances.at(-1)?.speaker : undefined;
    return speaker === undefined ? {} : { speaker_label: speakerLabel(speaker) };
  }

  private speakersRevised(revision: SpeakerRevision): StreamingMessage[] {
    const revise = (turn: Turn) => {
      const finals = turn.finals.map(({ id, utterance }) => ({ id, utterance: revised(id, utterance, revision) }));
      const hasChanged = finals.some(({ utterance }, at) => utterance !== turn.finals[at]?.utterance);
      turn.finals = finals;
      return hasChanged;
    };
    if (this.turn) revise(this.turn);
    const revisions = this.earlier.filter(revise).map(({ order, finals }) => {
      const utterances = finals.map(({ utterance }) => utterance);
      return { turn_order: order, ...this.speakerOf(utterances), words: this.words(utterances, true) };
    });
    return revisions.length === 0 ? [] : [{ type: "SpeakerRevision", revisions }];
  }
}

/** Of what has no effect. */
export const warning = (text: string): StreamingMessage => ({
  type: "Warning",
  warning_code: CODES.invalid,
  warning: text,
});
