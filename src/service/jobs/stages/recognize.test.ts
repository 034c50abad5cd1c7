import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { RecognizerCapabilities } from "../../../speech/recognition/recognizer.ts";
import { groupsOf, neededTasks } from "./recognize.ts";
import { type SegmentTask, taskName } from "./segment-recognition.ts";
import type { StageContext } from "./stage.ts";

const task = (start: number): SegmentTask => ({
  channel: 0,
  segment: { startSample: start * SAMPLE_RATE, endSample: (start + 1) * SAMPLE_RATE },
});

test("the order of the groups is the same when some segments are finished", async () => {
  const all = [task(0), task(10), task(20), task(30)] as const;
  // Only the first and the third segment are English.
  const modelOf = ({ segment }: SegmentTask) => (segment.startSample % (20 * SAMPLE_RATE) === 0 ? "english" : "other");
  const asked: string[] = [];
  const capabilitiesOf = async (model: string) => {
    asked.push(model);
    return { bearsPauses: model === "other" } as RecognizerCapabilities;
  };
  const namesOf = async (waiting: readonly SegmentTask[]) => {
    const readingFor = (one: SegmentTask) => ({ model: modelOf(one), languages: [] });
    const groups = await groupsOf(waiting, all, { services: { recognition: { capabilitiesOf } } }, readingFor);
    return groups.map(({ channel, segments }) => taskName({ channel, segment: segments[0] }));
  };
  const [first, second, third, fourth] = all;
  const [left, right] = [third, second].map(taskName);
  expect(await namesOf(all)).toEqual([taskName(first), left, right, taskName(fourth)]);
  expect(await namesOf([second, third, fourth])).toEqual([left, right, taskName(fourth)]);
  asked.length = 0;
  expect(await namesOf([fourth])).toEqual([taskName(fourth)]);
  expect(asked).toEqual(["other"]);
});

test("a request that needs the language alone examines the beginning of each channel", () => {
  const ofChannel = (channel: number) => Array.from({ length: 90 }, (_, at) => ({ ...task(at), channel }));
  const all = [...ofChannel(0), ...ofChannel(1)];
  const context = (params: object) => ({ job: { params } }) as unknown as StageContext;
  const counts = (detectsItself: boolean) => {
    const needed = neededTasks(all, context({ detects_only: true }), detectsItself);
    return [0, 1].map((channel) => needed.filter((one) => one.channel === channel).length);
  };
  expect(counts(true)).toEqual([4, 4]);
  expect(counts(false)).toEqual([60, 60]);
  expect(neededTasks(all, context({}), true)).toBe(all);
});
