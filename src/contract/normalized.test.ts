import { expect, test } from "vitest";
import { normalized } from "./normalized.ts";

test.each([
  ["cafe\u0301", "NFC", "café"],
  ["café", "NFD", "cafe\u0301"],
  ["ﬁ Ａ", "NFKC", "fi A"],
  ["เก้าอี้", "NFC", "เก้าอี้"],
  ["각", "NFC", "각"],
] as const)("%j is normalized", (text, form, expected) => {
  expect(normalized(text, form)).toBe(expected);
});

test("of the marks behind a letter, thirty are kept", () => {
  expect([...normalized(`a${"\u0300\u0316".repeat(500)}b${"\u0316".repeat(30)}`, "NFD")]).toHaveLength(1 + 30 + 1 + 30);
});

test("a text of marks alone takes a short time", () => {
  const text = "\u0300\u0316".repeat(250_000);
  const before = performance.now();
  for (const form of ["NFC", "NFD", "NFKC"] as const) normalized(text, form);
  expect(performance.now() - before).toBeLessThan(1_000);
});
