// The received audio of a session, in files of this machine. Chunks stay in memory until they are written together: a client sends up to
// a hundred a second, and each write costs more than its bytes.
import path from "node:path";
import { Readable } from "node:stream";
import { AppendFile } from "../../../platform/storage/disk/append-file.ts";
import type { Disk } from "../../../platform/storage/disk/disk.ts";
import type { StoredAudio } from "./log-contract.ts";

type StoredFile = Pick<AppendFile, keyof AppendFile>;

export interface InboxOptions {
  folder: string;
  disk: Disk;
  /** Opens a file, or makes it. Default: on the disk. */
  openFile?: (file: string, disk: Disk) => Promise<StoredFile>;
}

export const AUDIO_FILE = "audio.raw";
export const BOUNDARIES_FILE = "boundaries.bin";
const ENTRY_BYTES = 8;
/** Number of chunks whose acknowledgment may have been lost with a connection. */
const RECENT_BOUNDARIES = 1_024;
/** The first bytes of a chunk, which are compared with the audio at each place before the whole chunk is. */
const COMPARED_FIRST = 4_096;
/** Bytes that are compared for one chunk: a chunk of 32 MB is compared with two places, those of usual size with all of them. */
const MOST_COMPARED_BYTES = 67_108_864;
/** Chunks in memory are written when they have this many bytes, about 8 s of samples at 16 kHz, if nothing requires them earlier. */
const MOST_WAITING_BYTES = 262_144;

/** A chunk and the position of its end. */
interface Chunk {
  bytes: Buffer;
  end: number;
}

/**
 * Ends of the last chunks, decoded from the boundary file. Most chunks of a client have one size and need no entry: a
 * negative entry means that chunks of so many bytes follow the previous end, up to the next entry or the end of the
 * audio.
 * @param size  of the audio, bytes
 */
function endsOf(entries: readonly number[], size: number): number[] {
  let ends: number[] = [];
  // Entries after a damaged one may be relative to it.
  const damaged = entries.findIndex((entry) => !Number.isSafeInteger(entry) || Math.abs(entry) > size);
  for (const [at, entry] of (damaged < 0 ? entries : entries.slice(0, damaged)).entries()) {
    const from = ends.at(-1);
    if (entry >= 0) {
      if (entry !== from) ends.push(entry);
    } else if (from !== undefined) {
      const steps = Math.max(0, Math.floor(((entries[at + 1] ?? size) - from) / -entry));
      const first = Math.max(1, steps - RECENT_BOUNDARIES + 1);
      for (let step = first; step <= steps; step++) ends.push(from - step * entry);
    }
    if (ends.length > 2 * RECENT_BOUNDARIES) ends = ends.slice(-RECENT_BOUNDARIES);
  }
  return ends.filter((end) => end <= size);
}

function bytesOf(entries: readonly number[]): Buffer {
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [at, entry] of entries.entries()) bytes.writeDoubleLE(entry, at * ENTRY_BYTES);
  return bytes;
}

export class Inbox implements StoredAudio {
  /** Size of the chunks that need no entry; 0 at first. */
  private commonBytes = 0;
  /** Bytes in the file. */
  private written: number;
  /** Chunks that are not in the file yet. */
  private waiting: Chunk[] = [];
  private waitingBytes = 0;
  /** Chunks that were added and written so far. */
  private addedChunks = 0;
  private writtenChunks = 0;
  private writing: Promise<void> | undefined;

  private constructor(
    private readonly audio: StoredFile,
    private readonly boundaryLog: StoredFile,
    /** Ends of the last written chunks, in the order of their acknowledgment. */
    private boundaries: number[],
  ) {
    this.written = audio.size;
  }

  static async open({ folder, disk, openFile = AppendFile.open }: InboxOptions): Promise<Inbox> {
    const audio = await openFile(path.join(folder, AUDIO_FILE), disk);
    try {
      const boundaryLog = await openFile(path.join(folder, BOUNDARIES_FILE), disk);
      const whole = Math.floor(boundaryLog.size / ENTRY_BYTES);
      // A partial entry would shift all following ones.
      if (whole * ENTRY_BYTES < boundaryLog.size) await boundaryLog.cutBack(whole * ENTRY_BYTES);
      const bytes = await boundaryLog.read(Math.max(0, whole - RECENT_BOUNDARIES) * ENTRY_BYTES, whole * ENTRY_BYTES);
      const entries: number[] = [];
      for (let at = 0; at < bytes.length; at += ENTRY_BYTES) entries.push(bytes.readDoubleLE(at));
      return new Inbox(audio, boundaryLog, endsOf(entries, audio.size));
    } catch (error) {
      await audio.close();
      throw error;
    }
  }

  get total(): number {
    return this.written + this.waitingBytes;
  }

  async append(bytes: Buffer, end = this.total + bytes.length): Promise<void> {
    this.add(bytes, end);
    if (this.isFull) await this.write();
  }

  /** Takes a chunk, which can be read at once. It is written by the next `write`, together with others. */
  add(bytes: Buffer, end: number): void {
    if (bytes.length === 0 && (this.waiting.at(-1)?.end ?? this.boundaries.at(-1)) === end) return;
    this.waiting.push({ bytes, end });
    this.waitingBytes += bytes.length;
    this.addedChunks++;
  }

