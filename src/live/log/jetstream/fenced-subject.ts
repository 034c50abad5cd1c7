// The subject that one session's log is written to. Each message names the one it follows, and the servers take it only
// if that is still the last: a machine that has lost the session, and does not know, can add nothing to it. Each message
// also carries the revision of the owner's entry under which it was written, so that of two machines that claim a
// session at once the later one has it.

import type { StoredMsg } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { LogLost } from "../log-contract.ts";
import type { Broker } from "./broker.ts";
import { isOvertaken } from "./overtaken.ts";

export interface Place {
  stream: string;
  subject: string;
  /** Revision of the owner's entry. */
  epoch: number;
}

export interface Letter {
  kind: "audio" | "entries" | "owner";
  payload: Uint8Array;
  /** Where a chunk of audio ends. */
  end?: number;
}

export const HEADER = {
  epoch: "Parlance-Epoch",
  number: "Parlance-Number",
  kind: "Parlance-Kind",
  end: "Parlance-End",
};
/** More pieces of the same letter follow. */
export const MORE_HEADER = "Parlance-More";

const ATTEMPT_MILLISECONDS = 5_000;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class FencedSubject {
  private last = 0;
  private count = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private isHurried = false;
  private isLost = false;

  /**
   * @param pieceBytes  most that one message carries
   * @param onLost      another machine has the session, or it was removed
   */
  constructor(
    private readonly broker: Pick<Broker, "stream" | "manager">,
    private readonly place: Place,
    private readonly pieceBytes: number,
    private readonly onLost: () => void,
    private readonly logger: Logger,
  ) {}

  /**
   * Makes the subject this machine's: whoever wrote to it before is shut out from here on.
   * @throws LogLost when a later claim came first
   * @returns sequence of the last message that counts
   */
  async claim(): Promise<number> {
    for (;;) {
      const found = await this.lastMessage();
      if (found && Number(found.header.get(HEADER.epoch)) > this.place.epoch) throw this.lost();
      this.last = found?.seq ?? 0;
      try {
        await this.send({ kind: "owner", payload: new Uint8Array() }, false);
        return this.last;
      } catch (error) {
        // The one before wrote once more in between.
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  /**
   * Resolves when the servers keep it. While they do not answer it is tried again.
   * @throws LogLost
   */
  write(letter: Letter): Promise<void> {
    const written = this.turn.then(async () => {
      const { payload } = letter;
      const pieces = Math.max(1, Math.ceil(payload.length / this.pieceBytes));
      for (let piece = 0; piece < pieces; piece++) {
        const part = payload.subarray(piece * this.pieceBytes, (piece + 1) * this.pieceBytes);
        await this.writePiece({ ...letter, payload: part }, piece < pieces - 1);
      }
    });
    this.turn = written.catch(() => undefined);
    return written;
  }

  /** What cannot be written at once fails from now on. */
  hurry(): void {
    this.isHurried = true;
  }

  private async writePiece(letter: Letter, hasMore: boolean): Promise<void> {
    this.count++;
    for (let wait = FIRST_PAUSE_MILLISECONDS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MILLISECONDS)) {
      if (this.isLost) throw new LogLost();
      try {
        return await this.send(letter, hasMore);
      } catch (error) {
        if (isOvertaken(error) && (await this.isMineAlready())) return;
        if (this.isHurried) throw error;
        this.logger.warn({ err: error, subject: this.place.subject }, "a live log cannot be written; trying again");
        await pause(wait);
      }
    }
  }

  private async send(letter: Letter, hasMore: boolean): Promise<void> {
    const expect = { lastSubjectSequence: this.last };
    const options = { headers: this.headersOf(letter, hasMore), expect, timeout: ATTEMPT_MILLISECONDS, retries: 1 };
    const { seq } = await this.broker.stream.publish(this.place.subject, letter.payload, options);
    this.last = seq;
  }

  /**
   * An attempt whose answer was lost may have been kept.
   * @throws LogLost when somebody else's message came. Old servers (2.9) may still take one of the machine before, sent
   *   at the very moment of the claim; whoever opens the log next reads it too.
   */
  private async isMineAlready(): Promise<boolean> {
    const found = await this.lastMessage().catch(() => null);
    if (found === null) return false;
    const isMine =
      Number(found?.header.get(HEADER.epoch)) === this.place.epoch &&
      Number(found?.header.get(HEADER.number)) === this.count;
    if (!found || !isMine) throw this.lost();
    this.last = found.seq;
    return true;
  }

  private headersOf({ kind, end }: Letter, hasMore: boolean): MsgHdrs {
    const made = headers();
    made.set(HEADER.epoch, String(this.place.epoch));
    made.set(HEADER.number, String(this.count));
    made.set(HEADER.kind, kind);
    if (end !== undefined) made.set(HEADER.end, String(end));
    if (hasMore) made.set(MORE_HEADER, "1");
    return made;
  }

  private async lastMessage(): Promise<StoredMsg | undefined> {
    const { stream, subject } = this.place;
    return (await this.broker.manager.streams.getMessage(stream, { last_by_subj: subject })) ?? undefined;
  }

  private lost(): LogLost {
    if (!this.isLost) this.onLost();
    this.isLost = true;
    return new LogLost();
  }
}
