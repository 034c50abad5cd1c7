// Ends turns that no silence ended: when the client stops sending, and when it sends finalize.
import type { SessionLog } from "../log/log-contract.ts";
import type { Outbox } from "./outbox.ts";
import type { SessionChannels } from "./session-channels.ts";

interface TurnEndParts {
  log: SessionLog;
  channels: SessionChannels;
  outbox: Outbox;
  isRecording(): boolean;
  onStorageError(error: unknown): void;
}

export class TurnEnds {
  /** The last end: its position, bytes; when the journal has it; and when the finals before it are persisted. */
  private last: { at: number; stored: Promise<void>; finals: Promise<void> } | undefined;

  constructor(private readonly parts: TurnEndParts) {}

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
    const { isRecording, onStorageError, outbox } = this.parts;
    if (!isRecording()) {
      return outbox.send({ kind: "finalizeRefused", reason: "the recording was stopped; its last finals follow" });
    }
    const { finals } = await this.end();
    // Not awaited: audio of the next utterance is accepted meanwhile.
    finals.then(() => outbox.send({ kind: "finalized", seconds })).catch(onStorageError);
  }
}
