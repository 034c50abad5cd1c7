// A schedule of faults for recorded jobs and callbacks.
import { pick, type Random, randomOf } from "../fixtures/random.ts";
import { type Failure, type Step, seconds, shownStep, stepsOf, tried } from "./faults.ts";
import { WorkWorld } from "./work-world.ts";

export interface PlannedJob {
  at: number;
  /** Whether its recording is to be fetched; otherwise it is uploaded. */
  isFetched: boolean;
  hasCallback: boolean;
  /** Time that each stage takes. */
  stageMilliseconds: number;
  /** How often its first stage loses its child process. */
  crashes: number;
}

/** Events of a live session whose callbacks are stored one after another. */
export interface PlannedEvents {
  at: number;
  count: number;
  pauseMilliseconds: number;
}

export interface Schedule {
  seed: number;
  processes: number;
  /** Limit of concurrent jobs of the account; 0: none. */
  concurrentJobs: number;
  jobs: PlannedJob[];
  events: PlannedEvents[];
  receiver: {
    /** Until then it answers with an error, milliseconds. */
    downUntil: number;
    /** Shares of the requests that it answers with an error, and does not answer. */
    failing: number;
    silent: number;
    /** Greatest time that an answer takes. */
    slowness: number;
  };
  steps: Step[];
}

/** Requests are sent, and faults begin, within this time. */
const WITHIN_MILLISECONDS = 12_000;
const MOST_JOBS = 3;

const jobOf = (random: Random): PlannedJob => ({
  at: random() * WITHIN_MILLISECONDS,
  isFetched: random() < 0.6,
  hasCallback: random() < 0.7,
  stageMilliseconds: pick([50, 900, 4_000], random),
  crashes: random() < 0.1 ? 1 + Math.floor(random() * 2) : 0,
});

export function scheduleOf(seed: number): Schedule {
  const random = randomOf(seed);
  const processes = pick([1, 2, 2, 3], random);
  const jobs = Array.from({ length: 1 + Math.floor(random() * MOST_JOBS) }, () => jobOf(random));
  const events = Array.from({ length: pick([0, 0, 1], random) }, () => ({
    at: random() * WITHIN_MILLISECONDS,
    count: 2 + Math.floor(random() * 4),
    pauseMilliseconds: pick([0, 500, 3_000], random),
  }));
  const near = jobs.flatMap(({ at, stageMilliseconds }) => [at, at + stageMilliseconds, at + 4 * stageMilliseconds]);
  return {
    ...{ seed, processes, jobs, events, concurrentJobs: pick([0, 1, 2], random) },
    receiver: {
      downUntil: random() < 0.3 ? random() * 20_000 : 0,
      failing: pick([0, 0, 0.3], random),
      silent: pick([0, 0, 0.2], random),
      slowness: pick([50, 3_000], random),
    },
    steps: stepsOf(random, {
      ...{ processes, clients: 0, near, servers: ["database", "database", "objects", "receivers"] },
      withinMilliseconds: WITHIN_MILLISECONDS,
      kinds: ["stall", "stall", "stall", "cut", "cut", "slow", "kill", "kill", "restart", "clockJump"],
    }),
  };
}

export function shownSchedule({ seed, processes, jobs, events, concurrentJobs, receiver, steps }: Schedule): string {
  return [
    `seed ${seed}: ${processes} processes, limit of concurrent jobs ${concurrentJobs}, receiver ${JSON.stringify(receiver)}`,
    ...jobs.map(
      ({ at, isFetched, hasCallback, stageMilliseconds, crashes }, which) =>
        `job ${which} is sent at ${seconds(at)}, ${isFetched ? "fetched" : "uploaded"}, ${hasCallback ? "with" : "without"} a callback, ` +
        `${seconds(stageMilliseconds)} a stage${crashes > 0 ? `, loses its child process ${crashes} times` : ""}`,
    ),
    ...events.map(
      ({ at, count, pauseMilliseconds }) =>
        `${count} events from ${seconds(at)} on, every ${seconds(pauseMilliseconds)}`,
    ),
    ...steps.map(shownStep),
  ].join("\n  ");
}

/** @returns the failure of a seed; undefined if all holds */
export const tryWorkSeed = (seed: number): Promise<Failure | undefined> =>
  tried(scheduleOf(seed), (schedule) => new WorkWorld(schedule).run(), shownSchedule);
