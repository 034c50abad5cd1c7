// The log of a session with compressed audio: its `audio` are the decoded samples, and everything else is in the log below it.
import type { Readable } from "node:stream";
import type { Compression } from "../../../speech/audio/streams/message.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import type { JournalEntry, SessionLog, StoredAudio } from "../log/log-contract.ts";
import { CompressedAudio } from "./compressed-audio.ts";
import { SampleFile } from "./sample-file.ts";

export interface DecodingServices {
  accountId: string;
  decoders: StreamDecoders;
  /** Folder for the samples of this process. */
  folder: string;
  /** Longest audio of a session. */
  mostSeconds: number;
}

export class DecodedLog implements SessionLog {
  readonly audio: StoredAudio;
  readonly epoch?: number;

  private constructor(
    private readonly inner: SessionLog,
    readonly compressed: CompressedAudio,
  ) {
    if (inner.epoch !== undefined) this.epoch = inner.epoch;
    this.audio = {
      get total() {
        return compressed.total;
      },
      append: (bytes) => compressed.file.append(bytes),
      stored: () => inner.audio.stored(),
      read: (start, end) => compressed.read(start, end),
      // Clients continue in the stream that they send.
      placeOf: async () => compressed.total,
    };
  }

  /** Decodes what the log has. */
  static async open(
    inner: SessionLog,
    id: string,
    compression: Compression,
    { accountId, decoders, folder, mostSeconds }: DecodingServices,
  ): Promise<DecodedLog> {
    const file = await SampleFile.create(folder, id);
    const compressed = new CompressedAudio({ id, accountId }, compression, inner.audio, file, decoders, mostSeconds);
    try {
      for await (const _ of compressed.decode());
      return new DecodedLog(inner, compressed);
    } catch (error) {
      await compressed.close();
      throw error;
    }
  }

  get entries(): JournalEntry[] {
    return this.inner.entries;
  }

  get isLost(): boolean {
    return this.inner.isLost;
  }

  get isShared(): boolean {
    return this.inner.isShared;
  }

  appendEntries(...entries: JournalEntry[]): Promise<void> {
    return this.inner.appendEntries(...entries);
  }

  stream(start: number, end: number): Readable {
    return this.compressed.streamOf(start, end, () => this.inner.stream(start, end));
  }

  stopRetrying(): void {
    this.compressed.stop();
    this.inner.stopRetrying();
  }

  async close(): Promise<void> {
    await this.compressed.close();
    await this.inner.close();
  }
}
