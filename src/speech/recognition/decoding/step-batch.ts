// Batches the steps of several sequences into one pass, so that the weights are read once for all. A step waits for the
// next pass; a finished sequence frees its slot at once. Longer passes run first, so that their sequences join the
// batch. Urgent sequences do not wait for others.
import type { AttentionDecoder, DecodingStep, EncodedSpeech, Pass } from "./decoder.ts";

/** A decoder that processes several sequences in one pass. */
export interface BatchDecoder<Encoded extends EncodedSpeech, Cache>
  extends Omit<AttentionDecoder<Encoded, Cache>, "step"> {
  /** Most sequences in one pass. */
  readonly batchSize: number;
  /** Decodes one token of each sequence; at most `batchSize`. The results do not depend on each other. */
  decodeBatch(steps: readonly DecodingStep<Encoded, Cache>[]): Promise<Pass<Cache>[]>;
}

interface Waiting<Encoded extends EncodedSpeech, Cache> {
  sequence: DecodingStep<Encoded, Cache>;
  isUrgent: boolean;
  resolve(pass: Pass<Cache>): void;
  reject(error: unknown): void;
}

export class StepBatch<Encoded extends EncodedSpeech, Cache> {
  private waiting: Waiting<Encoded, Cache>[] = [];
  private isScheduled = false;

  /** @param isIdle  whether no longer pass is running or waiting; `schedule` must be called when that becomes true */
  constructor(
    private readonly decoder: Pick<BatchDecoder<Encoded, Cache>, "batchSize" | "decodeBatch">,
    private readonly isIdle: () => boolean,
  ) {}

  step(step: DecodingStep<Encoded, Cache>, isUrgent: boolean): Promise<Pass<Cache>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ sequence: step, isUrgent, resolve, reject });
      this.schedule();
    });
  }

  schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    // By then, all sequences of the last pass have requested their next step.
    setImmediate(() => void this.run());
  }

  private async run(): Promise<void> {
    const urgent = this.waiting.filter(({ isUrgent }) => isUrgent);
    if (urgent.length === 0 && !this.isIdle()) {
      this.isScheduled = false;
      return;
    }
    const candidates = urgent.length > 0 ? urgent : this.waiting;
    // The oldest sequences first: each keeps its slot in the cache of the batch until it ends.
    const age = ({ sequence: { sequence = -1 } }: Waiting<Encoded, Cache>) => sequence;
    const batch = candidates.toSorted((left, right) => age(left) - age(right)).slice(0, this.decoder.batchSize);
    this.waiting = this.waiting.filter((one) => !batch.includes(one));
    try {
      const passes = await this.decoder.decodeBatch(batch.map(({ sequence: text }) => text));
      for (const [at, { resolve }] of batch.entries()) resolve(passes[at] as Pass<Cache>);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.isScheduled = false;
    this.schedule();
  }
}
