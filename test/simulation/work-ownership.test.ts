// A short run of the simulation of recorded jobs and callbacks, the schedules that once failed, and defects that it must find.
import { expect, onTestFinished, test, vi } from "vitest";
import { CallbackSender } from "../../src/service/callbacks/sender.ts";
import { MemoryRows } from "./memory-rows.ts";
import { scheduleOf, shownSchedule, tryWorkSeed } from "./work-schedule.ts";
import { WorkWorld } from "./work-world.ts";

const SCHEDULES = 150;
const FIRST_SEED = 20_261_128;
/** A defect shows itself within so many schedules. */
const MOST_SCHEDULES = 1_500;

/** @returns what the first failing schedules violate */
async function violations(isFound: (violation: string) => boolean): Promise<string> {
  let last = "";
  for (let seed = 1; seed <= MOST_SCHEDULES; seed++) {
    const [violation] = await new WorkWorld(scheduleOf(seed)).run();
    if (violation !== undefined) last = violation;
    if (violation !== undefined && isFound(violation)) return violation;
  }
  return last;
}

/** Changes statements until the end of the test. */
function rewriting(rewrite: (text: string) => string): void {
  MemoryRows.rewrite = rewrite;
  onTestFinished(() => {
    MemoryRows.rewrite = undefined;
  });
}

test("random stalls, cuts, kills and clock jumps lose no job and no callback, and no job ends twice", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const failure = await tryWorkSeed(seed);
    expect(failure?.shown).toBeUndefined();
  }
});

test("a schedule gives the same events whenever it runs", async () => {
  const world = () => new WorkWorld(scheduleOf(7));
  const [first, second] = [world(), world()];
  expect([await first.run(), await second.run()]).toEqual([[], []]);
  expect(first.events).toBe(second.events);
  expect(shownSchedule(scheduleOf(7))).toBe(shownSchedule(scheduleOf(7)));
});

test.each([
  ["a sender whose claim expired while it was stopped does not free the claim of the next one", 25],
  ["a sender whose claim expired while it was stopped does not return a delivered callback to the queue", 595],
])("%s", async (_, seed) => {
  expect(await new WorkWorld(scheduleOf(seed)).run()).toEqual([]);
});

const DEFECTS: [string, (text: string) => string, RegExp][] = [
  [
    "writes without the worker and the attempt that hold the job",
    (text) => text.replace(/"jobs"\."worker" = \$\d+ and "jobs"\."attempt" = \$\d+ and/, ""),
    /, which m\d#\d holds|attempt \d+ wrote|is the result of attempt|changed from|ended 2 times|another result/,
  ],
  [
    "a job that ends whatever its state is",
    (text) =>
      text.startsWith('update "jobs"') && text.includes('"completed_at" =')
        ? text.replace(/ where "id" = (\$\d+).*$/s, ' where "id" = $1')
        : text,
    /changed from|ended 2 times/,
  ],
  [
    "a recovery of jobs that its own process runs",
    (text) => text.replaceAll("not (id = any (", "not (false and id = any ("),
    /recovered .*, which it runs/,
  ],
  [
    "leases that are compared with the clock of the process",
    (text) => text.replaceAll("lease_until < now()", "lease_until < clock_of_process()"),
    /was recovered before its lease expired/,
  ],
  [
    "a claim that ignores the limit of the account",
    (text) =>
      text
        .replace(/(most_running is null and )?running < \$\d+::integer/g, "true")
        .replace(/lanes\.running < coalesce\(lanes\.most_running, \$\d+::integer\)/, "true"),
    /jobs run; the limit is/,
  ],
  [
    "two senders of the callbacks of one job",
    (text) => text.replace('("due"."claimed_until" is null or "due"."claimed_until" < now())', "true"),
    /ended or took the claim/,
  ],
  [
    "callbacks in another order",
    (text) => text.replace('order by "deliveries"."sequence"', 'order by "deliveries"."sequence" desc'),
    /arrived before/,
  ],
];

test.each(DEFECTS)("the simulation finds %s", async (_, rewrite, violation) => {
  let changed = 0;
  rewriting((text) => {
    const next = rewrite(text);
    if (next !== text) changed++;
    return next;
  });
  expect(await violations((found) => violation.test(found))).toMatch(violation);
  expect(changed).toBeGreaterThan(0);
});

test("the simulation finds callbacks that are recorded as delivered without an answer", async () => {
  const prototype = CallbackSender.prototype as unknown as { outcomeOf(): { kind: "delivered" } };
  const outcome = vi.spyOn(prototype, "outcomeOf").mockImplementation(() => ({ kind: "delivered" }));
  onTestFinished(() => outcome.mockRestore());
  const expected = "is delivered, but its receiver did not accept it";
  expect(await violations((found) => found.includes(expected))).toContain(expected);
});
