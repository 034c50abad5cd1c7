// Long computations in steps: a generator yields after each. The same code then runs at once in a child process, and beside other work on
// the thread of the service.
import { eventLoopTurn } from "./sleep.ts";

/** Work of one turn of the event loop, if no single step takes longer. */
const TURN_MILLISECONDS = 15;

export type Steps<Result> = Generator<void, Result>;

/** Takes all steps now. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Takes the steps in turns: other work of the event loop runs between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let began = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MILLISECONDS) continue;
    await eventLoopTurn();
    began = performance.now();
  }
}
