// Persistent state of a live session: the received audio and the entries derived from it. Implemented by a folder of
// this machine and by a JetStream stream that several machines share.
import type { Readable } from "node:stream";
import type { LiveChange } from "../../../contract/live-change.ts";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import type { ChannelState } from "../channel/channel-contract.ts";
import type { StopCause } from "../events/closing.ts";
import type { LiveEvent } from "../events/live-event.ts";

/**
 * An event; numbered from 0 without gaps. A gap means that entries are lost. This version writes and reads `event` with
 * `at`. The version before it wrote and reads `text` only: the event as a message, see `RecordFormat`.
 */
export interface StoredEvent {
  kind: "message";
  number: number;
  /** Time of the event, ISO 8601. */
  at?: string;
  event?: LiveEvent;
  /** Where processes of the previous version may take the session over, this version writes it too. */
  text?: string;
}

export type JournalEntry =
  /** Format found in the first bytes; appended again when another WAV header is found in the stream. */
  | { kind: "format"; headerBytes: number; format: StreamFormat; repeatsHeader?: boolean }
  | StoredEvent
  /** State of a channel after the final in the preceding entry, with which it is appended. */
  | { kind: "channel"; channel: number; state: ChannelState }
  /** State of a channel after long audio without words. Earlier versions ignore it. */
  | { kind: "wordless"; channel: number; state: ChannelState }
  /** The client has received all messages below this number. */
  | { kind: "arrived"; below: number }
  /** Later messages start at this number: some earlier ones were damaged. */
  | { kind: "renumbered"; from: number }
  /**
   * The client stopped sending here for a while; ends the utterance as silence does. Bytes from the start of the
   * session.
   */
  | { kind: "turn-end"; at: number }
  /** Settings of the audio from this sample at 16 kHz on. `turnEnd`: other languages follow, which ends the utterance at this byte. */
  | { kind: "change"; sample: number; change: LiveChange; turnEnd?: number }
  /** The recording is complete; no more audio follows. The previous version writes no cause. */
  | { kind: "stop"; cause?: StopCause };

/** Positions are bytes from the start of the session over all its connections. */
export interface StoredAudio {
  /** Bytes stored so far. */
  readonly total: number;
  /**
   * Appends a chunk. When this resolves it can be read; it survives a kill of the process, and may be acknowledged, after the next
   * `stored`.
   * @param end  end of the chunk, for its acknowledgment; for a resent chunk it may be before the end of the stored
   *   audio
   * @throws live.log_lost
   */
  append(bytes: Buffer, end?: number): Promise<void>;
  /** Resolves when everything appended so far is durable: it survives a power cut, or the loss of a server. */
  stored(): Promise<void>;
  read(start: number, end: number): Promise<Buffer>;
  /**
   * Finds where a reconnected client continues: it resends what was not acknowledged, without a position.
   * @returns position of the chunk's first byte; the end of the stored audio if there is no match
   */
  placeOf(chunk: Buffer): Promise<number>;
}

/** About a compressed stream, for the client and the result. */
export interface StreamReport {
  code: "invalid_audio_format" | "undecodable_audio";
  reason: string;
}

/** The compressed stream of a client. Positions are bytes as they are stored. */
export interface CompressedStream {
  /** What the client sent. */
  readonly received: StoredAudio;
  readonly encoding: string;
  /** Whether the stream turned out to be WAV, whose bytes are the samples. */
  readonly isSamples: boolean;
  /** Why it cannot be read. */
  readonly refused: string | undefined;
  /** Whether it has as much audio as a session may have. */
  readonly hasReachedLimit: boolean;
  /** Whether at least 512 bytes were lost, and no received byte was audio. */
  readonly hasOnlyLost: boolean;
  readonly hasStopped: boolean;
  /** Reports since the last call. */
  takeReports(): StreamReport[];
  /** @returns a chunk as it is stored, or why it cannot be part of the stream */
  stored(chunk: Buffer): Buffer | { refused: string };
  /** @returns the same position in the bytes of the client */
  clientByte(position: number): number;
  /** Time of the audio before a position. */
  secondsAt(position: number): number;
  /** Decodes what was received. @returns the bytes of the samples, as `SessionLog.audio` has them */
  decode(): AsyncGenerator<Buffer>;
  /** The same, where the client sends no more. */
  finish(): AsyncGenerator<Buffer>;
}

