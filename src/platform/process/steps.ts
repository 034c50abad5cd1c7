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

/** All callers share the time of a turn of the event loop: whether one is open, when its time ends, and when the last step ended. */
let isTurnOpen = false;
let turnEnds = 0;
let lastStep = 0;

function beginTurn(): void {
  isTurnOpen = true;
  turnEnds = performance.now() + TURN_MILLISECONDS;
  // Of all that wait for the next turn, this is the first.
  void eventLoopTurn().then(() => {
    isTurnOpen = false;
  });
}

/** Whether a turn is open at this time. Without a recent step it is none: the simulation of a killed process discards its callbacks. */
const isInTurn = (now: number) => isTurnOpen && now >= lastStep && now - lastStep < TURN_MILLISECONDS;

/** Takes the steps in turns: other work of the event loop runs between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const now = performance.now();
    if (!isInTurn(now)) beginTurn();
    else if (now >= turnEnds) {
      const ended = turnEnds;
      await eventLoopTurn();
      // The first of those that waited begins the next turn.
      if (turnEnds === ended) beginTurn();
      continue;
    }
    const step = steps.next();
    lastStep = performance.now();
    if (step.done) return step.value;
  }
}
