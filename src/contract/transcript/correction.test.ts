import { expect, test } from "vitest";
import { type Correction, hasSpeakersOfPeople } from "./correction.ts";

const correction = (change: Partial<Correction>): Correction => ({
  id: "1",
  created_at: "2026-01-02T10:00:00.000Z",
  made_by: "key",
  undone_at: null,
  undone_by: null,
  ...change,
});

test("speakers that a request for add-ons found are not those of people, and names that people gave them are", () => {
  const found = correction({ id: "request", utterances: [{ index: 0, speaker: 1 }] });
  const named = correction({ id: "2", speakers: [{ speaker: 1, name: "Ada" }] });
  const requests = new Set(["request"]);
  expect(hasSpeakersOfPeople([found], requests)).toBe(false);
  expect(hasSpeakersOfPeople([found], new Set())).toBe(true);
  expect(hasSpeakersOfPeople([found, named], requests)).toBe(true);
  expect(hasSpeakersOfPeople([{ ...named, undone_at: "2026-01-02T11:00:00.000Z" }], requests)).toBe(false);
  expect(hasSpeakersOfPeople([correction({ utterances: [{ index: 0, text: "Hello" }] })], requests)).toBe(false);
});
