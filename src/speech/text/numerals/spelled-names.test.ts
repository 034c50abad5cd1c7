import { describe, expect, test } from "vitest";
import { spokenUtterance } from "../../../../test/fixtures/number-pairs.ts";
import { withNumerals } from "./numerals.ts";

const write = (spoken: string) => withNumerals(spokenUtterance(spoken)).text;

describe("names that are spelled letter by letter", () => {
  test.each([
    ["My name is S M I T H.", "My name is SMITH."],
    ["My name is S, M, I, T, H.", "My name is SMITH."],
    ["my name is S, M, I, T, H", "my name is SMITH"],
    ["S, M, I, T, H.", "SMITH."],
    ["N A S A.", "NASA."],
    ["Made in the U S A.", "Made in the USA."],
    ["It's spelled J O H N. Then D O E.", "It's spelled JOHN. Then DOE."],
    ['"I work for the C I A."', '"I work for the CIA."'],
    ["Smith, that's S, M, I, T, H.", "Smith, that's SMITH."],
    ["The capital is P, A, R, I, S, Paris.", "The capital is PARIS, Paris."],
    ["My last is G, A, R, C, I, A.", "My last is GARCIA."],
    ["Her name is Zoe, spelled Z, O, E.", "Her name is Zoe, spelled ZOE."],
    ["The license plate is X, Y, Z, W", "The license plate is XYZW"],
  ])("%s", (said, written) => {
    expect(write(said)).toBe(written);
  });

  test.each([
    "J. R. R. Tolkien wrote it.",
    "The plan A. I think so.",
    "Vitamins A, D, E, K are fat soluble.",
    "Vitamins A D E K are fat soluble.",
    "I got an A, B, A, C on my tests.",
    "In my last year I got an A, C, B, A.",
    "Answers: B, D, A, C, B.",
    "B, D, A, C, B.",
    "Options A, C, E, F are open.",
    "I take the A, C, E, F trains.",
  ])("initials and lists of letters stay: %s", (said) => {
    expect(write(said)).toBe(said);
  });
});