export interface SessionLog {
  readonly audio: StoredAudio;
  /** Of a session whose client sends a compressed stream: then `audio` are the decoded samples. */
  readonly compressed?: CompressedStream;
  /** Entries that were read when the log was opened. */
  readonly entries: JournalEntry[];
  /** Whether this machine has lost ownership of the session. */
  readonly isLost: boolean;
  /** Whether other processes, perhaps of the previous version, may continue the session from this log. */
  readonly isShared: boolean;
  /** Number of this ownership of the session: later owners have greater ones. Undefined where one process can own it. */
  readonly epoch?: number;
  /**
   * Appends entries atomically, after the audio appended before. Durable when this resolves.
   * @throws live.log_lost
   */
  appendEntries(...entries: JournalEntry[]): Promise<void>;
  /** The received audio bytes. @param end  one past the last */
  stream(start: number, end: number): Readable;
  /** Called when the process stops: from now on a write that fails rejects instead of being retried. */
  stopRetrying(): void;
  /** Closes the log; another process may then open it. */
  close(): Promise<void>;
}

/** Why this machine has lost ownership of a session. */
export type LossReason = "replaced" | "taken" | "deleted";

/**
 * Claim to a session: by the machine that its client last connected to, or by one that found the session without an
 * owner.
 */
export type Claim =
  /** `at`: when the client connected, milliseconds. */
  { by: "client"; at: number } | { by: "finder" };

/** What a process with live sessions reports to the others. */
export interface LiveNode {
  /** Sessions that have not ended. */
  sessions: number;
  /** Sessions that it can serve, as measured, and at most the limit. Before this version, the limit alone; 0 for none. */
  capacity: number;
  /** Whether it keeps up with its sessions and can store more. */
  isAccepting: boolean;
  /** Installed models for speech. */
  models: string[];
}

/** A process with live sessions, as its logs see it. */
export interface LiveProcess {
  report(): Promise<LiveNode>;
  /** The log of this session could not be written for some time. */
  onUnavailable(id: string): void;
}

/** Messages between the processes with live sessions and those that answer requests. One that no process receives is lost. */
export interface Messenger {
  publish(topic: string, text: string): void;
  /** @param onMessage  receives messages of other processes, and those of this one @returns a function that ends that */
  subscribe(topic: string, onMessage: (text: string) => void): () => void;
}

export interface SessionLogs {
  /** Whether machines take over each other's sessions. */
  readonly isShared: boolean;
  /** Undefined where no other process can receive any. */
  readonly messenger: Messenger | undefined;
  /** Why no session can be stored at present; undefined if nothing is known to be wrong. */
  readonly problem: string | undefined;
  /** @param onLost  called for a log that is open here when this machine loses its ownership */
  start(onLost: (id: string, reason: LossReason) => void, live?: LiveProcess): Promise<void>;
  /** Follows the reports of processes with live sessions, in a process without. */
  follow(): void;
  /** Reports of the other processes that run live sessions. Undefined: of the previous version. */
  others(): (LiveNode | undefined)[];
  /** Opens the log and takes ownership of the session; undefined while another machine owns it. */
  open(id: string, claim: Claim): Promise<SessionLog | undefined>;
  /** Whether this machine still owns a log that is open here; if not, `onLost` is called before this resolves. */
  confirm(id: string): Promise<boolean>;
  /** Started sessions that have not ended and have no running owner. */
  abandoned(): Promise<string[]>;
  /** Whether messages of an ended session are still kept for its client. */
  isKept(id: string): Promise<boolean>;
  /** Deletes the log: the session has ended and its messages were delivered, or it was deleted. */
  remove(id: string, why: "ended" | "deleted"): Promise<void>;
  /**
   * Deletes logs of sessions that are over and that no running machine owns: their owner was lost before it could delete them. Each must be
   * found in two rounds. Only of logs that machines share.
   * @param areOver  those of these sessions that were deleted, or have ended some time ago
   * @returns how many
   */
  removeLeftovers?(areOver: (ids: readonly string[]) => Promise<readonly string[]>): Promise<number>;
  /** @throws if the underlying storage does not respond */
  check(): Promise<void>;
  stop(): Promise<void>;
}
