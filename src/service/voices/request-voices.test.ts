import { expect, test } from "vitest";
import { RequestVoices } from "./request-voices.ts";

const PEOPLE = [{ name: "Ann", print: [0.6, 0.8], seconds: 2 }];

test("voices of a request are sealed with the operator's key, and opened with it or the next one", () => {
  const sealed = new RequestVoices("first").seal(PEOPLE);
  expect(sealed).not.toMatch(/Ann|0\.6/);
  expect(new RequestVoices("first").open(sealed)).toEqual(PEOPLE);
  expect(new RequestVoices("second", "first").open(sealed)).toEqual(PEOPLE);
  expect(new RequestVoices("another").open(sealed)).toBeUndefined();
});

test("without a key, only the process that sealed them opens them", () => {
  const voices = new RequestVoices("");
  const sealed = voices.seal(PEOPLE);
  expect(sealed).not.toMatch(/Ann|0\.6/);
  expect(voices.open(sealed)).toEqual(PEOPLE);
  expect(new RequestVoices("").open(sealed)).toBeUndefined();
});
