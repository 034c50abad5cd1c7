// Faults of a schedule, made from a seed: they say what happens at which time, and a schedule that fails is shortened by leaving some out.
import { pick, type Random } from "../fixtures/random.ts";
import type { Server } from "./network.ts";

export type Step = {
  at: number;
  /** The step happens when its process has sent this many more requests to the servers: between two steps of a protocol. */
  afterRequests: number;
} & (
  | { kind: "stall"; process: number; milliseconds: number; isFrozen: boolean }
  | { kind: "cut"; process: number; server: Server; milliseconds: number }
  | { kind: "slow"; process: number; server: Server; milliseconds: number }
  | { kind: "cutClient"; client: number; milliseconds: number }
  | { kind: "kill"; process: number; downMilliseconds: number }
  | { kind: "restart"; process: number; downMilliseconds: number }
  | { kind: "clockJump"; process: number; milliseconds: number }
);

export interface FaultsOf {
  processes: number;
  clients: number;
  kinds: readonly Step["kind"][];
  servers: readonly Server[];
  /** Half of the faults begin close to these times, when most can go wrong. */
  near: readonly number[];
  /** Faults begin within this time. */
  withinMilliseconds: number;
}

const FIRST_FAULT_MILLISECONDS = 500;
const STALLS = [3_000, 9_000, 16_000, 21_000, 33_000, 45_000];
const CUTS = [700, 4_000, 11_000, 18_000, 40_000, 110_000];
const MOST_CLIENT_CUT_MILLISECONDS = 20_000;
const JUMPS = [-3_600_000, -8_000, -1_500, 1_500, 8_000, 3_600_000];
const MOST_STEPS = 6;
const NEAR_MILLISECONDS = 1_500;
const MOST_REQUESTS = 12;

export function stepsOf(random: Random, of: FaultsOf): Step[] {
  const steps = Array.from({ length: 1 + Math.floor(random() * MOST_STEPS) }, () => stepOf(random, of));
  return steps.sort((one, other) => one.at - other.at);
}

function stepOf(random: Random, of: FaultsOf): Step {
  const isNear = random() < 0.5;
  const at = isNear
    ? pick(of.near, random) + (random() - 0.7) * NEAR_MILLISECONDS
    : FIRST_FAULT_MILLISECONDS + random() * of.withinMilliseconds;
  const afterRequests = random() < 0.5 ? 0 : 1 + Math.floor(random() * MOST_REQUESTS);
  return { ...faultOf(at, random, of), afterRequests };
}

function faultOf(at: number, random: Random, { processes, clients, kinds, servers }: FaultsOf) {
  const process = Math.floor(random() * processes);
  const server = pick(servers, random);
  const kind = pick(kinds, random);
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

export const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

export function shownStep(step: Step): string {
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

export function lengthOf(step: Step): number {
  if (step.kind === "kill" || step.kind === "restart") return step.downMilliseconds;
  return step.kind === "clockJump" ? 0 : step.milliseconds;
}

export interface Failure {
  violations: string[];
  shown: string;
}

/**
 * @param run    @returns what was violated
 * @param shown  the schedule as text
 * @returns the failure with as few steps as it needs; undefined if all holds
 */
export async function tried<Schedule extends { steps: readonly Step[] }>(
  schedule: Schedule,
  run: (schedule: Schedule) => Promise<string[]>,
  shown: (schedule: Schedule) => string,
): Promise<Failure | undefined> {
  if ((await run(schedule)).length === 0) return undefined;
  let short = schedule;
  for (let at = 0; at < short.steps.length; ) {
    const without = { ...short, steps: short.steps.filter((_, index) => index !== at) };
    if ((await run(without)).length > 0) short = without;
    else at++;
  }
  const violations = await run(short);
  return { violations, shown: `${shown(short)}\n  → ${violations.join("\n  → ")}` };
}
