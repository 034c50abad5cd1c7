// The audio of a session as it came, on disk before it is acknowledged. Positions are bytes from the start of the
// session over all its connections.
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";

export interface InboxOptions {
  folder: string;
  /** Wait until the disk itself has every chunk (survives a loss of power); else the system's memory will do. */
  syncEveryChunk: boolean;
}

const AUDIO_FILE = "audio.raw";
const BOUNDARIES_FILE = "boundaries.bin";
const BOUNDARY_BYTES = 8;
/** Chunks whose acknowledgment may have been lost with a connection. */
const RECENT_BOUNDARIES = 4_096;

export class Inbox {
  private constructor(
    private readonly audio: FileHandle,
    private readonly boundaryLog: FileHandle,
    private readonly syncEveryChunk: boolean,
    private totalBytes: number,
    /** Ends of the last acknowledged chunks, rising. */
    private boundaries: number[],
  ) {}

  static async open({ folder, syncEveryChunk }: InboxOptions): Promise<Inbox> {
    await mkdir(folder, { recursive: true });
    const audio = await open(path.join(folder, AUDIO_FILE), "a+");
    const boundaryLog = await open(path.join(folder, BOUNDARIES_FILE), "a+");
    const { size } = await audio.stat();
    const known = (await boundaryLog.stat()).size;
    const from = Math.max(0, Math.floor(known / BOUNDARY_BYTES) - RECENT_BOUNDARIES) * BOUNDARY_BYTES;
    const bytes = Buffer.alloc(Math.floor((known - from) / BOUNDARY_BYTES) * BOUNDARY_BYTES);
    await boundaryLog.read(bytes, 0, bytes.length, from);
    const boundaries: number[] = [];
    for (let at = 0; at < bytes.length; at += BOUNDARY_BYTES) boundaries.push(bytes.readDoubleLE(at));
    return new Inbox(
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

  /** Stores a chunk; when this resolves the bytes survive a kill of the process. */
  async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.audio.appendFile(bytes);
    this.totalBytes += bytes.length;
    const boundary = Buffer.alloc(BOUNDARY_BYTES);
    boundary.writeDoubleLE(this.totalBytes);
    await this.boundaryLog.appendFile(boundary);
    this.boundaries.push(this.totalBytes);
    if (this.boundaries.length > 2 * RECENT_BOUNDARIES) this.boundaries = this.boundaries.slice(-RECENT_BOUNDARIES);
    if (this.syncEveryChunk) await this.audio.datasync();
  }

  async read(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, end - start));
    const { bytesRead } = await this.audio.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  }

  /**
   * Where a reconnected client goes on: it resends what was not acknowledged to it and does not say from where. Its
   * first bytes are compared with what is stored after each recent acknowledgment; the earliest place where all of it
   * fits wins.
   * @returns position of the chunk's first byte; the end of the stored audio when nothing fits
   */
  async placeOf(chunk: Buffer): Promise<number> {
    const candidates = [0, ...this.boundaries.filter((end) => end < this.totalBytes)];
    const earliest = this.boundaries.length >= RECENT_BOUNDARIES ? (candidates[1] ?? 0) : 0;
    const stored = await this.read(earliest, this.totalBytes);
    for (const candidate of candidates) {
      if (candidate < earliest) continue;
      const rest = stored.subarray(candidate - earliest);
      const length = Math.min(rest.length, chunk.length);
      if (length > 0 && rest.subarray(0, length).equals(chunk.subarray(0, length))) return candidate;
    }
    return this.totalBytes;
  }

  async close(): Promise<void> {
    await this.audio.close();
    await this.boundaryLog.close();
  }
}
