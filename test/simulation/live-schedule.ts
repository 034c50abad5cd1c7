// A schedule of faults for live sessions, made from a seed: it says what happens at which time, and can be shortened.
import { pick, type Random, randomOf } from "../fixtures/random.ts";

export const SERVERS = ["nats", "database", "objects"] as const;

export type Step = {
  at: number;
  /** The step happens when its process has sent this many more requests to the servers: between two steps of a protocol. */
  afterRequests: number;
} & (
  | { kind: "stall"; process: number; milliseconds: number; isFrozen: boolean }
  | { kind: "cut"; process: number; server: (typeof SERVERS)[number]; milliseconds: number }
  | { kind: "slow"; process: number; server: (typeof SERVERS)[number]; milliseconds: number }
  | { kind: "cutClient"; client: number; milliseconds: number }
  | { kind: "kill"; process: number; downMilliseconds: number }
  | { kind: "restart"; process: number; downMilliseconds: number }
  | { kind: "clockJump"; process: number; milliseconds: number }
);

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

/** Faults begin within this time. */
const FAULTS_MILLISECONDS = 25_000;
const FIRST_FAULT_MILLISECONDS = 500;
const FIRST_END_MILLISECONDS = 2_000;
const STALLS = [3_000, 9_000, 16_000, 21_000, 33_000, 45_000];
const CUTS = [700, 4_000, 11_000, 18_000, 40_000, 110_000];
const MOST_CLIENT_CUT_MILLISECONDS = 20_000;
const JUMPS = [-3_600_000, -8_000, -1_500, 1_500, 8_000, 3_600_000];
const MOST_STEPS = 6;
/** Half of the faults begin close to the end of a session, where most can go wrong. */
const NEAR_END_MILLISECONDS = 1_500;
const MOST_REQUESTS = 12;

function stepOf(random: Random, processes: number, ends: readonly number[]): Step {
  const clients = ends.length;
  const isNearEnd = random() < 0.5;
  const at = isNearEnd
    ? pick(ends, random) + (random() - 0.7) * NEAR_END_MILLISECONDS
    : FIRST_FAULT_MILLISECONDS + random() * FAULTS_MILLISECONDS;
  const afterRequests = random() < 0.5 ? 0 : 1 + Math.floor(random() * MOST_REQUESTS);
  return { ...faultOf(at, random, processes, clients), afterRequests };
}

function faultOf(at: number, random: Random, processes: number, clients: number) {
  const process = Math.floor(random() * processes);
  const server = pick(["nats", "nats", "database", "objects"] as const, random);
  const kind = pick(
    ["stall", "stall", "cut", "cut", "slow", "cutClient", "kill", "restart", "clockJump"] as const,
    random,
  );
  switch (kind) {
    case "stall":
      return { at, kind, process, milliseconds: pick(STALLS, random), isFrozen: random() < 0.3 };
    case "cut":
      return { at, kind, process, server, milliseconds: pick(CUTS, random) };
    case "slow":
      return { at, kind, process, server, milliseconds: 5_000 + random() * 20_000 };
    case "cutClient":
      return {
        ...{ at, kind, milliseconds: random() * MOST_CLIENT_CUT_MILLISECONDS },
        client: Math.floor(random() * clients),
      };
    case "kill":
    case "restart":
      return { at, kind, process, downMilliseconds: 500 + random() * 25_000 };
    case "clockJump":
      return { at, kind, process, milliseconds: pick(JUMPS, random) };
  }
}

export function scheduleOf(seed: number): Schedule {
  const random = randomOf(seed);
  const processes = pick([1, 2, 2, 2, 3], random);
  const clients = pick([1, 1, 2], random);
  const ends = Array.from({ length: clients }, () => FIRST_END_MILLISECONDS + random() * FAULTS_MILLISECONDS);
  const steps = Array.from({ length: 1 + Math.floor(random() * MOST_STEPS) }, () => stepOf(random, processes, ends));
  return {
    seed,
    processes,
    clients,
    ends,
    chunkMilliseconds: Array.from({ length: clients }, () => pick([400, 1_500, 4_000], random)),
    steps: steps.sort((one, other) => one.at - other.at),
  };
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

function shownStep(step: Step): string {
  const later = step.afterRequests > 0 ? ` and ${step.afterRequests} requests` : "";
  const at = `${seconds(step.at).padStart(7)}${later}`;
  switch (step.kind) {
    case "stall":
      return `${at}  process ${step.process} is ${step.isFrozen ? "frozen" : "stopped"} for ${seconds(step.milliseconds)}`;
    case "cut":
      return `${at}  process ${step.process} is cut off from ${step.server} for ${seconds(step.milliseconds)}`;
    case "slow":
      return `${at}  messages between process ${step.process} and ${step.server} are late for ${seconds(step.milliseconds)}`;
    case "cutClient":
      return `${at}  client ${step.client} has no network for ${seconds(step.milliseconds)}`;
    case "kill":
    case "restart":
      return `${at}  process ${step.process} is ${step.kind === "kill" ? "killed" : "stopped in order"} and starts again after ${seconds(step.downMilliseconds)}`;
    case "clockJump":
      return `${at}  the clock of process ${step.process} jumps by ${seconds(step.milliseconds)}`;
  }
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

/** Leaves out steps as long as the schedule fails. */
export async function shortened(
  schedule: Schedule,
  fails: (schedule: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  let current = schedule;
  for (let at = 0; at < current.steps.length; ) {
    const without = { ...current, steps: current.steps.filter((_, index) => index !== at) };
    if (await fails(without)) current = without;
    else at++;
  }
  return current;
}
