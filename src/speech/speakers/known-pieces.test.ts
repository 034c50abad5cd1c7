import { expect, test } from "vitest";
import { knownPieces } from "./known-pieces.ts";
import type { KnownPerson } from "./known-voices.ts";

const person = (name: string, ...print: number[]): KnownPerson => ({
  id: name,
  name,
  prints: [Float32Array.from(print)],
  seconds: [10],
});
const LONG = { start: 0, end: 200 };
const SHORT = { start: 0, end: 30 };
const voiced = (...given: [piece: typeof LONG, x: number, y: number][]) => ({
  pieces: given.map(([piece]) => piece),
  voices: Float32Array.from(given.flatMap(([, x, y]) => [x, y])),
  dimensions: 2,
});

test("pieces of one known person attract, those of another person repel, and short or unclear ones do neither", () => {
  const pieces = voiced([LONG, 1, 0], [LONG, 0.9, 0.436], [LONG, 0, 1], [SHORT, 0, 1], [LONG, 0.4, 0.917]);
  const { change, ownerOf, isOther } = knownPieces(pieces, [person("Maria", 1, 0)]);
  expect(change(0, 1)).toBeLessThan(0);
  expect(change(0, 2)).toBeGreaterThan(0);
  expect(change(2, 0)).toBe(change(0, 2));
  expect(change(0, 3)).toBe(0);
  expect(change(0, 4)).toBe(0);
  expect(change(2, 4)).toBe(0);
  expect([0, 1, 2, 3, 4].map(ownerOf)).toEqual([0, 0, undefined, undefined, undefined]);
  expect([0, 1, 2, 3, 4].map((piece) => isOther(piece, 0))).toEqual([false, false, true, false, false]);
});

test("two known people are apart, and people of another model change nothing", () => {
  const pieces = voiced([LONG, 1, 0], [LONG, 0, 1]);
  expect(knownPieces(pieces, [person("Maria", 1, 0), person("Ana", 0, 1)]).change(0, 1)).toBeGreaterThan(0);
  expect(knownPieces(pieces, [person("Old", 1, 0, 0)]).change(0, 1)).toBe(0);
  expect(knownPieces(pieces, []).change(0, 1)).toBe(0);
});
