// Simulates the protocols of ownership in virtual time: npm run simulate -- --schedules N --seed S. Prints each failing seed with
// the steps that are left when all that are not needed were left out.
import { parseArgs } from "node:util";
import { tryLiveSeed } from "../test/simulation/live-simulation.ts";

const { values } = parseArgs({
  options: { schedules: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
});
const first = Number(values.seed);
const count = Number(values.schedules);
const began = performance.now();
let failures = 0;
for (let seed = first; seed < first + count; seed++) {
  const failure = await tryLiveSeed(seed);
  if (!failure) continue;
  failures++;
  process.stdout.write(`${failure.shown}\n`);
  if (failures >= 10) break;
}
const seconds = (performance.now() - began) / 1_000;
process.stdout.write(`${count} schedules, ${failures} failed, ${seconds.toFixed(1)} s\n`);
if (failures > 0) process.exitCode = 1;
