// The turns of a connection: events of the session as clients of Flux read them. A turn begins with its first words, so that a sound without
// words interrupts no agent; EndOfTurn has the words of its finals.
import type { FluxBody, FluxEvent, FluxTurnInfo, FluxWord } from "../../../../contract/deepgram-flux.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { type SpokenWord, spokenWords, textOf } from "../../../../speech/text/spoken-words.ts";
import { languagesOf } from "../../../deepgram/word.ts";
import type { EmittedEvent, EventOf } from "../../events/live-event.ts";
import { TimedValue } from "../timed-value.ts";
import type { FluxOptions } from "./options.ts";

export type TurnOptions = Pick<FluxOptions, "thresholds" | "languageHints">;

interface Turn {
  index: number;
  /** Seconds. */
  start: number;
  end: number;
  finals: Utterance[];
  /** The finals, and the newest partial. */
  shown: readonly Utterance[];
  /** Transcript of the last EagerEndOfTurn that nothing has followed. */
  eager: string | undefined;
}

/** A longer turn ends with its next final, as every message has all words of its turn: about three minutes of speech. */
const MOST_WORDS = 500;
const TRIGGERS = { model: "model", silence: "timeout", finalize: "timeout", stop: "manual" } as const;

/** Sessions of this interface have one channel: the channels of a WAV header are mixed. */
export class FluxTurns {
  private readonly turns = new Map<number, Turn>();
  private nextIndex = 0;
  /** ForceEndTurn messages that the session has not processed. */
  private forced = 0;
  private hasRefusedAudio = false;

  /** Undefined without eager ends of turn. */
  private readonly eagerThreshold: TimedValue<number | undefined>;

  constructor(private readonly options: TurnOptions) {
    this.eagerThreshold = new TimedValue(options.thresholds.eager_eot_threshold);
  }

  /** @param threshold  undefined without eager ends of turn @param seconds  not before that of an earlier change */
  changeEager(threshold: number | undefined, seconds: number): void {
    this.eagerThreshold.change(threshold, seconds);
  }

  /** The client ends the turn. */
  force(): void {
    this.forced++;
  }

  print({ event }: EmittedEvent): FluxBody[] {
    switch (event.kind) {
      case "partial":
        return this.partial(event.utterance);
      case "final":
        return this.final(event.utterance);
      case "turnProbablyOver":
        return this.probablyOver(event);
      case "turnResumed":
        return this.resumed(event.channel);
      case "turnOver":
        return this.over(event.channel, event.seconds, event.probability, this.triggerOf(event.reason));
      case "finalized":
      case "finalizeRefused":
        this.forced = Math.max(0, this.forced - 1);
        return [];
      case "recordingEnded":
        return [...this.turns].flatMap(([channel, { end }]) => this.over(channel, end, null, "manual"));
      case "chunkRefused": {
        if (this.hasRefusedAudio) return [];
        this.hasRefusedAudio = true;
        return [{ type: "Warning", code: "AUDIO_NOT_USED", description: event.reason }];
      }
      case "error":
        // The close frame states it.
        if (event.code === "invalid_audio_format" && this.hasRefusedAudio) return [];
        return [{ type: "Warning", code: event.code.toUpperCase(), description: event.reason }];
      // The interface has no messages for these.
      case "speechStarted":
      case "speechEnded":
      case "speechUnrecognized":
      case "sessionCreated":
      case "recordingStarted":
      case "sessionEnded":
      case "speechEnhanced":
      case "languageDetected":
      case "speakersRevised":
      case "speakersNamed":
      case "chunkStored":
      case "configured":
      case "configureRefused":
      case "stopAccepted":
      case "stopRefused":
      case "translation":
      case "utteranceAddon":
      case "utteranceAddonFailed":
      case "transcript":
      case "sessionAddon":
      case "result":
        return [];
    }
  }

  private triggerOf(reason: EventOf<"turnOver">["reason"]): "model" | "manual" | "timeout" {
    return reason === "finalize" && this.forced > 0 ? "manual" : TRIGGERS[reason];
  }

