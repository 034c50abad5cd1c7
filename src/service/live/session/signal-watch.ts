// Checks half-second windows of a session's audio and warns if they cannot be sound in the session's format.
import { likelyFormat, STEP_BYTES } from "../../../speech/audio/signal-check.ts";
import { bytesPerFrame, bytesPerSecond, type StreamFormat } from "../../../speech/audio/stream-format.ts";

const WINDOW_SECONDS = 0.5;
/** The first windows are all checked, later ones at intervals: a client may lose a byte, or change its format. */
const FIRST_WINDOWS = 8;
const LATER_EVERY = 20;
/** Number of windows that must match the same other format. */
const AGREEING_WINDOWS = 2;
/** Checking more suspicious windows would cost time and find nothing. */
const MOST_SUSPICIONS = 20;

export class SignalWatch {
  private window: Buffer[] = [];
  private windowBytes = 0;
  /** Sample bytes so far. */
  private seen = 0;
  private windows = 0;
  private suspicions = new Map<string, number>();
  private found: string | undefined;
  private isDone = false;

  /** Undefined while the signal may be sound; then always the same. */
  get warning(): string | undefined {
    return this.found;
  }

  /** @param bytes  the next samples, whole frames */
  push(bytes: Buffer, format: StreamFormat): void {
    if (this.isDone) return;
    const step = STEP_BYTES * bytesPerFrame(format);
    const length = Math.ceil((WINDOW_SECONDS * bytesPerSecond(format)) / step) * step;
    for (let at = 0; at < bytes.length; ) {
      const intoWindow = this.seen % length;
      const piece = bytes.subarray(at, at + Math.min(bytes.length - at, length - intoWindow));
      at += piece.length;
      this.seen += piece.length;
      if (this.isWanted) this.collect(piece);
      if (this.seen % length === 0) this.close(length, format);
    }
  }

  private get isWanted(): boolean {
    return this.windows < FIRST_WINDOWS || this.windows % LATER_EVERY === 0 || this.suspicions.size > 0;
  }

  private collect(piece: Buffer): void {
    this.window.push(Buffer.from(piece));
    this.windowBytes += piece.length;
  }

  private close(length: number, format: StreamFormat): void {
    this.windows++;
    const isWhole = this.windowBytes === length;
    const name = isWhole ? likelyFormat(Buffer.concat(this.window), format) : undefined;
    this.window = [];
    this.windowBytes = 0;
    if (name !== undefined) this.suspect(name, format);
  }

  private suspect(name: string, { encoding, bitDepth, channels }: StreamFormat): void {
    const count = (this.suspicions.get(name) ?? 0) + 1;
    this.suspicions.set(name, count);
    const total = [...this.suspicions.values()].reduce((sum, one) => sum + one, 0);
    this.isDone = count >= AGREEING_WINDOWS || total >= MOST_SUSPICIONS;
    if (count < AGREEING_WINDOWS) return;
    const session = encoding === "wav/pcm" ? `little-endian ${bitDepth}-bit PCM` : encoding;
    this.found =
      `the audio cannot be speech: it is read as ${session} with ${channels === 1 ? "1 channel" : `${channels} channels`}, ` +
      `and its bytes look like ${name}`;
  }
}