  /** Whether the chunks in memory should be written before more are added. */
  get isFull(): boolean {
    return this.waitingBytes >= MOST_WAITING_BYTES;
  }

  /**
   * Resolves when all chunks added so far are in the file.
   * @throws the error of the file system; the chunks stay in memory, and the next call writes them
   */
  async write(): Promise<void> {
    const until = this.addedChunks;
    while (this.writtenChunks < until) {
      this.writing ??= this.writeWaiting().finally(() => {
        this.writing = undefined;
      });
      await this.writing;
    }
  }

  /** Appends the waiting chunks with one write; all of them or none. */
  private async writeWaiting(): Promise<void> {
    const chunks = [...this.waiting];
    const { ends, commonBytes, entries } = this.entriesFor(chunks);
    const bytes = chunks.length === 1 ? (chunks[0] as Chunk).bytes : Buffer.concat(chunks.map((chunk) => chunk.bytes));
    if (bytes.length > 0) await this.audio.append(bytes);
    try {
      if (entries.length > 0) await this.boundaryLog.append(bytesOf(entries));
    } catch (error) {
      // If this fails too, the bytes are stored without an acknowledgment: the client resends them, and `placeOf` finds
      // them.
      await this.audio.cutBack(this.written).catch(() => undefined);
      throw error;
    }
    this.waiting = this.waiting.slice(chunks.length);
    this.waitingBytes -= bytes.length;
    this.written += bytes.length;
    this.writtenChunks += chunks.length;
    this.commonBytes = commonBytes;
    this.boundaries.push(...ends);
    if (this.boundaries.length > 2 * RECENT_BOUNDARIES) this.boundaries = this.boundaries.slice(-RECENT_BOUNDARIES);
  }

  /** Resolves when everything appended so far is synced to disk. */
  async stored(): Promise<void> {
    await this.write();
    await Promise.all([this.audio.sync(), this.boundaryLog.sync()]);
  }

  /** Ends of the chunks, and the boundary entries that encode them. */
  private entriesFor(chunks: readonly Chunk[]): { ends: number[]; commonBytes: number; entries: number[] } {
    const entries: number[] = [];
    let { commonBytes } = this;
    let last = this.boundaries.at(-1);
    for (const { bytes, end } of chunks) {
      const isWhole = bytes.length > 0 && end - bytes.length === (last ?? 0);
      const isUsual = isWhole && last !== undefined && bytes.length === commonBytes;
      if (!isUsual) {
        commonBytes = isWhole ? bytes.length : 0;
        entries.push(...(last === undefined ? [] : [last]), end, ...(isWhole ? [-bytes.length] : []));
      }
      last = end;
    }
    return { ends: chunks.map(({ end }) => end), commonBytes, entries };
  }

  async read(start: number, end: number): Promise<Buffer> {
    const { written } = this;
    if (end <= written || this.waitingBytes === 0) return this.audio.read(start, Math.min(end, this.total));
    const waiting = Buffer.concat(this.waiting.map(({ bytes }) => bytes));
    const kept = waiting.subarray(Math.max(0, start - written), end - written);
    return start < written ? Buffer.concat([await this.audio.read(start, written), kept]) : kept;
  }

  /**
   * Compares a client's first bytes with the audio after each recent acknowledgment, the newest first: acknowledgments
   * are lost at the end of a connection. Digital silence matches anywhere, so it is appended: duplicating it is better
   * than losing it.
   */
  async placeOf(chunk: Buffer): Promise<number> {
    if (chunk.length < 2 || chunk.subarray(1).equals(chunk.subarray(0, -1))) return this.total;
    const ends = [...this.boundaries, ...this.waiting.map(({ end }) => end)];
    const recent = ends.filter((end) => end < this.total).slice(-RECENT_BOUNDARIES);
    const candidates = recent.length < RECENT_BOUNDARIES ? [0, ...recent] : recent;
    let compared = 0;
    for (const candidate of candidates.reverse()) {
      if (!(await this.isAt(candidate, chunk.subarray(0, COMPARED_FIRST)))) continue;
      if (chunk.length <= COMPARED_FIRST) return candidate;
      compared += Math.min(chunk.length, this.total - candidate);
      if (compared > MOST_COMPARED_BYTES) break;
      if (await this.isAt(candidate, chunk)) return candidate;
    }
    return this.total;
  }

  /** Whether the bytes, or as many of them as are stored, are at a position. */
  private async isAt(position: number, bytes: Buffer): Promise<boolean> {
    const stored = await this.read(position, Math.min(this.total, position + bytes.length));
    return stored.length > 0 && stored.equals(bytes.subarray(0, stored.length));
  }

  /** @param end  one past the last byte */
  stream(start: number, end: number): Readable {
    return this.waiting.length === 0 ? this.audio.stream(start, end) : Readable.from(this.streamWritten(start, end));
  }

  private async *streamWritten(start: number, end: number): AsyncGenerator<Buffer> {
    await this.write();
    yield* this.audio.stream(start, end);
  }

  /** Chunks that cannot be written are lost. They were not acknowledged, so that the client sends them again. */
  async close(): Promise<void> {
    await this.write().catch(() => undefined);
    await this.audio.close();
    await this.boundaryLog.close();
  }
}
