// One live transcription after another: audio is captured and sent, and what the session answers is kept as signals for the page.
import { effect, signal } from "@preact/signals";
import { accountName, shownAccountName } from "../account.ts";
import { errorMessage } from "../api.ts";
import { beforeLeaving } from "../leaving.ts";
import type { Values } from "../parts/schema-form.tsx";
import { AudioPosition } from "./audio-position.ts";
import { type Capture, capture, type Source } from "./capture.ts";
import { keepAlive } from "./keep-alive.ts";
import { chosenMicrophone } from "./microphones.ts";
import { onAir } from "./on-air.ts";
import { LiveSession, type SessionEvents } from "./session.ts";
import { BYTES_PER_SAMPLE, requestOf } from "./session-request.ts";
import { SessionTitle } from "./session-title.ts";
import { SessionWords } from "./session-words.ts";
import type { StoredSession } from "./stored-sessions.ts";

interface Running {
  session: LiveSession;
  /** Undefined until the source of a session is chosen that this page continues, and after its microphone was lost. */
  capture: Capture | undefined;
}

/** A session without a source is kept open for some minutes, a paused one for as long as the service allows. */
const WAITING_MILLISECONDS = 600_000;

export class LiveRecording {
  readonly running = signal<Running | undefined>(undefined);
  readonly isStarting = signal(false);
  readonly isPaused = signal(false);
  readonly title = new SessionTitle();
  readonly position = new AudioPosition();
  readonly words = new SessionWords(this.position);
  /** Loudness of the audio, 0 to 1. */
  readonly level = signal(0);
  readonly problem = signal("");
  /** Of the session that ended last. */
  readonly endedId = signal<string | undefined>(undefined);
  /** Whether another page has taken over the session. */
  readonly isElsewhere = signal(false);
  /** Number of the newest session. */
  private sessions = 0;
  /** Number of accounts after the first one. */
  private owners = 0;
  /** Set by `end`, which may be called while the session is being created. */
  private isEndRequested = false;
  private stopKeepingAlive: () => void = () => undefined;
  /** When the session was left without a source, milliseconds. */
  private waitingSince = 0;

  /** Whether the session has no source. */
  get isWaiting(): boolean {
    const { value: running } = this.running;
    return running !== undefined && running.capture === undefined;
  }

