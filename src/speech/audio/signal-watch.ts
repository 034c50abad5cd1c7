// Checks half-second windows of samples and warns if they are probably not in the declared format.
import type { LikelyFormat } from "./likely-format.ts";
import { inspectSamples, STEP_BYTES } from "./signal-check.ts";
import { bytesPerFrame, bytesPerSecond, type SampleFormat } from "./stream-format.ts";

const WINDOW_SECONDS = 0.5;
/**
 * Windows until these many had sound are all checked, later ones at intervals: a client may lose a byte, or change its
 * format.
 */
const FIRST_WINDOWS = 12;
const LATER_EVERY = 4;
/** Number of windows that must match the same other format, within RECENT_WINDOWS with sound: one alone may be chance. */
const AGREEING_WINDOWS = 2;
const RECENT_WINDOWS = 20;
/** Checking more suspicious windows would cost time and find nothing. */
const MOST_SUSPICIONS = 20;

export class SignalWatch {
  private window: Buffer[] = [];
  private windowBytes = 0;
  /** Sample bytes so far. */
  private seen = 0;
  private windows = 0;
  private soundingWindows = 0;
  /** Suspicious windows of the last RECENT_WINDOWS, by the name of the format. */
  private readonly suspicions = new Map<string, number>();
  private suspectedAt = 0;
  private suspiciousWindows = 0;
  private found: LikelyFormat | undefined;
  private declared: SampleFormat | undefined;
  private isDone = false;

  /** What the samples look like; undefined while they may be sound in the declared format, then always the same. */
  get likely(): LikelyFormat | undefined {
    return this.found;
  }

  /** For the client of a session. */
  get warning(): string | undefined {
    return this.found && this.declared && warningOf(this.found, this.declared);
  }

  /** @param bytes  the next samples, whole frames */
  push(bytes: Buffer, format: SampleFormat): void {
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
    return this.soundingWindows < FIRST_WINDOWS || this.windows % LATER_EVERY === 0 || this.suspicions.size > 0;
  }

  private collect(piece: Buffer): void {
    this.window.push(Buffer.from(piece));
    this.windowBytes += piece.length;
  }

  private close(length: number, format: SampleFormat): void {
    this.windows++;
    const isWhole = this.windowBytes === length;
    const inspection = isWhole ? inspectSamples(Buffer.concat(this.window), format) : undefined;
    this.window = [];
    this.windowBytes = 0;
    if (inspection?.isSilence === false) this.soundingWindows++;
    if (this.soundingWindows - this.suspectedAt > RECENT_WINDOWS) this.suspicions.clear();
    if (inspection?.likely) this.suspect(inspection.likely, format);
  }

  private suspect(likely: LikelyFormat, format: SampleFormat): void {
    const count = (this.suspicions.get(likely.name) ?? 0) + 1;
    this.suspicions.set(likely.name, count);
    this.suspectedAt = this.soundingWindows;
    this.suspiciousWindows++;
    this.isDone = count >= AGREEING_WINDOWS || this.suspiciousWindows >= MOST_SUSPICIONS;
    if (count < AGREEING_WINDOWS) return;
    this.found = likely;
    this.declared = format;
  }
}

function warningOf({ name, advice }: LikelyFormat, { encoding, bitDepth, channels }: SampleFormat): string {
  const declared = encoding === "wav/pcm" ? `little-endian ${bitDepth}-bit PCM` : encoding;
  const count = channels === 1 ? "1 channel" : `${channels} channels`;
  return (
    `the audio is probably not in the format of the session: it is read as ${declared} with ${count}, ` +
    `and its bytes look like ${name}; ${advice}`
  );
}
