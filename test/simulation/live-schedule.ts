// A schedule of faults for live sessions.
import { pick, randomOf } from "../fixtures/random.ts";
import { type Failure, type Step, seconds, shownStep, stepsOf, tried } from "./faults.ts";
import { LiveWorld } from "./live-world.ts";

export interface Schedule {
  seed: number;
  processes: number;
  clients: number;
  /** When each client ends its session, milliseconds. */
  ends: number[];
  /** Between the chunks of each client. */
  chunkMilliseconds: number[];
  steps: Step[];
}

const FAULTS_MILLISECONDS = 25_000;
const FIRST_END_MILLISECONDS = 2_000;

export function scheduleOf(seed: number): Schedule {
  const random = randomOf(seed);
  const processes = pick([1, 2, 2, 2, 3], random);
  const clients = pick([1, 1, 2], random);
  const ends = Array.from({ length: clients }, () => FIRST_END_MILLISECONDS + random() * FAULTS_MILLISECONDS);
  const steps = stepsOf(random, {
    ...{ processes, clients, near: ends, servers: ["nats", "nats", "database", "objects"] },
    withinMilliseconds: FAULTS_MILLISECONDS,
    kinds: ["stall", "stall", "cut", "cut", "slow", "cutClient", "kill", "restart", "clockJump"],
  });
  return {
    ...{ seed, processes, clients, ends, steps },
    chunkMilliseconds: Array.from({ length: clients }, () => pick([400, 1_500, 4_000], random)),
  };
}

export function shownSchedule({ seed, processes, clients, ends, chunkMilliseconds, steps }: Schedule): string {
  const sessions = ends.map(
    (end, client) =>
      `client ${client} sends a chunk every ${seconds(chunkMilliseconds[client] ?? 0)} and ends its session at ${seconds(end)}`,
  );
  return [`seed ${seed}: ${processes} processes, ${clients} clients`, ...sessions, ...steps.map(shownStep)].join(
    "\n  ",
  );
}

/** @returns the failure of a seed; undefined if all holds */
export const tryLiveSeed = (seed: number): Promise<Failure | undefined> =>
  tried(scheduleOf(seed), (schedule) => new LiveWorld(schedule).run(), shownSchedule);