  async start(source: Source, options: Values): Promise<void> {
    if (this.isStarting.peek()) return;
    this.clear(false);
    this.isStarting.value = true;
    const isForgotten = this.untilForgotten();
    const useChosenLater = this.noteMicrophone();
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
        onLost: (name) => void this.replace(name),
      });
      if (isForgotten()) return captured.stop();
      this.position.sampleRate = captured.sampleRate;
      session = await LiveSession.create(requestOf(options, captured.sampleRate), this.sessionEvents());
      for (const samples of early.splice(0)) session.sendAudio(samples);
      if (isForgotten()) {
        captured.stop();
        session.stop();
      } else {
        this.run({ session, capture: captured });
        void this.title.begin(session.id);
      }
    } catch (error) {
      captured?.stop();
      if (!isForgotten()) this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
      useChosenLater();
    }
  }

  /** Continues a session of this browser with all of its words. Its audio continues with `listen`. */
  async rejoin(stored: StoredSession): Promise<void> {
    if (this.isStarting.peek()) return;
    this.clear(true, stored.sampleRate);
    this.isStarting.value = true;
    const isForgotten = this.untilForgotten();
    try {
      const session = await LiveSession.rejoin(stored, this.sessionEvents());
      if (isForgotten()) session.stop();
      else {
        this.position.add(session.resentBytes / BYTES_PER_SAMPLE);
        this.isPaused.value = stored.isPaused ?? false;
        this.run({ session, capture: undefined });
        void this.title.read(session.id);
      }
    } catch (error) {
      if (!isForgotten()) this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
    }
  }

  /** Captures the audio of the running session from this source, in place of a former one. */
  async listen(source: Source): Promise<void> {
    const running = this.running.peek();
    if (!running || this.isStarting.peek()) return;
    const { session } = running;
    this.isStarting.value = true;
    this.problem.value = "";
    const useChosenLater = this.noteMicrophone();
    let captured: Capture | undefined;
    try {
      const events = {
        onSamples: (samples: Int16Array, loudness: number) => {
          if (this.running.peek()?.capture !== captured) return;
          this.noteAudio(samples, loudness);
          session.sendAudio(samples);
        },
        onEnd: () => this.end(),
        onLost: (name: string) => void this.replace(name),
      };
      captured = await capture(source, events, this.position.sampleRate);
      const now = this.running.peek();
      // The session may have ended meanwhile.
      if (now?.session !== session) return captured.stop();
      now.capture?.stop();
      this.running.value = { session, capture: captured };
      // Another microphone does not end a pause.
      if (!now.capture) this.setPaused(false);
      else if (this.isPaused.peek()) await captured.pause();
    } catch (error) {
      this.problem.value = errorMessage(error);
    } finally {
      this.isStarting.value = false;
      useChosenLater();
    }
  }

  /** @returns a function to call once the microphone is open: it switches to another one if that was chosen in the meantime */
  private noteMicrophone(): () => void {
    const before = chosenMicrophone.peek()?.id;
    return () => {
      if (chosenMicrophone.peek()?.id !== before) this.changeMicrophone();
    };
  }

  /** Switches to the chosen microphone. If one is being opened, the switch follows when it is open. */
  changeMicrophone(): void {
    if (this.running.peek()?.capture?.source.kind === "microphone") void this.listen({ kind: "microphone" });
  }

  /** Sends no audio until `resume`. The session stays open, and its times do not count the pause. */
  pause(): void {
    const running = this.running.peek();
    if (!running?.capture || this.isPaused.peek()) return;
    this.setPaused(true);
    void running.capture.pause().then(() => {
      if (this.isPaused.peek()) this.level.value = 0;
    });
  }

  resume(): void {
    const captured = this.running.peek()?.capture;
    if (!captured || !this.isPaused.peek()) return;
    this.problem.value = "";
    this.setPaused(false);
    captured.resume().catch((error) => {
      this.problem.value = errorMessage(error);
      this.pause();
    });
  }

  private setPaused(isPaused: boolean): void {
    if (this.isPaused.peek() === isPaused) return;
    this.isPaused.value = isPaused;
    this.running.peek()?.session.storePause(isPaused);
  }

  /** Another microphone replaces one that was disconnected. Without one, the session waits for a source. */
  private async replace(lost: string): Promise<void> {
    const running = this.running.peek();
    if (!running?.capture) return;
    running.capture.stop();
    this.level.value = 0;
    this.waitingSince = Date.now();
    this.running.value = { session: running.session, capture: undefined };
    if (!this.isPaused.peek()) await this.listen({ kind: "microphone", lost });
  }

  private noteAudio(samples: Int16Array, loudness: number): void {
    this.level.value = loudness;
    this.position.add(samples.length);
  }

  private run(running: Running): void {
    const { session } = running;
    this.running.value = running;
    this.waitingSince = Date.now();
    this.stopKeepingAlive = keepAlive(session, () => this.isPaused.peek() || this.isKeptWaiting());
    onAir.value = { stop: () => this.end() };
    if (this.isEndRequested) this.end();
  }

  private isKeptWaiting(): boolean {
    return !this.running.peek()?.capture && Date.now() - this.waitingSince < WAITING_MILLISECONDS;
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
    this.leave();
    this.clear(false);
  }

  private leave(): void {
    this.stopKeepingAlive();
    this.running.value = undefined;
    this.isPaused.value = false;
    onAir.value = undefined;
  }

  private clear(isRejoined: boolean, sampleRate?: number): void {
    this.isEndRequested = false;
    this.position.reset(isRejoined, sampleRate);
    this.title.clear();
    this.isElsewhere.value = false;
    this.problem.value = "";
    this.words.clear();
    this.endedId.value = undefined;
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
      onTranscript: whileCurrent((id, isFinal, utterance) => this.words.addTranscript(id, isFinal, utterance)),
      onMessage: whileCurrent((message) => this.words.addMessage(message)),
      onEnded: whileCurrent((reason, isReplaced) => this.showEnd(reason, isReplaced)),
    };
  }

  private showEnd(reason: string | undefined, isReplaced: boolean): void {
    const running = this.running.peek();
    running?.capture?.stop();
    if (!isReplaced) this.endedId.value = running?.session.id;
    this.isElsewhere.value = isReplaced;
    this.leave();
    this.level.value = 0;
    this.words.isSpeaking.value = false;
    if (reason && !isReplaced) this.problem.value = reason;
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
