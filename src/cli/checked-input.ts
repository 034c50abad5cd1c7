// Standard input of `parlance live`: its start is checked before a session is created.
import type { Readable } from "node:stream";
import { streamProblem } from "./stream-problem.ts";
import { UsageError } from "./usage-error.ts";

/** Enough for the header of a WAV file and several frames of MPEG audio. */
const LEAST_CHECKED_BYTES = 8_192;

/**
 * Reads without pauses: a pipe that ends while it is paused reports no end. What arrives before `deliver` is kept; the connection
 * keeps unacknowledged audio in memory, too.
 */
export class CheckedInput {
  private chunks: Buffer[] = [];
  private length = 0;
  private hasEnded = false;
  private receive: ((chunk: Buffer) => void) | undefined;
  private end: (() => void) | undefined;
  private readonly hasStart: Promise<void>;

  constructor(input: Readable) {
    this.hasStart = new Promise((resolve, reject) => {
      input.once("error", reject);
      input.once("end", () => {
        this.hasEnded = true;
        this.end?.();
        resolve();
      });
      input.on("data", (chunk: Buffer) => {
        if (this.receive) return this.receive(chunk);
        this.chunks.push(chunk);
        this.length += chunk.length;
        if (this.length >= LEAST_CHECKED_BYTES) resolve();
      });
    });
  }

  /** @throws UsageError if the audio is not what the options describe */
  async check(described: { rate: number; channels: number }): Promise<void> {
    await this.hasStart;
    const problem = streamProblem(Buffer.concat(this.chunks), described);
    if (problem !== undefined) throw new UsageError(problem);
  }

  /** Passes on what has arrived, and what arrives from now on. */
  deliver(receive: (chunk: Buffer) => void, end: () => void): void {
    for (const chunk of this.chunks) receive(chunk);
    this.chunks = [];
    this.receive = receive;
    this.end = end;
    if (this.hasEnded) end();
  }
}
