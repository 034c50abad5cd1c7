// What a second of live audio costs on this machine, in processor time. The time until an answer is not used, because it also contains the
// work of other programs.

/** A task of an inference process, as far as live sessions cause it. */
export interface LiveTask {
  kind: "final" | "detection" | "other";
  /** Id of the model of a final. */
  model?: string;
  processorSeconds: number;
  audioSeconds: number;
}

/** Before anything is measured: a processor with AVX2 and without VNNI, which takes about twice as long as with it. */
const ASSUMED = { final: 0.085, passes: 1.3, detection: 0.015, other: 0, service: 0.035 };
/** A cost is a mean over about this much audio, seconds; later audio has more weight. */
const MEMORY_SECONDS = 120;
/** Weight of the assumed cost in the mean, as seconds of audio. */
const ASSUMED_SECONDS = 8;
/** Bounds of measured costs: a single outlier must neither refuse all sessions nor admit sessions without limit. */
const BOUNDS = {
  final: [0.005, 1],
  passes: [1, 3],
  detection: [0.002, 0.2],
  other: [0, 0.5],
  service: [0.005, 0.06],
} as const;

/** A quotient of two sums in which older summands fade with the denominator. */
class FadingQuotient {
  private numerator: number;
  private denominator = ASSUMED_SECONDS;

  constructor(private readonly name: keyof typeof BOUNDS) {
    this.numerator = ASSUMED[name] * ASSUMED_SECONDS;
  }

  add(numerator: number, denominator: number): void {
    const kept = Math.exp(-denominator / MEMORY_SECONDS);
    this.numerator = this.numerator * kept + numerator;
    this.denominator = this.denominator * kept + denominator;
    // Work without audio, such as the diarization at the end of a session, would otherwise raise the cost for hours.
    this.numerator = Math.min(this.numerator, BOUNDS[this.name][1] * this.denominator);
  }

  get value(): number {
    const [least, most] = BOUNDS[this.name];
    return Math.min(most, Math.max(least, this.numerator / this.denominator));
  }
}

/** Processor seconds for a second of audio, separately for each part of the service that has a limit. */
export interface Cost {
  recognizers: number;
  detection: number;
  service: number;
}

export class LiveCosts {
  private readonly final = new FadingQuotient("final");
  /** Costs of the finals of each model. */
  private readonly ofModels = new Map<string, FadingQuotient>();
  /** How many times a second of speech is recognised for finals: a pause that does not end the utterance repeats it. */
  private readonly passes = new FadingQuotient("passes");
  private readonly detection = new FadingQuotient("detection");
  private readonly other = new FadingQuotient("other");
  private readonly service = new FadingQuotient("service");

  add({ kind, model, processorSeconds, audioSeconds }: LiveTask): void {
    if (![processorSeconds, audioSeconds].every((one) => Number.isFinite(one) && one >= 0)) return;
    if (kind === "other") this.other.add(processorSeconds, 0);
    else if (audioSeconds === 0) return;
    else if (kind === "detection") this.detection.add(processorSeconds, audioSeconds);
    else {
      this.final.add(processorSeconds, audioSeconds);
      if (model !== undefined) this.quotientOf(model).add(processorSeconds, audioSeconds);
      this.passes.add(audioSeconds, 0);
    }
  }

  /** @param speechSeconds  of the audio in which voice activity was detected */
  addAudio(audioSeconds: number, speechSeconds: number): void {
    this.other.add(0, audioSeconds);
    this.passes.add(0, speechSeconds);
  }

  /** @param processorSeconds  of this process while it received the audio */
  addService(processorSeconds: number, audioSeconds: number): void {
    this.service.add(processorSeconds, audioSeconds);
  }

  /**
   * What a second of speech costs more with another model, processor seconds. A model of which no final was measured counts as twice the
   * mean of all.
   */
  differenceOf(model: string, former: string): number {
    const next = this.ofModels.get(model)?.value;
    if (next === undefined) return this.final.value * this.passes.value;
    return Math.max(0, next - (this.ofModels.get(former)?.value ?? this.final.value)) * this.passes.value;
  }

  private quotientOf(model: string): FadingQuotient {
    const known = this.ofModels.get(model) ?? new FadingQuotient("final");
    this.ofModels.set(model, known);
    return known;
  }

  /** @param channels  of audio that arrives in real time; may be a fraction @param speech  seconds of speech in a second, in all channels together */
  of(channels: number, speech: number): Cost {
    return {
      recognizers: this.other.value * channels + this.final.value * this.passes.value * speech,
      detection: this.detection.value * channels,
      service: this.service.value * channels,
    };
  }
}
