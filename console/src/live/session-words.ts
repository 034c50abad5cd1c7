// What the messages of a session give: its words, the names of its speakers, translations and events.
import { computed, signal } from "@preact/signals";
import { firstOf } from "../../../src/contract/first-of.ts";
import type { ServerMessage, Utterance } from "../shapes.ts";
import { clock, median } from "../time.ts";
import type { AudioPosition } from "./audio-position.ts";
import { type Line, withRevision, withTranscript } from "./lines.ts";
import type { SessionEvent } from "./session.ts";
import { type Translations, withTranslation } from "./translations.ts";

/** Number of most recent words whose latency is shown. */
const LAST_WORDS = 15;
const EVENTS_SHOWN = 40;

export class SessionWords {
  readonly lines = signal<readonly Line[]>([]);
  /** Names of speakers that a voice of the library gave. */
  readonly names = signal<Readonly<Record<number, string>>>({});
  readonly translations = signal<Translations>({});
  /** The last ones, the newest first. */
  readonly events = signal<readonly SessionEvent[]>([]);
  /** Number of events before these. */
  readonly earlierEvents = signal(0);
  readonly isSpeaking = signal(false);
  private readonly latencies = signal<readonly number[]>([]);
  /** Seconds from the end of a word until it is received, median of the last words. */
  readonly latency = computed(() => median(this.latencies.value));
  /** End of the last word that was received, seconds. */
  private lastEnd = 0;

  constructor(private readonly position: AudioPosition) {}

  clear(): void {
    this.lines.value = [];
    this.names.value = {};
    this.translations.value = {};
    this.events.value = [];
    this.earlierEvents.value = 0;
    this.isSpeaking.value = false;
    this.latencies.value = [];
    this.lastEnd = 0;
  }

  addTranscript(id: string, isFinal: boolean, utterance: Utterance): void {
    const last = utterance.words.at(-1)?.end ?? 0;
    if (last > this.lastEnd && this.position.isAligned) {
      this.lastEnd = last;
      const latency = Math.max(0, this.position.seconds - last);
      this.latencies.value = [...this.latencies.value, latency].slice(-LAST_WORDS);
    }
    this.lines.value = withTranscript(this.lines.value, { id, isFinal, utterance });
  }

  addMessage(message: ServerMessage): void {
    const { type } = message;
    if (message.type === "audio_chunk" && message.acknowledged && message.data)
      this.position.acknowledged(...message.data.byte_range);
    if (type === "speech_start") this.isSpeaking.value = true;
    if (type === "speech_end") this.isSpeaking.value = false;
    const problem = "error" in message ? message.error?.message : undefined;
    const isFrequent = type === "transcript" || type === "audio_chunk" || type === "translation";
    if (problem || !isFrequent) this.note({ time: clock(this.position.seconds), type, problem });
    if (message.type === "speaker_revision") this.lines.value = withRevision(this.lines.value, message.data);
    if (message.type === "speaker_names") {
      const named = message.data.speakers.flatMap(({ speaker, name }) => (name ? [[speaker, name] as const] : []));
      this.names.value = Object.fromEntries(named);
    }
    if (message.type === "translation") this.translations.value = withTranslation(this.translations.value, message);
  }

  private note(event: SessionEvent): void {
    const { first, rest } = firstOf([event, ...this.events.value], EVENTS_SHOWN);
    this.events.value = first;
    this.earlierEvents.value += rest;
  }
}
