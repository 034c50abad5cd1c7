// Steps of the shutdown, in the reverse order of the start. Each step runs even if earlier ones failed. A step that hangs is abandoned
// after its time limit, and the data folder is released nevertheless.
import type { Logger } from "pino";
import { within } from "./within.ts";

const STEP_MILLISECONDS = 10_000;
/** When the time for all steps is used up, each remaining step still has this long. */
const LEAST_MILLISECONDS = 500;

interface Step {
  name: string;
  run: () => Promise<unknown> | unknown;
  milliseconds: number;
}

export class StopSteps {
  private readonly steps: Step[] = [];
  private running: Promise<boolean> | undefined;

  constructor(private readonly logger: Logger) {}

  /** @param milliseconds  time limit of the step */
  push(run: () => Promise<unknown> | unknown, name = "a part", milliseconds = STEP_MILLISECONDS): void {
    this.steps.push({ name, run, milliseconds });
  }

  /**
   * Runs all steps once; a further call waits for the same run.
   * @param totalMilliseconds  time for all of them together
   * @returns whether every step ended in time and without an error
   */
  run(totalMilliseconds = Number.POSITIVE_INFINITY): Promise<boolean> {
    this.running ??= this.runAll(performance.now() + totalMilliseconds);
    return this.running;
  }

  private async runAll(until: number): Promise<boolean> {
    let isOrderly = true;
    for (const { name, run, milliseconds } of this.steps.reverse()) {
      const left = Math.max(LEAST_MILLISECONDS, until - performance.now());
      try {
        await within(
          Math.min(milliseconds, left),
          Promise.resolve().then(() => run()),
        );
      } catch (error) {
        isOrderly = false;
        this.logger.error({ err: error, step: name }, "a part did not stop in order");
      }
    }
    return isOrderly;
  }
}
