// The received audio of a session, in files of this machine.
import path from "node:path";
import type { Readable } from "node:stream";
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

/** A chunk and the position of its end. */
export interface Chunk {
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
  private constructor(
    private readonly audio: StoredFile,
    private readonly boundaryLog: StoredFile,
    /** Ends of the last acknowledged chunks, in the order of their acknowledgment. */
    private boundaries: number[],
  ) {}

  /** Size of the chunks that need no entry; 0 at first. */
  private commonBytes = 0;

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
    return this.audio.size;
  }

  async append(bytes: Buffer, end = this.total + bytes.length): Promise<void> {
    if (bytes.length === 0 && this.boundaries.at(-1) === end) return;
    await this.appendAll([{ bytes, end }]);
  }

  /** Appends several chunks with one write; all of them or none. */
  async appendAll(chunks: Chunk[]): Promise<void> {
    const before = this.audio.size;
    const { ends, commonBytes, entries } = this.entriesFor(chunks);
    const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
    if (bytes.length > 0) await this.audio.append(bytes);
    try {
      if (entries.length > 0) await this.boundaryLog.append(bytesOf(entries));
    } catch (error) {
      // If this fails too, the bytes are stored without an acknowledgment: the client resends them, and `placeOf` finds
      // them.
      await this.audio.cutBack(before).catch(() => undefined);
      throw error;
    }
    this.commonBytes = commonBytes;
    this.boundaries.push(...ends);
    if (this.boundaries.length > 2 * RECENT_BOUNDARIES) this.boundaries = this.boundaries.slice(-RECENT_BOUNDARIES);
  }

  /** Resolves when everything appended so far is synced to disk. */
  async stored(): Promise<void> {
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

  read(start: number, end: number): Promise<Buffer> {
    return this.audio.read(start, end);
  }

  /**
   * Compares a client's first bytes with the audio after each recent acknowledgment, the newest first: acknowledgments
   * are lost at the end of a connection. Digital silence matches anywhere, so it is appended: duplicating it is better
   * than losing it.
   */
  async placeOf(chunk: Buffer): Promise<number> {
    if (chunk.every((byte) => byte === chunk[0])) return this.total;
    const recent = this.boundaries.filter((end) => end < this.total).slice(-RECENT_BOUNDARIES);
    const candidates = recent.length < RECENT_BOUNDARIES ? [0, ...recent] : recent;
    for (const candidate of candidates.reverse()) {
      const end = Math.min(this.total, candidate + chunk.length);
      const stored = await this.read(candidate, end);
      if (stored.length > 0 && stored.equals(chunk.subarray(0, stored.length))) return candidate;
    }
    return this.total;
  }

  /** @param end  one past the last byte */
  stream(start: number, end: number): Readable {
    return this.audio.stream(start, end);
  }

  async close(): Promise<void> {
    await this.audio.close();
    await this.boundaryLog.close();
  }
}
