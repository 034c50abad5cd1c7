// What other processes with the role `worker` report: how fast they are, and which models they have. A process that answers requests uses it
// for the progress of jobs, because it runs none itself.

/** @property audioSecondsPerSecond  undefined before the first job, and for the previous version, which reports none */
export interface WorkerReport {
  audioSecondsPerSecond?: number | undefined;
  models: readonly string[];
}

export class OtherWorkers {
  private reports: readonly WorkerReport[] = [];

  /** Replaces what was reported before. */
  take(reports: readonly WorkerReport[]): void {
    this.reports = reports;
  }

  /** Of all of them that have measured it. */
  get audioSecondsPerSecond(): number {
    return this.reports.reduce((sum, { audioSecondsPerSecond = 0 }) => sum + audioSecondsPerSecond, 0);
  }

  hasModel(id: string): boolean {
    return this.reports.some(({ models }) => models.includes(id));
  }
}
