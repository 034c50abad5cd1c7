// What other processes with the role `worker` report: how fast they are, and which models they have. A process that answers requests uses it
// for the progress of jobs, because it runs none itself.

/** @property audioSecondsPerSecond  undefined before the first job, and for the previous version, which reports none */
export interface WorkerReport {
  audioSecondsPerSecond?: number | undefined;
  models: readonly string[];
}

export class OtherWorkers {
  private reports: readonly WorkerReport[] = [];

  /** Replaces the earlier reports. */
  take(reports: readonly WorkerReport[]): void {
    this.reports = reports;
  }

  /** The sum over the workers that have measured their speed. */
  get audioSecondsPerSecond(): number {
    return this.reports.reduce((sum, { audioSecondsPerSecond = 0 }) => sum + audioSecondsPerSecond, 0);
  }

  hasModel(id: string): boolean {
    return this.reports.some(({ models }) => models.includes(id));
  }
}
