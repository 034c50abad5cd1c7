// Ends turns that no silence ended: when the client stops sending, and when it sends finalize.
import type { SessionLog } from "../log/log-contract.ts";
import type { BackPressure } from "./back-pressure.ts";
import type { Outbox } from "./outbox.ts";
import type { SessionChannels } from "./session-channels.ts";

/**
 * Most finalize messages that wait for their finals, because each one starts a recognition. After that many, the session reads its next frame
 * when one of them has its finals. No audio is lost.
 */
const MOST_UNFINISHED = 16;

interface TurnEndParts {
  log: SessionLog;
  channels: SessionChannels;
  outbox: Outbox;
  pressure: Pick<BackPressure, "during">;
  /** Aborted when the process leaves the session. */
  signal: AbortSignal;
  isRecording(): boolean;
  onStorageError(error: unknown): void;
}

export class TurnEnds {
  /** The last end: its position, bytes; when the journal has it; and when the finals before it are persisted. */
  private last: { at: number; stored: Promise<void>; finals: Promise<void> } | undefined;

  private unfinished = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly parts: TurnEndParts) {
    parts.signal.addEventListener("abort", () => this.proceed(), { once: true });
  }

  /**
   * The journal records the end, so that a restart ends the turn at the same position.
   * @returns `finals` resolves when the finals of the audio so far are persisted
   */
  async end(): Promise<{ finals: Promise<void> }> {
    const { channels, isRecording, log } = this.parts;
    if (!isRecording()) return { finals: Promise.resolve() };
    const at = log.audio.total;
    // Without audio since the last end, there is nothing to end, and the journal has this end already.
    if (this.last?.at !== at) {
      const finals = channels.endTurn();
      this.last = { at, stored: log.appendEntries({ kind: "turn-end", at }), finals };
    }
    const { stored, finals } = this.last;
    await stored;
    return { finals };
  }

  /** @param seconds  length of the audio so far */
  async finalize(seconds: number): Promise<void> {
    const { isRecording, onStorageError, outbox, pressure } = this.parts;
    if (this.unfinished >= MOST_UNFINISHED) await pressure.during(this.room());
    if (!isRecording()) {
      return outbox.send({ kind: "finalizeRefused", reason: "the recording was stopped; its last finals follow" });
    }
    const { finals } = await this.end();
    // Not awaited: audio of the next utterance is accepted meanwhile.
    this.unfinished++;
    finals
      .then(() => outbox.send({ kind: "finalized", seconds }))
      .catch(onStorageError)
      .finally(() => {
        this.unfinished--;
        this.proceed();
      });
  }

  /** Resolves when another message may wait, or nothing is recognised any more. */
  private room(): Promise<void> {
    if (this.parts.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private proceed(): void {
    for (const proceed of this.waiting.splice(0)) proceed();
  }
}
