// A share of each turn of the event loop, for one kind of work. All callers take time from the same share. More callers therefore do not
// delay the other work of the event loop.
import { eventLoopTurn } from "./sleep.ts";

export class TurnTime {
  private isOpen = false;
  private ends = 0;

  constructor(private readonly milliseconds: number) {}

  /** Whether this turn has time left. */
  get isLeft(): boolean {
    if (!this.isOpen) this.begin();
    return performance.now() < this.ends;
  }

  /** Resolves in the next turn, with new time. */
  async renewed(): Promise<void> {
    const { ends } = this;
    await eventLoopTurn();
    // Only the first of those that waited begins the turn.
    if (this.ends === ends) this.begin();
  }

  private begin(): void {
    this.isOpen = true;
    this.ends = performance.now() + this.milliseconds;
    void eventLoopTurn().then(() => {
      this.isOpen = false;
    });
  }
}
