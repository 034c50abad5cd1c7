// What a live session must not lose, wherever it lies: its audio as it came, and what was made of it. A folder of this
// machine, or a stream that several machines keep.
import type { Readable } from "node:stream";
import type { StreamFormat } from "../../audio/stream-format.ts";
import type { ChannelState } from "../channel/channel-contract.ts";

export type JournalEntry =
  /** What the first bytes turned out to be. */
  | { kind: "format"; headerBytes: number; format: StreamFormat }
  /** A message as it is sent; numbered from 0. */
  | { kind: "message"; number: number; text: string }
  /** Where a channel stands after the final in the entry before. */
  | { kind: "channel"; channel: number; state: ChannelState }
  /** Messages below this number have reached the client. */
  | { kind: "arrived"; below: number }
  /** No more audio comes. */
  | { kind: "stop" };

/** Positions are bytes from the start of the session over all its connections. */
export interface StoredAudio {
  /** Bytes stored so far. */
  readonly total: number;
  /**
   * Stores a chunk; when this resolves the bytes survive a kill of the process.
   * @param end  where the chunk ends, for its acknowledgment; a chunk that was sent again may end before what is stored
   * @throws LogLost
   */
  append(bytes: Buffer, end?: number): Promise<void>;
  read(start: number, end: number): Promise<Buffer>;
  /**
   * Where a reconnected client goes on: it sends again what was not acknowledged to it and does not say from where.
   * @returns position of the chunk's first byte; the end of the stored audio when it fits nowhere
   */
  placeOf(chunk: Buffer): Promise<number>;
}

export interface SessionLog {
  readonly audio: StoredAudio;
  /** What stood in it when it was opened. */
  readonly entries: JournalEntry[];
  /** It is no longer this machine's. */
  readonly isLost: boolean;
  /**
   * Appends entries together: all of them are found again, or none.
   * @throws LogLost
   */
  note(...entries: JournalEntry[]): Promise<void>;
  /** Bytes of audio as they came. @param end  one past the last */
  stream(start: number, end: number): Readable;
  /** The process stops: what cannot be stored at once fails from now on. */
  hurry(): void;
  /** Whoever opens it next goes on with it. */
  close(): Promise<void>;
}

/** Why a session is no longer this machine's. */
export type LossReason = "replaced" | "taken" | "deleted";

/** The session is another machine's, or nobody's: nothing may be stored, and nobody told. */
export class LogLost extends Error {
  constructor() {
    super("the session is no longer this machine's");
  }
}

/** Who may have a session: the machine that a client came to last, or one that found that nobody has it. */
export type Claim =
  /** `at`: when the client came, milliseconds. */
  { by: "client"; at: number } | { by: "finder" };

export interface SessionLogs {
  /** Machines go on with each other's sessions. */
  readonly isShared: boolean;
  /** @param onLost  told of a log that is open here and no longer this machine's */
  start(onLost: (id: string, reason: LossReason) => void): Promise<void>;
  /** The log of a session, from now on this machine's alone; undefined while it is another one's. */
  open(id: string, claim: Claim): Promise<SessionLog | undefined>;
  /** Whether a log that is open here is still this machine's; where it is not, `onLost` is told first. */
  confirm(id: string): Promise<boolean>;
  /** Sessions that have begun and not ended, and that no running machine is known to have. */
  abandoned(): Promise<string[]>;
  /** Whether something of a session that has ended is still kept for its client. */
  isKept(id: string): Promise<boolean>;
  /** Nothing of it is wanted any more: it has ended and was told, or was deleted. */
  remove(id: string, why: "ended" | "deleted"): Promise<void>;
  /** @throws when what they lie on does not answer */
  check(): Promise<void>;
  stop(): Promise<void>;
}
