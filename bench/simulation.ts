// Simulates the ownership of live sessions in virtual time: npm run simulate -- --schedules N --seed S. Prints each failing seed with the
// steps that remain when those without which it still fails are left out.
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Failure } from "../test/simulation/faults.ts";
import { tryLiveSeed } from "../test/simulation/live-schedule.ts";
import { tryWorkSeed } from "../test/simulation/work-schedule.ts";

/** A process stops after so many failures: the first ones are enough to work with. */
const MOST_FAILURES = 5;

const { values } = parseArgs({
  options: {
    schedules: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
    of: { type: "string", default: "all" },
    processes: { type: "string", default: String(availableParallelism()) },
  },
});
const [schedules, seed, processes] = [values.schedules, values.seed, values.processes].map(Number);
if (!schedules || !Number.isSafeInteger(seed) || !processes) {
  throw new Error("pass whole numbers: --schedules N --seed S --processes P");
}

const TRIALS: Readonly<Record<string, (seed: number) => Promise<Failure | undefined>>> = {
  live: tryLiveSeed,
  work: tryWorkSeed,
  all: (seed) => (seed % 2 === 0 ? tryLiveSeed(seed) : tryWorkSeed(seed)),
};
const trySeed = TRIALS[values.of];
if (!trySeed) throw new Error(`pass --of ${Object.keys(TRIALS).join(", ")}`);

/** @returns the number of failures */
async function explore(first: number, count: number): Promise<number> {
  let failures = 0;
  for (let at = first; at < first + count && failures < MOST_FAILURES; at++) {
    const failure = await (trySeed as NonNullable<typeof trySeed>)(at);
    if (!failure) continue;
    failures++;
    process.stdout.write(`${failure.shown}\n`);
  }
  return failures;
}

/** Runs schedules in a separate process. @returns whether all of them hold */
async function exploreApart(first: number, count: number): Promise<boolean> {
  const given = ["--schedules", String(count), "--seed", String(first), "--processes", "1", "--of", values.of];
  const [code] = await once(fork(fileURLToPath(import.meta.url), given), "exit");
  return code === 0;
}

if (processes === 1) {
  process.exitCode = (await explore(seed as number, schedules)) > 0 ? 1 : 0;
} else {
  const began = performance.now();
  const share = Math.ceil(schedules / processes);
  const firsts = Array.from({ length: processes }, (_, at) => (seed as number) + at * share);
  const held = await Promise.all(firsts.map((first) => exploreApart(first, share)));
  const seconds = (performance.now() - began) / 1_000;
  const outcome = held.every(Boolean) ? "all hold" : "some fail, see above";
  process.stdout.write(`${share * processes} schedules in ${seconds.toFixed(1)} s: ${outcome}\n`);
  if (!held.every(Boolean)) process.exitCode = 1;
}
