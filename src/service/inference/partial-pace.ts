// How often partials are recognised. A machine without idle time delays the detection of silence, the finals and the messages. Partials
// therefore become less frequent before finals are late, and more frequent when the load has fallen. At the lowest pace, recordings are
// limited as well.

export const LOAD_STAGES = ["normal", "fewer-partials", "fewer-recordings"] as const;
export type LoadStage = (typeof LOAD_STAGES)[number];

interface Level {
  stage: LoadStage;
  /** New audio that justifies another partial of an utterance, seconds. */
  stepSeconds: number;
  /** Share of the slots for partials, in all sessions together. */
  slots: number;
}

const LEVELS: readonly Level[] = [
  { stage: "normal", stepSeconds: 0.04, slots: 1 },
  { stage: "fewer-partials", stepSeconds: 0.15, slots: 0.5 },
  { stage: "fewer-partials", stepSeconds: 0.3, slots: 0.5 },
  { stage: "fewer-partials", stepSeconds: 0.6, slots: 0.5 },
  { stage: "fewer-partials", stepSeconds: 1, slots: 0.25 },
  { stage: "fewer-recordings", stepSeconds: 1, slots: 0.25 },
];
/**
 * Mean waiting times that count as late, milliseconds. The processor time of the task itself is left out, so that a slow model or
 * processor alone does not count as load.
 */
const LATE = { final: 250, detection: 40 };
/** Weight of the newest time in the means. */
const WEIGHT = { final: 0.3, detection: 0.05 };
/** Time between two changes: the last one needs as long to have an effect. */
const SLOWER_MILLISECONDS = 1_000;
const FASTER_MILLISECONDS = 3_000;
/** Times are forgotten after this long without another one. */
const FORGET_MILLISECONDS = 5_000;

type Measured = keyof typeof LATE;

export class PartialPace {
  private at = 0;
  private changedAt = 0;
  private readonly means = new Map<Measured, { value: number; at: number }>();
  private stageListener: (stage: LoadStage) => void = () => undefined;

  /** @param now  milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Sets the listener for changes of the stage. */
  onStage(listener: (stage: LoadStage) => void): void {
    this.stageListener = listener;
  }

  get level(): Level {
    this.relax();
    return LEVELS[this.at] as Level;
  }

  /** A final, or voice activity of live speech, has waited for so long. */
  add(measured: Measured, milliseconds: number): void {
    const now = this.now();
    const mean = this.meanOf(measured);
    const weight = WEIGHT[measured];
    const value = mean === undefined ? milliseconds : mean + weight * (milliseconds - mean);
    this.means.set(measured, { value, at: now });
    if (this.isLate && now - this.changedAt >= SLOWER_MILLISECONDS)
      this.change(Math.min(LEVELS.length - 1, this.at + 1));
    else this.relax();
  }

  /** Returns to a higher pace, one level at a time. */
  private relax(): void {
    if (this.at > 0 && !this.isLate && this.now() - this.changedAt >= FASTER_MILLISECONDS) this.change(this.at - 1);
  }

  private change(to: number): void {
    const [before, after] = [LEVELS[this.at] as Level, LEVELS[to] as Level];
    this.at = to;
    this.changedAt = this.now();
    if (before.stage !== after.stage) this.stageListener(after.stage);
  }

  private get isLate(): boolean {
    return (Object.keys(LATE) as Measured[]).some((measured) => (this.meanOf(measured) ?? 0) > LATE[measured]);
  }

  private meanOf(measured: Measured): number | undefined {
    const known = this.means.get(measured);
    return known && this.now() - known.at < FORGET_MILLISECONDS ? known.value : undefined;
  }
}
