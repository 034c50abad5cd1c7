import { expect, test } from "vitest";
import { loadStageLog } from "./load-stage-log.ts";
import { type LoadStage, PartialPace } from "./partial-pace.ts";

function paceWithClock() {
  const clock = { now: 0 };
  const pace = new PartialPace(() => clock.now);
  const stages: LoadStage[] = [];
  pace.onStage((stage) => stages.push(stage));
  /** One final in each tenth of a second. */
  const pass = (seconds: number, final: number, detection = 3) => {
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      clock.now += 100;
      pace.add("detection", detection);
      pace.add("final", final);
    }
  };
  return { clock, pace, stages, pass };
}

test("partials stay frequent while finals are in time", () => {
  const { pace, stages, pass } = paceWithClock();
  pass(60, 100);
  expect(pace.level.stage).toBe("normal");
  expect(stages).toEqual([]);
});

test("partials become rarer while finals are late, then recordings give way, and both are taken back in turn", () => {
  const { clock, pace, stages, pass } = paceWithClock();
  const { stepSeconds } = pace.level;
  pass(3, 900);
  expect(pace.level.stage).toBe("fewer-partials");
  expect(pace.level.stepSeconds).toBeGreaterThan(stepSeconds);
  pass(10, 900);
  expect(pace.level.stage).toBe("fewer-recordings");
  pass(60, 100);
  expect(pace.level).toMatchObject({ stage: "normal", stepSeconds });
  expect(stages).toEqual(["fewer-partials", "fewer-recordings", "fewer-partials", "normal"]);
  pass(10, 900);
  // All sessions end, so that nothing more is measured.
  for (let second = 0; second < 30; second++) {
    clock.now += 1_000;
    void pace.level;
  }
  expect(pace.level.stage).toBe("normal");
});

test("late voice activity is load, too; a single late answer is not", () => {
  const { pace, pass } = paceWithClock();
  pass(5, 100);
  pace.add("detection", 400);
  pass(2, 100);
  expect(pace.level.stage).toBe("normal");
  pass(10, 100, 150);
  expect(pace.level.stage).not.toBe("normal");
});

test("the log has changes of the stage, and at most one in 30 s with the level info", () => {
  const lines: string[] = [];
  let now = 0;
  const log = loadStageLog(
    {
      info: ({ stage }: { stage: LoadStage }) => lines.push(`info ${stage}`),
      debug: ({ stage }: { stage: LoadStage }) => lines.push(`debug ${stage}`),
    } as never,
    () => now,
  );
  log("fewer-partials");
  now += 1_000;
  log("normal");
  now += 30_000;
  log("fewer-partials");
  expect(lines).toEqual(["info fewer-partials", "debug normal", "info fewer-partials"]);
});
