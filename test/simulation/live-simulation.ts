// Explores schedules of live sessions from a seed.
import { type Schedule, scheduleOf, shortened, shownSchedule } from "./live-schedule.ts";
import { LiveWorld } from "./live-world.ts";

export interface Failure {
  violations: string[];
  /** As short as it was found. */
  schedule: Schedule;
  shown: string;
}

const run = (schedule: Schedule) => new LiveWorld(schedule).run();

/** @returns the failure of a seed; undefined if all holds */
export async function tryLiveSeed(seed: number): Promise<Failure | undefined> {
  const schedule = scheduleOf(seed);
  if ((await run(schedule)).length === 0) return undefined;
  const short = await shortened(schedule, async (one) => (await run(one)).length > 0);
  const violations = await run(short);
  return { violations, schedule: short, shown: `${shownSchedule(short)}\n  → ${violations.join("\n  → ")}` };
}
