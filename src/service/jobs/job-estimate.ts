// Share and rest of a running job. The expected times of its stages give the proportions; the time that this attempt has taken for its
// part of them gives the pace of the rest. A stage that reports no progress counts by its time.
import type { StageCost, StageTimes } from "./stage-times.ts";

/** Share of the expected time after which the measured pace counts as much as the expected one. */
const PRIOR_SHARE = 0.01;
/** Greatest share of a stage without reports before it ends. */
const MOST_UNREPORTED_SHARE = 0.95;

export interface EstimatedStage<Name extends string = string> {
  name: Name;
  cost: StageCost;
}

export class JobEstimate<Name extends string = string> {
  private readonly seconds: ReadonlyMap<Name, number>;
  private readonly names: readonly Name[];
  private readonly total: number;
  private readonly started: number;
  private readonly ofEarlierAttempts: number;
  private current: { name: Name; started: number; share: number } | undefined;

  /**
   * @param stages  all of the job, in order
   * @param done    names of those that earlier attempts have completed
   * @param shown   share of the job that was shown before: the estimate begins with it
   * @param now     a monotonic clock, milliseconds
   */
  constructor(
    stages: readonly EstimatedStage<Name>[],
    done: ReadonlySet<Name>,
    times: StageTimes,
    audioSeconds: number,
    private shown = 0,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.names = stages.map(({ name }) => name);
    this.seconds = new Map(stages.map(({ name, cost }) => [name, times.expected(cost, audioSeconds)]));
    this.total = this.sumOf(this.names);
    this.ofEarlierAttempts = this.sumOf(this.names.filter((name) => done.has(name)));
    this.started = now();
  }

  begin(name: Name): void {
    this.current = { name, started: this.now(), share: 0 };
  }

  /** @param share  of the current stage, 0 to 1 */
  report(share: number): void {
    if (this.current) this.current.share = Math.min(1, Math.max(this.current.share, share));
  }

  /** Of the current stage. */
  end(): void {
    this.report(1);
  }

  /** Part of the whole job that is done, 0 to 1; it does not fall. */
  get share(): number {
    const { expected, before, share } = this.position();
    this.shown = Math.max(this.shown, Math.min(1, (before + share * expected) / this.total));
    return this.shown;
  }

  get restSeconds(): number {
    const { expected, before, behind, stageSeconds } = this.position();
    const reported = this.current?.share ?? 0;
    const prior = PRIOR_SHARE * this.total;
    const beforeStage = before - this.ofEarlierAttempts;
    const elapsed = (this.now() - this.started) / 1000;
    const paceBefore = (elapsed - stageSeconds + prior) / (beforeStage + prior);
    if (reported === 0) {
      // A stage that has taken longer than expected is expected to take that much longer again.
      return Math.abs(expected * paceBefore - stageSeconds) + behind * paceBefore;
    }
    const pace = (elapsed + prior) / (beforeStage + reported * expected + prior);
    if (expected === 0) return behind * pace;
    // The stage's own pace says most about the rest of the stage.
    const ownPrior = PRIOR_SHARE * expected;
    const ownPace = (stageSeconds + ownPrior * paceBefore) / (reported * expected + ownPrior);
    return (1 - reported) * expected * ownPace + behind * pace;
  }

  private position() {
    const { current } = this;
    if (!current)
      return {
        expected: 0,
        before: this.ofEarlierAttempts,
        share: 0,
        behind: this.total - this.ofEarlierAttempts,
        stageSeconds: 0,
      };
    const at = this.names.indexOf(current.name);
    const expected = this.sumOf([current.name]);
    const stageSeconds = (this.now() - current.started) / 1000;
    const byTime = Math.min(MOST_UNREPORTED_SHARE, stageSeconds / Math.max(expected, 1e-3));
    return {
      expected,
      before: this.sumOf(this.names.slice(0, at)),
      share: current.share > 0 ? current.share : byTime,
      behind: this.sumOf(this.names.slice(at + 1)),
      stageSeconds,
    };
  }

  private sumOf(names: readonly Name[]): number {
    return names.reduce((sum, name) => sum + (this.seconds.get(name) ?? 0), 0);
  }
}