  private partial(utterance: Utterance): FluxBody[] {
    if (utterance.words.length === 0) return [];
    const turn = this.turns.get(utterance.channel);
    if (!turn) return this.begin(utterance);
    // The next state of the turn has the words; until then, the text is that of EagerEndOfTurn.
    if (turn.eager !== undefined) return [];
    return [this.info("Update", turn, [...turn.finals, utterance])];
  }

  private begin(utterance: Utterance): FluxBody[] {
    const { channel, start, end } = utterance;
    const turn: Turn = { index: this.nextIndex++, start, end, finals: [], shown: [utterance], eager: undefined };
    this.turns.set(channel, turn);
    return [this.info("StartOfTurn", turn, [utterance])];
  }

  private final(utterance: Utterance): FluxBody[] {
    if (utterance.words.length === 0) return [];
    const begun = this.turns.has(utterance.channel) ? [] : this.begin(utterance);
    const turn = this.turns.get(utterance.channel);
    turn?.finals.push(utterance);
    const words = turn?.finals.reduce((sum, one) => sum + one.words.length, 0) ?? 0;
    const ended = words < MOST_WORDS ? [] : this.over(utterance.channel, utterance.end, null, "timeout");
    return [...begun, ...ended];
  }

  private probablyOver({ channel, seconds, utterance, probability }: EventOf<"turnProbablyOver">): FluxBody[] {
    const threshold = this.eagerThreshold.at(seconds);
    if (threshold === undefined || utterance.words.length === 0) return [];
    const begun = this.turns.has(channel) ? [] : this.begin(utterance);
    const turn = this.turns.get(channel);
    if (!turn || turn.eager !== undefined) return begun;
    const info = this.info("EagerEndOfTurn", turn, [...turn.finals, utterance], probability ?? threshold);
    turn.eager = info.transcript;
    return [...begun, info];
  }

  private resumed(channel: number): FluxBody[] {
    const turn = this.turns.get(channel);
    return turn?.eager === undefined ? [] : [this.resume(turn, turn.shown)];
  }

  private resume(turn: Turn, utterances: readonly Utterance[]): FluxTurnInfo {
    turn.eager = undefined;
    return this.info("TurnResumed", turn, utterances);
  }

  private over(
    channel: number,
    seconds: number,
    probability: number | null,
    trigger: "model" | "manual" | "timeout",
  ): FluxBody[] {
    const turn = this.turns.get(channel);
    if (!turn) return [];
    this.turns.delete(channel);
    turn.end = Math.max(turn.end, seconds);
    const end = this.info("EndOfTurn", turn, turn.finals, probability ?? 1);
    // Clients that answered the earlier text keep that answer if EndOfTurn follows it.
    const hasChanged = turn.eager !== undefined && turn.eager !== end.transcript;
    return [...(hasChanged ? [this.resume(turn, turn.finals)] : []), { ...end, trigger }];
  }

  /** @param utterances  of the turn so far */
  private info(event: FluxEvent, turn: Turn, utterances: readonly Utterance[], confidence = 0): FluxTurnInfo {
    const words = spokenWords(utterances);
    turn.shown = utterances;
    turn.end = Math.max(turn.end, ...utterances.map(({ end }) => end));
    const { languageHints } = this.options;
    return {
      type: "TurnInfo",
      event,
      turn_index: turn.index,
      audio_window_start: turn.start,
      audio_window_end: turn.end,
      transcript: textOf(words, true),
      words: words.map(fluxWord),
      end_of_turn_confidence: confidence,
      ...(languageHints === undefined ? {} : { languages: languagesOf(words) }),
      ...(languageHints !== undefined && languageHints.length > 0 ? { languages_hinted: languageHints } : {}),
    };
  }
}

const fluxWord = ({ word, confidence, start, end }: SpokenWord): FluxWord => ({
  word: word.trim(),
  ...{ confidence, start, end },
});
