// The items of a connection: each is a stretch of audio that turn detection or the client ended, with its transcript. State
// changes only when messages are printed, so that messages always agree with each other: an item is committed before its text
// is sent, and the deltas of an item, joined, are its transcript.
import type { Logprob } from "../../../../contract/openai.ts";
import type { RealtimeError, RealtimeMessage } from "../../../../contract/realtime.ts";
import { milliseconds, type Utterance } from "../../../../contract/transcript/transcript.ts";
import { DIARIZING } from "../../../openai/model-names.ts";
import type { EmittedEvent, EventOf } from "../../events/live-event.ts";
import { shown } from "./client-events.ts";
import type { Configuration } from "./configuration.ts";
import { CommittedItems, Item } from "./item.ts";
import { errorMessage } from "./problem.ts";

/** Audio that has ended, and whose finals are not all known. */
interface Ended {
  item: Item;
  /** `speech`: turn detection has ended it, and its final commits it. */
  by: "client" | "speech";
  /** Ends here, seconds from the start of the session. */
  at: number;
  seconds: number;
  /** The client has discarded it: its text is not sent. */
  isCleared: boolean;
}

export interface ItemOptions {
  /** Messages of the beta. */
  isBeta(): boolean;
  /** The service ends turns; otherwise the client commits. */
  detectsTurns(): boolean;
  configuration(): Pick<Configuration, "withLogprobs" | "model">;
}

const OF_TRANSCRIPTION = "conversation.item.input_audio_transcription";
const toMilliseconds = (seconds: number) => Math.round(seconds * 1000);

export class Items {
  private current = new Item();
  private readonly ended: Ended[] = [];
  private readonly known = new CommittedItems();
  /** End of the audio that belongs to an item or was cleared, seconds. */
  private usedUntil = 0;
  /** End of the last speech that turn detection ended and whose final is not known, seconds. */
  private spokenUntil: number | undefined;
  /** The item of the last speech_started that no speech_stopped followed. */
  private speaking: string | undefined;
  private hasRefusedAudio = false;
  /** Why speech in another language fails; the session states it once, before the first. */
  private unavailable: RealtimeError | undefined;

  constructor(private readonly options: ItemOptions) {}

  /** Length of the audio that belongs to no item yet. @param total  audio received so far, seconds */
  bufferedSeconds(total: number): number {
    return total - this.usedUntil;
  }

  /** The client ends the current item. @param at  end of the audio so far, seconds */
  commit(at: number): RealtimeMessage[] {
    const item = this.end(at, false);
    const delta = this.deltaOf(item, { delta: item.text, logprobs: item.logprobs });
    return [...this.committed(item), ...(item.text === "" ? [] : [delta])];
  }

  /** The client discards the audio after the last item, or after the last speech that turn detection ended, whichever is later. */
  clear(at: number): RealtimeMessage[] {
    const { spokenUntil } = this;
    if (spokenUntil !== undefined && spokenUntil > this.usedUntil && spokenUntil < at && this.options.detectsTurns()) {
      this.ended.push({ item: this.current, by: "speech", at: spokenUntil, seconds: 0, isCleared: false });
      this.usedUntil = spokenUntil;
      this.current = new Item();
    }
    this.end(at, true);
    return [...this.stopped(at), { type: "input_audio_buffer.cleared" }];
  }

  /** @returns the speech_stopped of the item that `speaking` names; nothing without one */
  private stopped(seconds: number): RealtimeMessage[] {
    const { speaking: item_id } = this;
    this.speaking = undefined;
    if (item_id === undefined) return [];
    return [{ type: "input_audio_buffer.speech_stopped", audio_end_ms: toMilliseconds(seconds), item_id }];
  }

  private end(at: number, isCleared: boolean): Item {
    const item = this.current;
    this.ended.push({ item, by: "client", at, seconds: milliseconds(this.bufferedSeconds(at)), isCleared });
    this.usedUntil = at;
    this.current = new Item();
    return item;
  }

