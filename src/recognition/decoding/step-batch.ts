// Steps of several texts in one pass: the weights are read once for all of them. Whoever asks for a step waits for the
// next pass; a text that has ended makes room at once. Longer passes come first, for what they make goes along afterwards.
// Urgent texts do not wait for others.
import type { AttentionDecoder, EncodedSpeech, Pass, TextStep } from "./decoder.ts";

/** What a model does for several texts at once. */
export interface BatchDecoder<Encoded extends EncodedSpeech, Cache>
  extends Omit<AttentionDecoder<Encoded, Cache>, "step"> {
  /** Most texts that one pass goes on with. */
  readonly mostTexts: number;
  /** One token more of each text; at most `mostTexts`. What comes of one does not depend on the others. */
  steps(texts: readonly TextStep<Encoded, Cache>[]): Promise<Pass<Cache>[]>;
}

interface Waiting<Encoded extends EncodedSpeech, Cache> {
  text: TextStep<Encoded, Cache>;
  isUrgent: boolean;
  resolve(pass: Pass<Cache>): void;
  reject(error: unknown): void;
}

export class StepBatch<Encoded extends EncodedSpeech, Cache> {
  private waiting: Waiting<Encoded, Cache>[] = [];
  private isUnderWay = false;

  /** @param isQuiet  whether no longer pass is under way or waits; `goOn` is to be called when that comes true */
  constructor(
    private readonly decoder: Pick<BatchDecoder<Encoded, Cache>, "mostTexts" | "steps">,
    private readonly isQuiet: () => boolean,
  ) {}

  step(text: TextStep<Encoded, Cache>, isUrgent: boolean): Promise<Pass<Cache>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, isUrgent, resolve, reject });
      this.goOn();
    });
  }

  goOn(): void {
    if (this.isUnderWay || this.waiting.length === 0) return;
    this.isUnderWay = true;
    // All that goes on with the last pass has asked by then.
    setImmediate(() => void this.run());
  }

  private async run(): Promise<void> {
    const urgent = this.waiting.filter(({ isUrgent }) => isUrgent);
    if (urgent.length === 0 && !this.isQuiet()) {
      this.isUnderWay = false;
      return;
    }
    const together = (urgent.length > 0 ? urgent : this.waiting).slice(0, this.decoder.mostTexts);
    this.waiting = this.waiting.filter((one) => !together.includes(one));
    try {
      const passes = await this.decoder.steps(together.map(({ text }) => text));
      for (const [at, { resolve }] of together.entries()) resolve(passes[at] as Pass<Cache>);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
    this.isUnderWay = false;
    this.goOn();
  }
}
