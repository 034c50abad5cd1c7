// A short run of the simulation of live sessions, the schedules that once failed, and defects that it must find.
import { expect, onTestFinished, test, vi } from "vitest";
import { Countdown } from "../../src/platform/process/countdown.ts";
import type { Closing } from "../../src/service/live/events/closing.ts";
import { FinalClosing } from "../../src/service/live/session/end/final-closing.ts";
import { type Schedule, scheduleOf, shownSchedule, tryLiveSeed } from "./live-schedule.ts";
import { LiveWorld } from "./live-world.ts";
import { NatsServers } from "./nats-servers.ts";

const SCHEDULES = 150;
const FIRST_SEED = 20_261_128;
/** A defect shows itself within so many schedules. */
const MOST_SCHEDULES = 400;

const session = { processes: 1, clients: 1, chunkMilliseconds: [400] };

/** @returns what the first failing schedule violates */
async function firstViolation(): Promise<string> {
  for (let seed = 1; seed <= MOST_SCHEDULES; seed++) {
    const failure = await tryLiveSeed(seed);
    if (failure) return failure.shown;
  }
  return "";
}

test("random stalls, cuts, kills and clock jumps lose nothing, end no session twice and none early", async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
    const failure = await tryLiveSeed(seed);
    expect(failure?.shown).toBeUndefined();
  }
});

test("a schedule gives the same events whenever it runs", async () => {
  const world = () => new LiveWorld(scheduleOf(7));
  const [first, second] = [world(), world()];
  expect([await first.run(), await second.run()]).toEqual([[], []]);
  expect(first.events).toBe(second.events);
  expect(shownSchedule(scheduleOf(7))).toBe(shownSchedule(scheduleOf(7)));
});

const FOUND: [string, Schedule][] = [
  [
    "a client whose connection failed because the database was down is away, not idle",
    {
      ...{ seed: 9_947, processes: 1, clients: 2, ends: [19_000, 23_200], chunkMilliseconds: [4_000, 4_000] },
      steps: [
        {
          at: 523.843_784_583_732_5,
          afterRequests: 0,
          kind: "cut",
          process: 0,
          server: "database",
          milliseconds: 110_000,
        },
      ],
    },
  ],
  [
    "an outage of the database is no absence of the client",
    {
      ...{ ...session, seed: 385, ends: [7_200] },
      steps: [
        { at: 6_700, afterRequests: 0, kind: "cutClient", client: 0, milliseconds: 14_400 },
        { at: 7_600, afterRequests: 0, kind: "cut", process: 0, server: "database", milliseconds: 110_000 },
      ],
    },
  ],
];

test.each(FOUND)("%s", async (_, schedule) => {
  expect(await new LiveWorld(schedule).run()).toEqual([]);
});

test("an owner that is stopped while it stores an end does not overwrite the result of the next one", async () => {
  // Between which two requests of its end the process is stopped.
  for (let afterRequests = 1; afterRequests <= 30; afterRequests++) {
    const stall = {
      at: 5_000,
      afterRequests,
      kind: "stall",
      process: 0,
      milliseconds: 45_000,
      isFrozen: true,
    } as const;
    for (const process of [0, 1]) {
      const world = new LiveWorld({
        ...{ seed: afterRequests, processes: 2, clients: 1, ends: [5_000], chunkMilliseconds: [400] },
        steps: [{ ...stall, process }],
      });
      expect(await world.run()).toEqual([]);
    }
  }
});

test("the simulation finds a countdown that counts the stalls of its process", async () => {
  const prototype = Countdown.prototype as unknown as { end(): void };
  const end = vi.spyOn(prototype, "end").mockImplementation(function (this: unknown) {
    const countdown = this as { remaining: number; slice: number; due: number; isRunning: boolean } & {
      run(): void;
      expired(): void;
    };
    countdown.remaining -= countdown.slice + Math.max(0, performance.now() - countdown.due);
    if (countdown.remaining > 0) {
      countdown.run();
      return;
    }
    countdown.isRunning = false;
    countdown.expired();
  });
  onTestFinished(() => end.mockRestore());
  expect(await firstViolation()).toContain("session ended, no frame was received for too long");
});

test("the simulation finds a stop that is reported as complete whatever was stored", async () => {
  const prototype = FinalClosing.prototype as unknown as { closing(): Closing };
  const closing = vi.spyOn(prototype, "closing").mockImplementation(() => ({ kind: "complete" }));
  onTestFinished(() => closing.mockRestore());
  const away: Schedule = {
    ...{ ...session, seed: 1, ends: [9_000] },
    steps: [{ at: 5_000, afterRequests: 0, kind: "cutClient", client: 0, milliseconds: 80_000 }],
  };
  expect((await new LiveWorld(away).run()).join()).toContain('received "complete", but of');
});

test("the simulation finds logs that store what a former owner writes", async () => {
  const fence = vi.spyOn(NatsServers.prototype, "isPredecessor").mockImplementation(() => true);
  onTestFinished(() => fence.mockRestore());
  expect(await firstViolation()).not.toBe("");
});
