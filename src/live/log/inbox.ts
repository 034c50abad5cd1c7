// The audio of a session as it came, in files of this machine.
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import type { StoredAudio } from "./log-contract.ts";

export interface InboxOptions {
  folder: string;
  /** Wait until the disk itself has every chunk (survives a loss of power); else the system's memory will do. */
  syncEveryChunk: boolean;
}

const AUDIO_FILE = "audio.raw";
const BOUNDARIES_FILE = "boundaries.bin";
const ENTRY_BYTES = 8;
/** Chunks whose acknowledgment may have been lost with a connection. */
const RECENT_BOUNDARIES = 1_024;

/** A chunk and where it ends. */
export interface Chunk {
  bytes: Buffer;
  end: number;
}

/**
 * Ends of the last chunks out of what is written of them. A client's chunks are mostly of one size, and so most cost no
 * entry of their own: a negative one says that chunks of so many bytes follow on the end before it, up to the end behind
 * it; the last one's as far as the audio goes.
 * @param size  of the audio, bytes
 */
function endsOf(entries: readonly number[], size: number): number[] {
  let ends: number[] = [];
  for (const [at, entry] of entries.entries()) {
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
  private constructor(
    private readonly file: string,
    private readonly audio: FileHandle,
    private readonly boundaryLog: FileHandle,
    private readonly syncEveryChunk: boolean,
    private totalBytes: number,
    /** Ends of the last acknowledged chunks, in the order of their acknowledgment. */
    private boundaries: number[],
  ) {}

  /** Size of the chunks that cost no entry; of no size at first. */
  private usualBytes = 0;

  static async open({ folder, syncEveryChunk }: InboxOptions): Promise<Inbox> {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, AUDIO_FILE);
    const audio = await open(file, "a+");
    const boundaryLog = await open(path.join(folder, BOUNDARIES_FILE), "a+");
    const { size } = await audio.stat();
    const known = (await boundaryLog.stat()).size;
    const from = Math.max(0, Math.floor(known / ENTRY_BYTES) - RECENT_BOUNDARIES) * ENTRY_BYTES;
    const bytes = Buffer.alloc(Math.floor((known - from) / ENTRY_BYTES) * ENTRY_BYTES);
    await boundaryLog.read(bytes, 0, bytes.length, from);
    const entries: number[] = [];
    for (let at = 0; at < bytes.length; at += ENTRY_BYTES) entries.push(bytes.readDoubleLE(at));
    return new Inbox(file, audio, boundaryLog, syncEveryChunk, size, endsOf(entries, size));
  }

  get total(): number {
    return this.totalBytes;
  }

  async append(bytes: Buffer, end = this.totalBytes + bytes.length): Promise<void> {
    if (bytes.length === 0 && this.boundaries.at(-1) === end) return;
    await this.appendAll([{ bytes, end }]);
  }

  /** Many chunks with one write. */
  async appendAll(chunks: Chunk[]): Promise<void> {
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
    if (bytes.length > 0) await this.audio.appendFile(bytes);
    this.totalBytes += bytes.length;
    const entries = chunks.flatMap((chunk) => this.entriesFor(chunk));
    if (entries.length > 0) await this.boundaryLog.appendFile(bytesOf(entries));
    if (this.boundaries.length > 2 * RECENT_BOUNDARIES) this.boundaries = this.boundaries.slice(-RECENT_BOUNDARIES);
    if (this.syncEveryChunk) await this.audio.datasync();
  }

  /** Notes where a chunk ends. @returns what is to be written of it */
  private entriesFor({ bytes, end }: Chunk): number[] {
    const last = this.boundaries.at(-1);
    const isWhole = bytes.length > 0 && end - bytes.length === (last ?? 0);
    const isUsual = isWhole && last !== undefined && bytes.length === this.usualBytes;
    this.boundaries.push(end);
    if (isUsual) return [];
    this.usualBytes = isWhole ? bytes.length : 0;
    return [...(last === undefined ? [] : [last]), end, ...(isWhole ? [-bytes.length] : [])];
  }

  async read(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, end - start));
    const { bytesRead } = await this.audio.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  /**
   * A client's first bytes are compared with what is stored after each recent acknowledgment; the latest place where
   * they fit is theirs, for acknowledgments are lost at the end of a connection. Digital silence fits anywhere: rather
   * twice than never.
   */
  async placeOf(chunk: Buffer): Promise<number> {
    if (chunk.every((byte) => byte === chunk[0])) return this.totalBytes;
    const recent = this.boundaries.filter((end) => end < this.totalBytes).slice(-RECENT_BOUNDARIES);
    const candidates = recent.length < RECENT_BOUNDARIES ? [0, ...recent] : recent;
    for (const candidate of candidates.reverse()) {
      const end = Math.min(this.totalBytes, candidate + chunk.length);
      const stored = await this.read(candidate, end);
      if (stored.length > 0 && stored.equals(chunk.subarray(0, stored.length))) return candidate;
    }
    return this.totalBytes;
  }

  /** @param end  one past the last byte */
  stream(start: number, end: number): Readable {
    return end > start ? createReadStream(this.file, { start, end: end - 1 }) : Readable.from([]);
  }

  async close(): Promise<void> {
    await this.audio.close();
    await this.boundaryLog.close();
  }
}
