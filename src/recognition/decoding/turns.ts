// Long passes of several texts take turns, or so many at a time. As long as an urgent text is under way, no other gets a turn.

interface Waiting {
  isUrgent: boolean;
  begin(): void;
}

export class Turns {
  private readonly waiting: Waiting[] = [];
  private taken = 0;
  private urgentTexts = 0;

  /**
   * @param onQuiet  told when a turn has ended and nobody waits for the next
   * @param most     turns at a time
   */
  constructor(
    private readonly onQuiet: () => void = () => undefined,
    private readonly most = 1,
  ) {}

  get isQuiet(): boolean {
    return this.taken === 0 && this.waiting.length === 0;
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
      this.taken--;
      this.goOn();
    }
  }

  private goOn(): void {
    if (this.taken === this.most) return;
    if (this.waiting.length === 0) this.onQuiet();
    const urgent = this.waiting.findIndex(({ isUrgent }) => isUrgent);
    if (urgent < 0 && this.urgentTexts > 0) return;
    const [next] = this.waiting.splice(Math.max(0, urgent), 1);
    if (!next) return;
    this.taken++;
    next.begin();
    this.goOn();
  }
}
