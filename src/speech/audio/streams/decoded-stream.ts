// One compressed stream that is stored, decoded up to a position. When the decoder process is lost, the stream is decoded again from its
// beginning: the same bytes give the same samples, and those that were given before are left out.
import { toParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import type { Compression, DecodedPart, StreamRequest } from "./message.ts";
import { streamAnswer } from "./stream-answers.ts";
import type { StreamDecoders } from "./stream-decoders.ts";
import { FAILED } from "./stream-failure.ts";

/** Most bytes in one message to the process: a few seconds of audio. */
const PIECE_BYTES = 32_768;
/** Times that the process may be lost at one place of a stream. */
const MOST_LOSSES = 2;
/** Pauses after which a start is repeated: the process may be ended from outside while it starts. */
const START_PAUSES_MILLISECONDS = [100, 400, 1_500, 3_000];

export interface StreamSource {
  read(start: number, end: number): Promise<Buffer>;
}

export interface StreamOwner {
  id: string;
  /** Accounts take turns. */
  accountId: string;
}

export class DecodedStream {
  /** Bytes that the decoder process received since it began this stream, and sample bytes that it returned. */
  private fed = 0;
  private returned = 0;
  /** Sample bytes that were given to the caller, the end of the last bytes reported as lost, and the samples of the last mark. */
  private given = 0;
  private lostEnd = 0;
  private marked = 0;
  private losses = 0;
  private givenAtLoss = -1;
  private problem: string | undefined;

  constructor(
    private readonly decoders: StreamDecoders,
    private readonly owner: StreamOwner,
    private readonly compression: Compression,
    private readonly source: StreamSource,
  ) {}

  /** Why the stream cannot be read. */
  get refused(): string | undefined {
    return this.problem;
  }

  /**
   * Decodes the stored bytes up to a position. @param isEnd  no more bytes follow
   * @throws what a start of the process throws
   */
  async *advance(until: number, isEnd = false): AsyncGenerator<DecodedPart> {
    await this.start();
    for (;;) {
      const isDone = yield* this.attempt(until, isEnd);
      if (isDone) return;
      await this.start();
    }
  }

  async close(): Promise<void> {
    await this.decoders.close(this.owner.id);
  }

  private async start(): Promise<void> {
    const { id, accountId } = this.owner;
    for (const pause of START_PAUSES_MILLISECONDS) {
      try {
        return await this.decoders.start(id, accountId);
      } catch (thrown) {
        if (this.decoders.isStopped || toParlanceError(thrown).code !== "process.died") throw thrown;
      }
      await sleep(pause);
    }
    await this.decoders.start(id, accountId);
  }

  /** @returns false if the process was lost, and the stream has to be decoded again */
  private async *attempt(until: number, isEnd: boolean): AsyncGenerator<DecodedPart, boolean> {
    while (this.problem === undefined && this.fed < until) {
      const end = Math.min(until, this.fed + PIECE_BYTES);
      const bytes = await this.source.read(this.fed, end);
      const at = this.fed;
      this.fed = end;
      const request: StreamRequest = { kind: "push", stream: this.owner.id, compression: this.compression, at, bytes };
      if (!(yield* this.answers(request))) return false;
    }
    if (!isEnd || this.problem !== undefined || until === 0) return true;
    return yield* this.answers({ kind: "finish", stream: this.owner.id });
  }

  private async *answers(first: StreamRequest): AsyncGenerator<DecodedPart, boolean> {
    for (
      let request = first;
      ;
      request = { kind: first.kind === "finish" ? "finish" : "more", stream: this.owner.id }
    ) {
      const answer = await this.ask(request);
      if (!answer) return this.problem !== undefined;
      const part = this.fresh(answer);
      this.problem = answer.refused;
      yield part;
      if (!answer.hasMore) return true;
    }
  }

  /** @returns undefined if the process was lost */
  private async ask(request: StreamRequest): Promise<DecodedPart | undefined> {
    try {
      const answer = streamAnswer(await this.decoders.step(request), this.compression.channels);
      if (answer !== "unknown") return answer;
    } catch (thrown) {
      const { code } = toParlanceError(thrown);
      // The process was ended because it had no streams, just before this one.
      const wasIdle = code === "work.aborted" && !this.decoders.isStopped;
      // The process is not ended: others use it.
      if (code === "process.failed") {
        this.problem = FAILED;
        return undefined;
      }
      if (!wasIdle && code !== "process.died" && code !== "process.timeout") throw thrown;
      if (!wasIdle) this.countLoss();
    }
    this.fed = 0;
    this.returned = 0;
    return undefined;
  }

  /** The process was lost in a step of this stream. A stream that does that repeatedly at one place is not decoded again. */
  private countLoss(): void {
    this.losses = this.given === this.givenAtLoss ? this.losses + 1 : 1;
    this.givenAtLoss = this.given;
    if (this.losses >= MOST_LOSSES)
      this.problem =
        "the decoder crashed or hung twice at the same place; send the audio in another encoding, or restart the recording";
  }

  /** Leaves out what was given before. */
  private fresh(answer: DecodedPart): DecodedPart {
    const before = Math.max(0, Math.min(answer.samples.length, this.given - this.returned));
    const isRepeated = this.returned < this.given || before > 0;
    this.returned += answer.samples.length;
    this.given = Math.max(this.given, this.returned);
    const marks: number[] = [];
    for (let at = 0; at + 1 < answer.marks.length; at += 2) {
      const samples = answer.marks[at + 1] as number;
      if (samples > this.marked) marks.push(answer.marks[at] as number, samples);
    }
    this.marked = Math.max(this.marked, answer.marks.at(-1) ?? 0);
    const lost = answer.lost.filter(({ end }) => !isRepeated || end > this.lostEnd);
    this.lostEnd = Math.max(this.lostEnd, ...lost.map(({ end }) => end));
    return { ...answer, samples: answer.samples.subarray(before), marks, lost };
  }
}
