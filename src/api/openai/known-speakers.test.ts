import { expect, test } from "vitest";
import { judgeKnownSpeakers, MOST_REFERENCE_BYTES } from "./known-speakers.ts";

const PREFIX = "data:audio/wav;base64,";

test("a reference of white space is refused in linear time", () => {
  const problems: string[] = [];
  const size = MOST_REFERENCE_BYTES / 60;
  const before = process.cpuUsage();
  judgeKnownSpeakers(["Ann"], [`${PREFIX}${" ".repeat(size)}!`], problems);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
  expect(problems.join()).toContain("known_speaker_references[0] must be a data URL");
});

test("white space in and after the base64 is allowed", () => {
  const problems: string[] = [];
  const known = judgeKnownSpeakers(["Ann"], [`${PREFIX}aGVs\r\nbG8=\r\n`], problems);
  expect(problems).toEqual([]);
  expect(known.map(({ audio }) => audio.toString())).toEqual(["hello"]);
});

test("a name that is given twice does not fill the message", () => {
  const problems: string[] = [];
  const name = "n".repeat(100_000);
  judgeKnownSpeakers([name, name], [`${PREFIX}aGVsbG8=`, `${PREFIX}aGVsbG8=`], problems);
  expect(problems.join().length).toBeLessThan(1_000);
});
