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

/** All callers share the time of a turn of the event loop, which ends then. */
let turnEnds = 0;
/** End of the last step of any caller: without a recent one, a new turn begins. */
let lastStep = 0;

/** Takes the steps in turns: other work of the event loop runs between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const now = performance.now();
    const isRecent = now >= lastStep && now - lastStep < TURN_MILLISECONDS;
    if (!isRecent) turnEnds = now + TURN_MILLISECONDS;
    if (now >= turnEnds) {
      const ended = turnEnds;
      await eventLoopTurn();
      // The first of those that waited begins the next turn.
      if (turnEnds === ended) turnEnds = performance.now() + TURN_MILLISECONDS;
      continue;
    }
    const step = steps.next();
    lastStep = performance.now();
    if (step.done) return step.value;
  }
}
