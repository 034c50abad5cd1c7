// Positions of WAV headers in the bytes of a session. Positions in messages count all bytes; audio time counts only
// sample bytes.

import { lowestPlace } from "../../../contract/lowest-place.ts";

/** Index of the last element that is at most `value`, -1 if there is none; elements must not decrease. */
function lastAtMost(elements: readonly number[], value: number): number {
  return lowestPlace(elements.length, (index) => (elements[index] as number) > value) - 1;
}

/**
 * Headers of one session, each about 24 bytes of memory: one for every 20 ms of five hours. Bytes of later ones are read
 * as samples.
 */
export const MOST_HEADERS = 1_000_000;

export class StreamHeaders {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** Positions of the headers in the sample bytes. */
  private readonly sampleBytes: number[] = [];
  private total = 0;
  private found = 0;

  /** Headers that were found; adjacent ones are kept as one. */
  get count(): number {
    return this.found;
  }

  get hasRoom(): boolean {
    return this.starts.length < MOST_HEADERS;
  }

  /** Adds headers in their order; a known header is ignored. @param end  one past its last byte */
  add(start: number, end: number): void {
    const last = this.ends.at(-1) ?? 0;
    if (end <= start || start < last) return;
    this.total += end - start;
    this.found++;
    if (start === last && this.ends.length > 0) {
      this.ends[this.ends.length - 1] = end;
      return;
    }
    this.starts.push(start);
    this.ends.push(end);
    this.sampleBytes.push(start - (this.total - (end - start)));
  }

  /** Header bytes among the first `bytes` of the stream. */
  within(bytes: number): number {
    const index = lastAtMost(this.starts, bytes);
    if (index < 0) return 0;
    const start = this.starts[index] as number;
    const before = start - (this.sampleBytes[index] as number);
    return before + Math.min(bytes, this.ends[index] as number) - start;
  }

  /** Position in the stream of a sample byte, which is counted without headers. */
  placeOf(sampleByte: number): number {
    const index = lastAtMost(this.sampleBytes, sampleByte);
    if (index < 0) return sampleByte;
    return (this.ends[index] as number) + sampleByte - (this.sampleBytes[index] as number);
  }

  /** Strips the headers from a stream. @param chunks  the stream from its first byte on */
  async *without(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let at = 0;
    let index = 0;
    for await (const chunk of chunks) {
      let from = 0;
      while (from < chunk.length) {
        const start = (this.starts[index] ?? Number.POSITIVE_INFINITY) - at;
        if (start > from) {
          const until = Math.min(start, chunk.length);
          yield chunk.subarray(from, until);
          from = until;
          continue;
        }
        from = Math.min((this.ends[index] as number) - at, chunk.length);
        if ((this.ends[index] as number) - at <= chunk.length) index++;
      }
      at += chunk.length;
    }
  }
}
