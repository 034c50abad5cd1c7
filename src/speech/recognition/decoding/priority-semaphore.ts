// A semaphore with priority for the passes of concurrent requests. While an urgent request is active, no other request
// gets a permit.

interface Waiting {
  isUrgent: boolean;
  load: number;
  begin(): void;
}

export class PrioritySemaphore {
  private readonly waiting: Waiting[] = [];
  private held = 0;
  private heldLoad = 0;
  private urgentRequests = 0;

  /**
   * @param onIdle   called when a permit was released and nothing waits
   * @param permits  tasks at a time
   * @param mostLoad  sum of the loads of the tasks at a time; a task alone, and an urgent one, may have any load
   */
  constructor(
    private readonly onIdle: () => void = () => undefined,
    private readonly permits = 1,
    private readonly mostLoad = Number.POSITIVE_INFINITY,
  ) {}

  get isIdle(): boolean {
    return this.held === 0 && this.waiting.length === 0;
  }

  /** Runs a whole request; its passes call `run`. */
  async runRequest<Result>(isUrgent: boolean, work: () => Promise<Result>): Promise<Result> {
    if (!isUrgent) return work();
    this.urgentRequests++;
    try {
      return await work();
    } finally {
      this.urgentRequests--;
      this.dispatch();
    }
  }

  /** Runs `work` when a permit is available. */
  async run<Result>(isUrgent: boolean, work: () => Promise<Result>, load = 0): Promise<Result> {
    await new Promise<void>((begin) => {
      this.waiting.push({ isUrgent, load, begin });
      this.dispatch();
    });
    try {
      return await work();
    } finally {
      this.held--;
      this.heldLoad -= load;
      this.dispatch();
    }
  }

  private dispatch(): void {
    if (this.held === this.permits) return;
    if (this.waiting.length === 0) this.onIdle();
    const urgent = this.waiting.findIndex(({ isUrgent }) => isUrgent);
    if (urgent < 0 && this.urgentRequests > 0) return;
    const next = this.waiting[Math.max(0, urgent)];
    if (!next) return;
    if (!next.isUrgent && this.held > 0 && this.heldLoad + next.load > this.mostLoad) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.held++;
    this.heldLoad += next.load;
    next.begin();
    this.dispatch();
  }
}
