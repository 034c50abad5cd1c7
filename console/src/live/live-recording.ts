// One live transcription after another: audio is captured and sent, and what the session answers is kept as signals for the page.
import { effect, signal } from "@preact/signals";
import { firstOf } from "../../../src/contract/first-of.ts";
import { accountName, shownAccountName } from "../account.ts";
import { errorMessage } from "../api.ts";
import { beforeLeaving } from "../leaving.ts";
import type { Values } from "../parts/schema-form.tsx";
import type { ServerMessage, Utterance } from "../shapes.ts";
import { clock, median } from "../time.ts";
import { type Capture, capture, type Source } from "./capture.ts";
import { type Line, withRevision, withTranscript } from "./lines.ts";
import { onAir } from "./on-air.ts";
import { LiveSession, type SessionEvent, type SessionEvents } from "./session.ts";
import { BYTES_PER_SAMPLE, requestOf } from "./session-request.ts";
import type { StoredSession } from "./stored-sessions.ts";
import { type Translations, withTranslation } from "./translations.ts";

interface Running {
  session: LiveSession;
  /** Undefined in a session that this page continues, until its source is chosen. */
  capture: Capture | undefined;
}

/** Number of most recent words whose latency is shown. */
const LAST_WORDS = 15;
const EVENTS_SHOWN = 40;
/** A session without audio ends after 30 seconds (PARLANCE_LIVE_IDLE_SECONDS); the page keeps one that it continues for some minutes. */
const KEEP_ALIVE_MILLISECONDS = 5_000;
const MOST_KEEP_ALIVES = 120;
/** Hertz, until the captured audio has one. */
const FIRST_SAMPLE_RATE = 16_000;

export class LiveRecording {
  readonly running = signal<Running | undefined>(undefined);
  readonly isStarting = signal(false);
  readonly lines = signal<readonly Line[]>([]);
  /** Names of speakers that a voice of the library gave. */
  readonly names = signal<Readonly<Record<number, string>>>({});
  readonly translations = signal<Translations>({});
  /** The last ones, the newest first. */
  readonly events = signal<readonly SessionEvent[]>([]);
  /** Number of events before these. */
  readonly earlierEvents = signal(0);
  /** Loudness of the audio, 0 to 1. */
  readonly level = signal(0);
  readonly isSpeaking = signal(false);
  readonly problem = signal("");
  /** Of the session that ended last. */
  readonly endedId = signal<string | undefined>(undefined);
  /** Whether another page has taken over the session. */
  readonly isElsewhere = signal(false);
  private readonly latencies = signal<readonly number[]>([]);
  private samples = 0;
  /** Number of the newest session. */
  private sessions = 0;
  /** Number of accounts after the first one. */
  private owners = 0;
  /** Set by `end`, which may be called while the session is being created. */
  private isEndRequested = false;
  private sampleRate = FIRST_SAMPLE_RATE;
  /** Whether `samples` counts from the beginning of the session. */
  private isAligned = true;
  /** End of the last word that was received, seconds. */
  private lastEnd = 0;

  /** Seconds from the end of a word until it is received, median of the last words. */
  get medianLatency(): number | undefined {
    return median(this.latencies.value);
  }

  /** Whether the session has no source yet: this page continues it. */
  get isWaiting(): boolean {
    const { value: running } = this.running;
    return running !== undefined && running.capture === undefined;
  }

  async start(source: Source, options: Values): Promise<void> {
    if (this.isStarting.peek()) return;
    this.clear();
    this.isStarting.value = true;
    const isForgotten = this.untilForgotten();
    let session: LiveSession | undefined;
    let captured: Capture | undefined;
    /** Audio that is captured before the session is there. */
    const early: Int16Array[] = [];
    try {
      captured = await capture(source, {
        onSamples: (samples, loudness) => {
          this.noteAudio(samples, loudness);
          if (session) session.sendAudio(samples);
          else early.push(samples);
        },
        onEnd: () => this.end(),
      });
      if (isForgotten()) return captured.stop();
      this.sampleRate = captured.sampleRate;
      session = await LiveSession.create(requestOf(options, this.sampleRate), this.sessionEvents());
      for (const samples of early.splice(0)) session.sendAudio(samples);
      if (isForgotten()) {
        captured.stop();
        session.stop();
      } else this.run({ session, capture: captured });
    } catch (error) {
      captured?.stop();
      if (!isForgotten()) this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
    }
  }

  /** Continues a session of this browser with all of its words. Its audio continues with `listen`. */
  async rejoin(stored: StoredSession): Promise<void> {
    if (this.isStarting.peek()) return;
    this.clear();
    this.isStarting.value = true;
    this.isAligned = false;
    this.sampleRate = stored.sampleRate;
    const isForgotten = this.untilForgotten();
    try {
      const session = await LiveSession.rejoin(stored, this.sessionEvents());
      if (isForgotten()) session.stop();
      else {
        this.run({ session, capture: undefined });
        this.keepAlive();
      }
    } catch (error) {
      if (!isForgotten()) this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
    }
  }

