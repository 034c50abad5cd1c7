// Divides the processor time of a process among the tasks that it runs at once. Concurrent tasks share the time of one thread, so each
// interval is divided equally among those that ran in it. While an urgent task runs, the others wait (PrioritySemaphore).

interface Running {
  isUrgent: boolean;
  usedMilliseconds: number;
}

export class ProcessorMeter {
  private readonly running = new Set<Running>();
  private countedUntil = 0;

  /** @param usedMilliseconds  processor time of this process so far */
  constructor(private readonly usedMilliseconds: () => number) {}

  /** A task begins. @returns ends it, and returns its processor time, milliseconds */
  begin(isUrgent = false): () => number {
    this.divide();
    const task: Running = { isUrgent, usedMilliseconds: 0 };
    this.running.add(task);
    return () => {
      this.divide();
      this.running.delete(task);
      return task.usedMilliseconds;
    };
  }

  private divide(): void {
    const now = this.usedMilliseconds();
    const passed = now - this.countedUntil;
    this.countedUntil = now;
    const urgent = [...this.running].filter(({ isUrgent }) => isUrgent);
    const sharing = urgent.length > 0 ? urgent : [...this.running];
    for (const task of sharing) task.usedMilliseconds += passed / sharing.length;
  }
}
