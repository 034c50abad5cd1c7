// The subject of one session's log. Each message names its predecessor, and the servers accept it only if that is still
// the last one (fencing): a machine that lost the session without noticing cannot append. Each message also carries the
// revision of the owner entry under which it was written, so that the later one of two concurrent claims wins.

import type { StoredMsg } from "@nats-io/jetstream";
import { headers, type MsgHdrs } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { sleep } from "../../../../platform/process/sleep.ts";
import type { Broker } from "./broker.ts";
import { isSequenceConflict } from "./sequence-conflict.ts";

export interface SubjectLocation {
  stream: string;
  subject: string;
  /** Revision of the owner entry. */
  epoch: number;
}

export interface LogRecord {
  kind: "audio" | "entries" | "owner";
  payload: Uint8Array;
  /** End position of a chunk of audio. */
  end?: number;
}

export interface SubjectEvents {
  /** Called when another machine took over the session, or it was removed. */
  lost(): void;
  /** Called for each write that was stored. */
  stored(): void;
  /**
   * A write failed for the first time and is retried.
   * @param sinceMilliseconds  when it began
   * @returns called when it is stored or given up
   */
  fails(sinceMilliseconds: number): () => void;
}

export const HEADER = {
  epoch: "Parlance-Epoch",
  number: "Parlance-Number",
  kind: "Parlance-Kind",
  end: "Parlance-End",
};
/** More pieces of the same record follow. */
export const MORE_HEADER = "Parlance-More";

const ATTEMPT_MILLISECONDS = 5_000;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2_000;

export class FencedSubject {
  private last = 0;
  private count = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private hasStoppedRetrying = false;
  private isLost = false;

  /**
   * @param pieceBytes  largest payload of one message
   */
  constructor(
    private readonly broker: Pick<Broker, "stream" | "manager">,
    private readonly place: SubjectLocation,
    private readonly pieceBytes: number,
    private readonly events: SubjectEvents,
    private readonly logger: Logger,
  ) {}

  /**
   * Takes over the subject: writes of the previous owner fail from now on.
   * @throws live.log_lost if a later claim came first
   * @returns sequence of the last message before the claim
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
        // The previous owner wrote in the meantime: retry.
        if (!isSequenceConflict(error)) throw error;
      }
    }
  }

  /**
   * Resolves when the servers have stored the record. Retries while they do not answer.
   * @throws live.log_lost
   */
  write(record: LogRecord): Promise<void> {
    const written = this.turn.then(async () => {
      const { payload } = record;
      const pieces = Math.max(1, Math.ceil(payload.length / this.pieceBytes));
      for (let piece = 0; piece < pieces; piece++) {
        const part = payload.subarray(piece * this.pieceBytes, (piece + 1) * this.pieceBytes);
        await this.writePiece({ ...record, payload: part }, piece < pieces - 1);
      }
    });
    this.turn = written.catch(() => undefined);
    return written;
  }

  /** Stops retrying: from now on a write that fails rejects. */
  stopRetrying(): void {
    this.hasStoppedRetrying = true;
  }

  private async writePiece(record: LogRecord, hasMore: boolean): Promise<void> {
    this.count++;
    const began = performance.now();
    let recovered: (() => void) | undefined;
    try {
      await this.retried(record, hasMore, () => {
        // A stall of this process is no outage.
        recovered ??= this.events.fails(Math.min(ATTEMPT_MILLISECONDS, performance.now() - began));
      });
      this.events.stored();
    } finally {
      recovered?.();
    }
  }

  private async retried(record: LogRecord, hasMore: boolean, onFailed: () => void): Promise<void> {
    for (let wait = FIRST_PAUSE_MILLISECONDS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MILLISECONDS)) {
      if (this.isLost) throw errors.logLost();
      try {
        return await this.send(record, hasMore);
      } catch (error) {
        if (isSequenceConflict(error) && (await this.wasStored())) return;
        if (this.hasStoppedRetrying) throw error;
        onFailed();
        this.logger.warn({ err: error, subject: this.place.subject }, "a live log cannot be written; retrying");
        await sleep(wait);
      }
    }
  }

  private async send(record: LogRecord, hasMore: boolean): Promise<void> {
    const expect = { lastSubjectSequence: this.last };
    const options = { headers: this.headersOf(record, hasMore), expect, timeout: ATTEMPT_MILLISECONDS, retries: 1 };
    const { seq } = await this.broker.stream.publish(this.place.subject, record.payload, options);
    this.last = seq;
  }

  /**
   * Whether the last attempt was stored although its answer was lost.
   * @throws live.log_lost if the last message is another machine's. NATS 2.9 may accept a message that the previous owner
   *   sent at the moment of the claim; the next machine that opens the log reads it too.
   */
  private async wasStored(): Promise<boolean> {
    const found = await this.lastMessage().catch(() => null);
    if (found === null) return false;
    const isMine =
      Number(found?.header.get(HEADER.epoch)) === this.place.epoch &&
      Number(found?.header.get(HEADER.number)) === this.count;
    if (!found || !isMine) throw this.lost();
    this.last = found.seq;
    return true;
  }

  private headersOf({ kind, end }: LogRecord, hasMore: boolean): MsgHdrs {
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

  private lost(): ParlanceError {
    if (!this.isLost) this.events.lost();
    this.isLost = true;
    return errors.logLost();
  }
}
