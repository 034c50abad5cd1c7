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
const BOUNDARY_BYTES = 8;
/** Chunks whose acknowledgment may have been lost with a connection. */
const RECENT_BOUNDARIES = 1_024;

/** A chunk and where it ends. */
export interface Chunk {
  bytes: Buffer;
  end: number;
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

  static async open({ folder, syncEveryChunk }: InboxOptions): Promise<Inbox> {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, AUDIO_FILE);
    const audio = await open(file, "a+");
    const boundaryLog = await open(path.join(folder, BOUNDARIES_FILE), "a+");
    const { size } = await audio.stat();
    const known = (await boundaryLog.stat()).size;
    const from = Math.max(0, Math.floor(known / BOUNDARY_BYTES) - RECENT_BOUNDARIES) * BOUNDARY_BYTES;
    const bytes = Buffer.alloc(Math.floor((known - from) / BOUNDARY_BYTES) * BOUNDARY_BYTES);
    await boundaryLog.read(bytes, 0, bytes.length, from);
    const boundaries: number[] = [];
    for (let at = 0; at < bytes.length; at += BOUNDARY_BYTES) boundaries.push(bytes.readDoubleLE(at));
    return new Inbox(
      file,
      audio,
      boundaryLog,
      syncEveryChunk,
      size,
      boundaries.filter((end) => end <= size),
    );
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
    const ends = Buffer.alloc(chunks.length * BOUNDARY_BYTES);
    for (const [index, { end }] of chunks.entries()) ends.writeDoubleLE(end, index * BOUNDARY_BYTES);
    await this.boundaryLog.appendFile(ends);
    for (const { end } of chunks) this.boundaries.push(end);
    if (this.boundaries.length > 2 * RECENT_BOUNDARIES) this.boundaries = this.boundaries.slice(-RECENT_BOUNDARIES);
    if (this.syncEveryChunk) await this.audio.datasync();
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
