import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { RecognizerCapabilities } from "../../../speech/recognition/recognizer.ts";
import { groupsOf } from "./recognize.ts";
import { type SegmentTask, taskName } from "./segment-recognition.ts";

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
