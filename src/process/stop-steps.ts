// What has to be undone when the service stops: in the reverse of the order in which it was started, each step whatever the ones before
// it did. A step that hangs is left behind when its time is over; the data folder is given free all the same.
import type { Logger } from "pino";
import { within } from "./within.ts";

const STEP_MILLISECONDS = 10_000;
/** When the time for all steps is used up, each that is left still has this long. */
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

  /** @param milliseconds  longest time that the step is waited for */
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
