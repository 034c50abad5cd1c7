import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { forEachTask, grouped, type SegmentTask, tasksInFlight } from "./segment-recognition.ts";
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

test("after a crash, only the tasks that may have been in flight are suspect", async () => {
  const capacity = 2;
  const { signal } = new AbortController();
  const context = {
    priority: "suspect",
    hasCrashed: true,
    signal,
    services: { recognition: { capacity } },
  } as unknown as StageContext;
  const priorities: string[] = [];
  await forEachTask([0, 1, 2, 3, 4, 5, 6], context, async (task, { priority }) => {
    priorities[task] = priority;
  });
  const suspects = Array<string>(tasksInFlight(capacity)).fill("suspect");
  expect(priorities).toEqual([...suspects, ...Array<string>(7 - suspects.length).fill("recorded")]);
});
