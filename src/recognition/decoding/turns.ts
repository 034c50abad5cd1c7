// Long passes of several texts take turns. As long as an urgent text is under way, no other gets a turn.

interface Waiting {
  isUrgent: boolean;
  begin(): void;
}

export class Turns {
  private readonly waiting: Waiting[] = [];
  private isTaken = false;
  private urgentTexts = 0;

  /** @param onQuiet  told when a turn has ended and nobody waits for the next */
  constructor(private readonly onQuiet: () => void = () => undefined) {}

  get isQuiet(): boolean {
    return !this.isTaken && this.waiting.length === 0;
  }

  /** Runs all of the work on a text; its turns are taken within. */
  async during<Result>(isUrgent: boolean, work: () => Promise<Result>): Promise<Result> {
    if (!isUrgent) return work();
    this.urgentTexts++;
    try {
      return await work();
    } finally {
      this.urgentTexts--;
      this.goOn();
    }
  }

  /** Runs `work` when it is its turn. */
  async take<Result>(isUrgent: boolean, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.waiting.push({ isUrgent, begin });
      this.goOn();
    });
    try {
      return await work();
    } finally {
      this.isTaken = false;
      this.goOn();
    }
  }

  private goOn(): void {
    if (this.isTaken) return;
    if (this.waiting.length === 0) this.onQuiet();
    const urgent = this.waiting.findIndex(({ isUrgent }) => isUrgent);
    if (urgent < 0 && this.urgentTexts > 0) return;
    const [next] = this.waiting.splice(Math.max(0, urgent), 1);
    if (!next) return;
    this.isTaken = true;
    next.begin();
  }
}
