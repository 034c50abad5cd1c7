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

/** All callers share the time of a turn of the event loop. */
let isTurnOpen = false;
let turnEnds = 0;

function openTurn(): void {
  isTurnOpen = true;
  turnEnds = performance.now() + TURN_MILLISECONDS;
  // Of all that wait for the next turn, this is the first.
  void eventLoopTurn().then(() => {
    isTurnOpen = false;
  });
}

/** Takes the steps in turns: other work of the event loop runs between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    if (!isTurnOpen) openTurn();
    if (performance.now() >= turnEnds) await eventLoopTurn();
    else {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }
}
