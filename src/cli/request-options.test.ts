import { expect, test } from "vitest";
import { type RequestOptions, requestOf, unusedSwitching } from "./request-options.ts";

const of = (options: Partial<RequestOptions>) => requestOf({ language: "", numerals: true, ...options });

test.each([
  ["90", 90],
  ["0.25", 0.25],
  ["1:30", 90],
  ["01:02.5", 62.5],
  ["1:02:30", 3_750],
  ["100:00:00", 360_000],
])("--from %s is %d s", (from, start) => {
  expect(of({ from }).audio_range).toEqual({ start });
});

test("--to is the end, and without both the recording is transcribed as a whole", () => {
  expect(of({ to: "2:00" }).audio_range).toEqual({ end: 120 });
  expect(of({ from: "5", to: "2:00" }).audio_range).toEqual({ start: 5, end: 120 });
  expect(of({})).not.toHaveProperty("audio_range");
});

test.each(["", "-1", "1:5", "1:60:00", "1:2:3", "1h", "1:30:", ":30", "5,5", "1e3", " 5"])(
  "--to %j is refused",
  (to) => {
    expect(() => of({ to })).toThrow(`--to takes a time such as 90, 1:30 or 1:02:30.5; it is ${to}`);
  },
);

test("--switching beside a single language is named", () => {
  const [one, several, any] = ["en", "en,de", ""].map((language) => unusedSwitching({ language, switching: true }));
  expect(one).toEqual(["--switching has no effect where --language names a single language"]);
  expect([several, any, unusedSwitching({ language: "en" })]).toEqual([[], [], []]);
});
