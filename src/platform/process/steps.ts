// Long computations in steps: a generator yields after each. The same code then runs at once in a child process, and beside other work on
// the thread of the service.
import { TurnTime } from "./turn-time.ts";

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

/** Of all callers together. */
const turn = new TurnTime(TURN_MILLISECONDS);

/** Takes the steps in turns: other work of the event loop runs between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    while (!turn.isLeft) await turn.renewed();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