  /** Captures the audio of a session that this page continues. */
  async listen(source: Source): Promise<void> {
    const running = this.running.peek();
    if (!running || running.capture || this.isStarting.peek()) return;
    const { session } = running;
    this.isStarting.value = true;
    this.problem.value = "";
    try {
      const events = {
        onSamples: (samples: Int16Array, loudness: number) => {
          this.noteAudio(samples, loudness);
          session.sendAudio(samples);
        },
        onEnd: () => this.end(),
      };
      const captured = await capture(source, events, this.sampleRate);
      // The session may have ended meanwhile.
      if (this.running.peek()?.session === session) this.running.value = { session, capture: captured };
      else captured.stop();
    } catch (error) {
      this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
    }
  }

  private noteAudio(samples: Int16Array, loudness: number): void {
    this.level.value = loudness;
    this.samples += samples.length;
  }

  private run(running: Running): void {
    this.running.value = running;
    onAir.value = { stop: () => this.end() };
    if (this.isEndRequested) this.end();
  }

  private keepAlive(): void {
    const session = this.running.peek()?.session;
    let left = MOST_KEEP_ALIVES;
    const timer = setInterval(() => {
      const running = this.running.peek();
      if (left-- === 0 || !running || running.session !== session || running.capture) clearInterval(timer);
      else session.keepAlive();
    }, KEEP_ALIVE_MILLISECONDS);
  }

  /** Ends the audio. The session ends once the last words are recognised. */
  end(): void {
    this.isEndRequested = true;
    const running = this.running.peek();
    running?.capture?.stop();
    running?.session.stop();
  }

  /** @returns whether another account was signed in meanwhile */
  private untilForgotten(): () => boolean {
    const before = this.owners;
    return () => this.owners !== before;
  }

  /** Another account is signed in. */
  forget(): void {
    this.end();
    this.sessions++;
    this.owners++;
    this.running.value = undefined;
    onAir.value = undefined;
    this.clear();
  }

  private clear(): void {
    this.isEndRequested = false;
    this.isAligned = true;
    this.isElsewhere.value = false;
    this.problem.value = "";
    this.lines.value = [];
    this.translations.value = {};
    this.names.value = {};
    this.events.value = [];
    this.earlierEvents.value = 0;
    this.latencies.value = [];
    this.endedId.value = undefined;
    this.samples = 0;
    this.sampleRate = FIRST_SAMPLE_RATE;
    this.lastEnd = 0;
  }

  private sessionEvents(): SessionEvents {
    const number = ++this.sessions;
    /** Ignores messages of a session that another account began. */
    const whileCurrent =
      <Parts extends unknown[]>(take: (...parts: Parts) => void) =>
      (...parts: Parts) => {
        if (number === this.sessions) take(...parts);
      };
    return {
      onTranscript: whileCurrent((id, isFinal, utterance) => this.showTranscript(id, isFinal, utterance)),
      onMessage: whileCurrent((message) => this.showMessage(message)),
      onEnded: whileCurrent((reason, isReplaced) => this.showEnd(reason, isReplaced)),
    };
  }

  private showTranscript(id: string, isFinal: boolean, utterance: Utterance): void {
    const last = utterance.words.at(-1)?.end ?? 0;
    if (last > this.lastEnd && this.isAligned) {
      this.lastEnd = last;
      const latency = Math.max(0, this.samples / this.sampleRate - last);
      this.latencies.value = [...this.latencies.value, latency].slice(-LAST_WORDS);
    }
    this.lines.value = withTranscript(this.lines.value, { id, isFinal, utterance });
  }

  private showMessage(message: ServerMessage): void {
    const { type } = message;
    if (message.type === "audio_chunk" && message.data && !this.isAligned) {
      const [from, end] = message.data.byte_range;
      // Of audio that this page has sent.
      this.isAligned = end > from;
      if (this.isAligned) this.samples += from / BYTES_PER_SAMPLE;
    }
    if (type === "speech_start") this.isSpeaking.value = true;
    if (type === "speech_end") this.isSpeaking.value = false;
    const problem = "error" in message ? message.error?.message : undefined;
    const isFrequent = type === "transcript" || type === "audio_chunk" || type === "translation";
    if (problem || !isFrequent) this.note(type, problem);
    if (message.type === "speaker_revision") this.lines.value = withRevision(this.lines.value, message.data);
    if (message.type === "speaker_names") {
      const named = message.data.speakers.map(({ speaker, name }) => [speaker, name ?? ""] as const);
      this.names.value = Object.fromEntries(named);
    }
    if (message.type === "translation") this.translations.value = withTranslation(this.translations.value, message);
  }

  private showEnd(reason: string | undefined, isReplaced: boolean): void {
    const running = this.running.peek();
    running?.capture?.stop();
    if (!isReplaced) this.endedId.value = running?.session.id;
    this.isElsewhere.value = isReplaced;
    this.running.value = undefined;
    onAir.value = undefined;
    this.level.value = 0;
    this.isSpeaking.value = false;
    if (reason && !isReplaced) this.problem.value = reason;
  }

  private note(type: string, problem: string | undefined): void {
    const event = { time: clock(this.samples / this.sampleRate), type, problem };
    const { first, rest } = firstOf([event, ...this.events.value], EVENTS_SHOWN);
    this.events.value = first;
    this.earlierEvents.value += rest;
  }
}

/** The recording of this page. */
export const live = new LiveRecording();
beforeLeaving(async () => live.end());
let owner = accountName();
effect(() => {
  const { value: name } = shownAccountName;
  if (name === undefined || name === owner) return;
  if (owner !== undefined) live.forget();
  owner = name;
});
