// The log of one session in a stream: what is appended is with the servers first, then in this machine's copy of the
// audio. What stands in it is read back when a machine opens it.
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { JsMsg } from "@nats-io/jetstream";
import { type Chunk, Inbox } from "../inbox.ts";
import type { JournalEntry, SessionLog, StoredAudio } from "../log-contract.ts";
import type { Broker } from "./broker.ts";
import { type FencedSubject, HEADER, MORE_HEADER, type Place } from "./fenced-subject.ts";

/** Audio that is read back is written to the copy in such pieces. */
const WRITE_BYTES = 1_048_576;
/** Longest time between two messages that are read back. */
const READ_MILLISECONDS = 10_000;

/** What this machine has of the session. */
export interface LogOwnership {
  readonly isLost: boolean;
  /** Whoever a client comes to may have it. */
  release(): Promise<void>;
}

interface Read {
  message: JsMsg;
  payload: Buffer;
}

/** Puts letters together that came in pieces; those that were broken off by another machine's claim are no letters. */
async function* lettersOf(messages: AsyncIterable<JsMsg>): AsyncGenerator<Read> {
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

/** Every message of a subject up to one. @throws when the servers stop answering */
async function* messagesOf({ stream }: Broker, place: Place, last: number): AsyncGenerator<JsMsg> {
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

/** Audio goes into the copy. @returns the entries */
async function readBack(letters: AsyncIterable<Read>, copy: Inbox): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  let chunks: Chunk[] = [];
  let bytes = 0;
  for await (const { message, payload } of letters) {
    if (message.headers?.get(HEADER.kind) === "entries") {
      entries.push(...(JSON.parse(payload.toString("utf8")) as JournalEntry[]));
      continue;
    }
    chunks.push({ bytes: payload, end: Number(message.headers?.get(HEADER.end)) });
    bytes += payload.length;
    if (bytes < WRITE_BYTES) continue;
    await copy.appendAll(chunks);
    chunks = [];
    bytes = 0;
  }
  if (chunks.length > 0) await copy.appendAll(chunks);
  return entries;
}

class StreamedAudio implements StoredAudio {
  private lastEnd = -1;

  constructor(
    private readonly subject: FencedSubject,
    readonly copy: Inbox,
  ) {}

  get total(): number {
    return this.copy.total;
  }

  async append(bytes: Buffer, end = this.total + bytes.length): Promise<void> {
    if (bytes.length === 0 && end === this.lastEnd) return;
    await this.subject.write({ kind: "audio", payload: bytes, end });
    this.lastEnd = end;
    await this.copy.append(bytes, end);
  }

  read(start: number, end: number): Promise<Buffer> {
    return this.copy.read(start, end);
  }

  placeOf(chunk: Buffer): Promise<number> {
    return this.copy.placeOf(chunk);
  }
}

export class StreamLog implements SessionLog {
  private constructor(
    readonly audio: StreamedAudio,
    readonly entries: JournalEntry[],
    private readonly subject: FencedSubject,
    private readonly folder: string,
    private readonly ownership: LogOwnership,
  ) {}

  /**
   * Reads the log back. @param folder  of the copy, made anew
   * @param last     sequence of this machine's claim, the last message there is
   * @param ownership  released at the end
   */
  static async open(
    broker: Broker,
    place: Place,
    subject: FencedSubject,
    last: number,
    folder: string,
    ownership: LogOwnership,
  ): Promise<StreamLog> {
    await rm(folder, { recursive: true, force: true });
    const copy = await Inbox.open({ folder, syncEveryChunk: false });
    try {
      const entries = await readBack(lettersOf(messagesOf(broker, place, last)), copy);
      return new StreamLog(new StreamedAudio(subject, copy), entries, subject, folder, ownership);
    } catch (error) {
      await copy.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.ownership.isLost;
  }

  note(...entries: JournalEntry[]): Promise<void> {
    return this.subject.write({ kind: "entries", payload: Buffer.from(JSON.stringify(entries)) });
  }

  stream(start: number, end: number): Readable {
    return this.audio.copy.stream(start, end);
  }

  hurry(): void {
    this.subject.hurry();
  }

  async close(): Promise<void> {
    await this.audio.copy.close();
    await rm(this.folder, { recursive: true, force: true });
    await this.ownership.release();
  }
}
