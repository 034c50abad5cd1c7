// Reports bytes that could not be decoded: each stretch of them when it ends, with its length, and a long one repeatedly while it grows.
import type { LostBytes } from "../../../speech/audio/streams/message.ts";

/** A stretch that does not end is reported at this length, and whenever it has doubled. */
const FIRST_REPORT_BYTES = 16_384;
/** Later stretches are only in the sum. */
const MOST_REPORTS = 50;

const GROWING = /^at least \d+ bytes of the stream, from byte (\d+) on, cannot be decoded/;
const ENDED = /^\d+ bytes of the stream could not be decoded and were left out \(bytes (\d+) to \d+\)$/;

/** Of the reports of each stretch, the last one: it contains those before. */
export function withoutRepetition(warnings: readonly string[]): string[] {
  const last = new Map<string, string>();
  const startOf = (warning: string) => (GROWING.exec(warning) ?? ENDED.exec(warning))?.[1];
  for (const warning of warnings) {
    const start = startOf(warning);
    if (start !== undefined) last.set(start, warning);
  }
  return warnings.filter((warning) => !GROWING.test(warning) || last.get(startOf(warning) ?? "") === warning);
}

interface Stretch extends LostBytes {
  nextReport: number;
}

export class LostAudio {
  private stretch: Stretch | undefined;
  private reports = 0;
  private unreported = 0;
  private sum = 0;

  /** @param clientByte  position in the bytes of the client */
  constructor(private readonly clientByte: (position: number) => number) {}

  /** All bytes that could not be decoded so far. */
  get total(): number {
    return this.sum;
  }

  /** @param decodedUntil  end of the last packet that was decoded with them; undefined without one. @returns reports, a sentence each */
  add(lost: readonly LostBytes[], decodedUntil: number | undefined): string[] {
    const found: string[] = [];
    for (const { from, end, bytes } of lost) {
      this.sum += bytes;
      const { stretch } = this;
      if (stretch && from <= stretch.end) {
        stretch.end = Math.max(stretch.end, end);
        stretch.bytes += bytes;
      } else {
        found.push(...this.close());
        this.stretch = { from, end, bytes, nextReport: FIRST_REPORT_BYTES };
      }
      const current = this.stretch;
      if (!current || current.bytes < current.nextReport) continue;
      found.push(
        `at least ${current.nextReport} bytes of the stream, from byte ${this.clientByte(current.from)} on, cannot be decoded and are left out`,
      );
      while (current.bytes >= current.nextReport) current.nextReport *= 2;
    }
    if (decodedUntil !== undefined && this.stretch && decodedUntil > this.stretch.end) found.push(...this.close());
    return found;
  }

  /** No more bytes follow. */
  finish(): string[] {
    const found = this.close();
    if (this.unreported === 0) return found;
    return [...found, `further ${this.unreported} bytes of the stream could not be decoded and were left out`];
  }

  private close(): string[] {
    const { stretch } = this;
    this.stretch = undefined;
    if (!stretch) return [];
    if (++this.reports > MOST_REPORTS) {
      this.unreported += stretch.bytes;
      return [];
    }
    const [from, end] = [this.clientByte(stretch.from), this.clientByte(stretch.end)];
    return [`${stretch.bytes} bytes of the stream could not be decoded and were left out (bytes ${from} to ${end})`];
  }
}
