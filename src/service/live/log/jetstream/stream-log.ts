// The log of one session in a stream: records are stored by the servers first, then in this machine's copy of the
// audio. Opening a log reads the stream back.
import type { Readable } from "node:stream";
import type { JsMsg } from "@nats-io/jetstream";
import type { Logger } from "pino";
import { whenPossible } from "../../../../platform/storage/when-possible.ts";
import type { AudioCopies } from "../audio-copies.ts";
import type { Inbox } from "../inbox.ts";
import type { JournalEntry, SessionLog, StoredAudio } from "../log-contract.ts";
import type { Broker } from "./broker.ts";
import { type FencedSubject, HEADER, MORE_HEADER, type SubjectLocation } from "./fenced-subject.ts";

/** Longest wait for the next message while reading back. */
const READ_MILLISECONDS = 10_000;

/** Ownership of the session by this machine. */
export interface LogOwnership {
  readonly isLost: boolean;
  /** Lets any machine claim the session. */
  release(): Promise<void>;
}

interface StoredRecord {
  message: JsMsg;
  payload: Buffer;
}

/** Joins records that were split into pieces; a record that was interrupted by another machine's claim is discarded. */
async function* recordsOf(messages: AsyncIterable<JsMsg>): AsyncGenerator<StoredRecord> {
  let pieces: Uint8Array[] = [];
  for await (const message of messages) {
    if (message.headers?.get(HEADER.kind) === "owner") {
      pieces = [];
      continue;
    }
    pieces.push(message.data);
    if (message.headers?.has(MORE_HEADER)) continue;
    yield { message, payload: Buffer.concat(pieces) };
    pieces = [];
  }
}

/** Every message of a subject up to `last`. @throws when the servers stop answering */
async function* messagesOf({ stream }: Broker, place: SubjectLocation, last: number): AsyncGenerator<JsMsg> {
  const consumer = await stream.consumers.get(place.stream, { filter_subjects: place.subject });
  const messages = await consumer.consume({ max_messages: 500 });
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => messages.stop(new Error("NATS stopped answering")), READ_MILLISECONDS);
  };
  try {
    watch();
    for await (const message of messages) {
      watch();
      yield message;
      if (message.seq >= last) return;
    }
    throw new Error("NATS stopped answering while a live log was read");
  } finally {
    clearTimeout(timer);
    await messages.close();
    await consumer.delete().catch(() => undefined);
  }
}

/** Writes the audio into the copy. @returns the entries */
async function readBack(records: AsyncIterable<StoredRecord>, copy: Inbox): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const { message, payload } of records) {
    if (message.headers?.get(HEADER.kind) === "entries") {
      entries.push(...(JSON.parse(payload.toString("utf8")) as JournalEntry[]));
      continue;
    }
    await copy.append(payload, Number(message.headers?.get(HEADER.end)));
  }
  await copy.write();
  return entries;
}

class StreamedAudio implements StoredAudio {
  private lastEnd = -1;

  constructor(
    private readonly subject: FencedSubject,
    readonly copy: Inbox,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
  ) {}

  get total(): number {
    return this.copy.total;
  }

  async append(bytes: Buffer, end = this.total + bytes.length): Promise<void> {
    if (bytes.length === 0 && end === this.lastEnd) return;
    await this.subject.write({ kind: "audio", payload: bytes, end });
    this.lastEnd = end;
    // The servers have the chunk, so the copy must get it too: both must have the same content.
    this.copy.add(bytes, end);
    if (!this.copy.isFull) return;
    await whenPossible(
      () => this.copy.write(),
      this.stopping,
      (error) =>
        this.logger.error(
          { err: error },
          "a live session cannot be copied to disk; its connection is paused until it can",
        ),
    );
  }

  /** `append` resolves only after the servers have stored the chunk on all replicas. */
  async stored(): Promise<void> {}

  read(start: number, end: number): Promise<Buffer> {
    return this.copy.read(start, end);
  }

  placeOf(chunk: Buffer): Promise<number> {
    return this.copy.placeOf(chunk);
  }
}

export class StreamLog implements SessionLog {
  readonly isShared = true;

  private constructor(
    readonly epoch: number,
    readonly audio: StreamedAudio,
    readonly entries: JournalEntry[],
    private readonly subject: FencedSubject,
    private readonly removeCopy: () => Promise<void>,
    private readonly ownership: LogOwnership,
    private readonly stopping: AbortController,
  ) {}

  /**
   * Reads the log back. @param copyName  of the copy, which is created again
   * @param last     sequence of this machine's claim, the last message
   * @param ownership  released by `close`
   */
  static async open(
    broker: Broker,
    place: SubjectLocation,
    subject: FencedSubject,
    last: number,
    copies: AudioCopies,
    copyName: string,
    ownership: LogOwnership,
    logger: Logger,
  ): Promise<StreamLog> {
    const copy = await copies.make(copyName);
    const stopping = new AbortController();
    try {
      const entries = await readBack(recordsOf(messagesOf(broker, place, last)), copy);
      const audio = new StreamedAudio(subject, copy, stopping.signal, logger);
      return new StreamLog(place.epoch, audio, entries, subject, () => copies.remove(copyName), ownership, stopping);
    } catch (error) {
      await copy.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.ownership.isLost;
  }

  appendEntries(...entries: JournalEntry[]): Promise<void> {
    return this.subject.write({ kind: "entries", payload: Buffer.from(JSON.stringify(entries)) });
  }

  stream(start: number, end: number): Readable {
    return this.audio.copy.stream(start, end);
  }

  stopRetrying(): void {
    this.subject.stopRetrying();
    this.stopping.abort();
  }

  async close(): Promise<void> {
    await this.audio.copy.close();
    await this.removeCopy();
    await this.ownership.release();
  }
}
