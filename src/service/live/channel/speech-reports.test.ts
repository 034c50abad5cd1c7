import { expect, test } from "vitest";
import { SpeechReports } from "./speech-reports.ts";

test("a voice without words that two examinations find is reported once", () => {
  const ranges: [number, number][] = [];
  const ignore = () => undefined;
  const unrecognized = (_: number, range: [number, number]) => void ranges.push(range);
  const events = { speechStart: ignore, speechEnd: ignore, enhanced: ignore, unrecognized };
  const reports = new SpeechReports({ channel: 0 }, events, undefined, undefined);
  const stretch = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
  reports.unrecognized([stretch(2, 3), stretch(5, 6)]);
  reports.unrecognized([stretch(2.5, 4), stretch(4.2, 4.9)]);
  reports.unrecognized([stretch(500, 501)]);
  expect(ranges).toEqual([
    [2, 3],
    [5, 6],
    [4.2, 4.9],
    [500, 501],
  ]);
});
