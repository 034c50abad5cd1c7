import { describe, expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { forEachTask, grouped, type SegmentTask, type TaskOrder, tasksInFlight } from "./segment-recognition.ts";
import type { StageContext } from "./stage.ts";

const task = (channel: number, start: number, end: number): SegmentTask => ({
  channel,
  segment: { startSample: start * SAMPLE_RATE, endSample: end * SAMPLE_RATE },
});
const secondsOf = (groups: ReturnType<typeof grouped>) =>
  groups.map(({ startSample, endSample }) => [startSample / SAMPLE_RATE, endSample / SAMPLE_RATE]);

test("neighbouring segments are one group, with a margin", () => {
  const all = [task(0, 2, 4), task(0, 5, 7), task(1, 2, 4)];
  const groups = grouped(all, all, () => true);
  expect(groups.map(({ segments }) => segments.length)).toEqual([2, 1]);
  expect(secondsOf(groups)).toEqual([
    [1, 8],
    [1, 5],
  ]);
});

test("a group ends where the next segment is recognised otherwise, or already", () => {
  const [first, between, last] = [task(0, 2, 4), task(0, 4.4, 5), task(0, 5.6, 7)];
  const groups = grouped([first, last], [first, between, last], () => true);
  expect(secondsOf(groups)).toEqual([
    [1, 4.2],
    [5.3, 8],
  ]);
  expect(secondsOf(grouped([first, between, last], [first, between, last], (_, right) => right !== last))).toEqual([
    [1, 5.3],
    [5.3, 8],
  ]);
});

describe("after a crash", () => {
  const capacity = 2;
  const prioritiesIn = async (hasCrashed: boolean, loop?: TaskOrder) => {
    const { signal } = new AbortController();
    const services = { recognition: { capacity } };
    const context = { priority: "suspect", hasCrashed, signal, services } as unknown as StageContext;
    const priorities: string[] = [];
    const note = async (task: number, { priority }: StageContext) => {
      priorities[task] = priority;
    };
    await forEachTask([0, 1, 2, 3, 4, 5, 6], context, note, loop);
    return priorities;
  };
  const all = Array<string>(7).fill("suspect");

  test("only the tasks that may have been in flight are suspect, if a log has the finished ones", async () => {
    const suspects = Array<string>(tasksInFlight(capacity)).fill("suspect");
    const others = Array<string>(7 - suspects.length).fill("recorded");
    expect(await prioritiesIn(true, { isLogged: true })).toEqual([...suspects, ...others]);
  });

  test("all tasks are suspect without a log, and after a crash in an earlier attempt", async () => {
    expect(await prioritiesIn(true)).toEqual(all);
    expect(await prioritiesIn(false, { isLogged: true })).toEqual(all);
  });
});