  print({ event }: EmittedEvent): RealtimeMessage[] {
    switch (event.kind) {
      case "speechStarted":
        return this.speechStarted(event.seconds);
      case "speechEnded":
        return this.speechEnded(event.seconds);
      case "final":
        return this.final(event.utterance);
      case "finalized":
        return this.completeEnded(this.nextEnded());
      case "finalizeRefused":
        // The refusal does not wait for the finals of audio that was ended before.
        return this.completeEnded(this.ended.pop(), {
          type: "invalid_request_error",
          code: "session_ended",
          message: event.reason,
          param: null,
        });
      case "speechUnrecognized":
        return event.isForeign ? this.foreign(event) : [];
      case "error":
        return this.problem(event.code, event.reason);
      case "chunkRefused":
        this.hasRefusedAudio = true;
        return [
          {
            type: "error",
            error: {
              type: "invalid_request_error",
              code: "invalid_audio",
              message: event.reason,
              param: "audio",
              event_id: null,
            },
          },
        ];
      // The interface has no messages for these.
      case "configured":
      case "configureRefused":
      case "turnProbablyOver":
      case "turnResumed":
      case "turnOver":
      case "sessionCreated":
      case "recordingStarted":
      case "recordingEnded":
      case "sessionEnded":
      case "speechEnhanced":
      case "languageDetected":
      case "partial":
      case "speakersRevised":
      case "speakersNamed":
      case "chunkStored":
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

  private speechStarted(seconds: number): RealtimeMessage[] {
    const item_id = this.spokenItem(({ at }) => seconds < at);
    if (item_id === undefined) return [];
    this.speaking = item_id;
    return [{ type: "input_audio_buffer.speech_started", audio_start_ms: toMilliseconds(seconds), item_id }];
  }

  private speechEnded(seconds: number): RealtimeMessage[] {
    this.spokenUntil = seconds;
    // Also after the client has ended turn detection: the beginning of this speech was sent.
    this.speaking = this.spokenItem(({ at }) => seconds <= at) ?? this.speaking;
    return this.stopped(seconds);
  }

  /**
   * The item of a beginning or an end of speech: within audio that the client has ended, that item, even if it is detected later.
   * @returns undefined for speech that is not reported
   */
  private spokenItem(isOf: (ended: Ended) => boolean): string | undefined {
    if (!this.options.detectsTurns()) return undefined;
    const ended = this.ended.find(isOf);
    return ended?.isCleared ? undefined : (ended?.item ?? this.current).id;
  }

  /**
   * Takes the item of speech that begins at `start`. If turn detection ends it, a new item begins.
   * @property isTurn  whether it ends with that speech
   * @property isSent  whether text of the item is sent as it comes
   */
  private takeItemFor(start: number): { item: Item; isTurn: boolean; isSent: boolean } {
    if (this.spokenUntil !== undefined && start < this.spokenUntil) this.spokenUntil = undefined;
    const ended = this.ended.find(({ at }) => start < at);
    if (ended?.by === "speech") this.ended.splice(this.ended.indexOf(ended), 1);
    if (ended) return { item: ended.item, isTurn: ended.by === "speech", isSent: !ended.isCleared };
    const item = this.current;
    const isTurn = this.options.detectsTurns();
    if (isTurn) this.current = new Item();
    // Without turn detection, the item is committed by the client.
    return { item, isTurn, isSent: isTurn };
  }

  private final(utterance: Utterance): RealtimeMessage[] {
    const { item, isTurn, isSent } = this.takeItemFor(utterance.start);
    if (isTurn) return this.turn(item, utterance);
    const added = item.add(utterance);
    return isSent ? [this.deltaOf(item, added)] : [];
  }

  /** The final of an item that turn detection ended. */
  private turn(item: Item, utterance: Utterance): RealtimeMessage[] {
    item.add(utterance);
    this.usedUntil = Math.max(this.usedUntil, utterance.end);
    const seconds = milliseconds(utterance.end - (item.start ?? utterance.start));
    // It may have finals of a time without turn detection, which were not sent.
    const delta = this.deltaOf(item, { delta: item.text, logprobs: item.logprobs });
    return [...this.committed(item), delta, ...this.completed(item, seconds)];
  }

  /** The oldest audio that the client has ended. Speech before it whose final has not come has no words, and is dropped. */
  private nextEnded(): Ended | undefined {
    while (this.ended[0]?.by === "speech") this.ended.shift();
    return this.ended.shift();
  }

  /** Every final of the ended audio was sent. */
  private completeEnded(ended: Ended | undefined, failure?: RealtimeError): RealtimeMessage[] {
    if (!ended || ended.isCleared) return [];
    const error = failure ?? (ended.item.text === "" ? ended.item.failure : undefined);
    return error ? [this.failed(ended.item, error)] : this.completed(ended.item, ended.seconds);
  }

  private problem(code: string, message: string): RealtimeMessage[] {
    // The refusal of the chunk states it.
    if (code === "invalid_audio_format" && this.hasRefusedAudio) return [];
    if (code !== "language_unavailable") return [{ type: "session.warning", code, message }];
    this.unavailable = { type: "transcription_error", code, message, param: null };
    return [];
  }

  /** Speech in a language that no installed model supports: its item fails. */
  private foreign({ range: [start, end] }: EventOf<"speechUnrecognized">): RealtimeMessage[] {
    const { unavailable } = this;
    if (!unavailable) return [];
    const { item, isTurn } = this.takeItemFor(start);
    item.failure = unavailable;
    if (!isTurn) return [];
    this.usedUntil = Math.max(this.usedUntil, end);
    return [...this.committed(item), this.failed(item, unavailable)];
  }

  private committed(item: Item): RealtimeMessage[] {
    return this.known.commit(item, this.options.isBeta());
  }

  /**
   * An item with its transcript, if that is complete; an error for an id that none of the last items has.
   * @param eventId  of the client's message
   */
  retrieve(id: string, eventId: string | null): RealtimeMessage[] {
    const found = this.known.retrieve(id);
    if (found) return [found];
    const message = `item_id must be the id of one of the last committed items; it is ${shown(id)}`;
    return [errorMessage({ code: "item_retrieve_invalid_item_id", message, param: "item_id" }, eventId)];
  }

  private deltaOf({ id }: Item, { delta, logprobs }: { delta: string; logprobs: Logprob[] }): RealtimeMessage {
    const extra = this.options.configuration().withLogprobs ? { logprobs: [...logprobs] } : {};
    return { type: `${OF_TRANSCRIPTION}.delta`, item_id: id, content_index: 0, delta, ...extra };
  }

  private completed(item: Item, seconds: number): RealtimeMessage[] {
    const { id, text, languages, logprobs, segments } = item;
    this.known.complete(item);
    const of = { item_id: id, content_index: 0 } as const;
    const completed: RealtimeMessage = {
      type: `${OF_TRANSCRIPTION}.completed`,
      ...of,
      transcript: text,
      usage: { type: "duration", seconds },
      languages: [...languages].map((code) => ({ code })),
      ...(this.options.configuration().withLogprobs ? { logprobs } : {}),
    };
    if (!DIARIZING.test(this.options.configuration().model)) return [completed];
    return [
      ...segments.map((segment) => ({ type: `${OF_TRANSCRIPTION}.segment` as const, ...of, ...segment })),
      completed,
    ];
  }

  private failed({ id }: Item, error: RealtimeError): RealtimeMessage {
    return { type: `${OF_TRANSCRIPTION}.failed`, item_id: id, content_index: 0, error };
  }
}
