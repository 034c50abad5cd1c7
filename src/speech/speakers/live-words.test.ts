// Words get speakers at once, numbers keep their meaning, and later audio corrects words.
import { expect, test } from "vitest";
import { LiveWords } from "./live-words.ts";

function counter() {
  let next = 0;
  return () => next++;
}
const word = (id: string, start: number) => ({ id, start, end: start + 0.5 });

test("speakers are numbered in the order of their words, whatever their clusters", () => {
  const words = new LiveWords(counter());
  const turns = [
    { start: 0, end: 2, speaker: 7 },
    { start: 2, end: 4, speaker: 3 },
  ];
  expect(words.assign([word("a", 1), word("b", 2.5), word("c", 1.4)], turns)).toEqual([0, 1, 0]);
});

test("a word without processed audio gets its speaker two seconds later", () => {
  const words = new LiveWords(counter());
  expect(words.assign([word("a", 1)], [])).toEqual([undefined]);
  const turns = [{ start: 0, end: 2, speaker: 0 }];
  expect(words.revise(turns, 3, []).words).toEqual([]);
  expect(words.revise(turns, 3.5, []).words).toEqual([{ id: "a", before: undefined, speaker: 0 }]);
  expect(words.revise(turns, 4, []).words).toEqual([]);
});

test("a word that was assigned too early is reported once for each change, and no more after ten seconds", () => {
  const words = new LiveWords(counter());
  const turn = (speaker: number) => [{ start: 0, end: 2, speaker }];
  words.assign([word("a", 1)], turn(0));
  expect(words.revise(turn(1), 4, []).words).toEqual([{ id: "a", before: 0, speaker: 1 }]);
  expect(words.revise(turn(1), 12, []).words).toEqual([]);
  expect(words.revise(turn(0), 13, []).words).toEqual([]);
  expect(words.state.pending).toEqual([]);
});

test("speakers that are one voice are reported as one, and the earlier number stays", () => {
  const words = new LiveWords(counter());
  const turns = [
    { start: 0, end: 2, speaker: 0 },
    { start: 2, end: 4, speaker: 1 },
  ];
  words.assign([word("a", 1), word("b", 3)], turns);
  expect(words.revise([{ start: 0, end: 4, speaker: 0 }], 20, [{ from: 1, into: 0 }])).toEqual({
    words: [],
    same: [{ from: 1, into: 0 }],
  });
});

test("where words may be guessed, one without a turn gets the speaker before it, and the first cluster that number", () => {
  const words = new LiveWords(counter());
  expect(words.assign([word("a", 0.2)], [], true)).toEqual([0]);
  const turns = [
    { start: 0, end: 2, speaker: 4 },
    { start: 2, end: 4, speaker: 5 },
  ];
  expect(words.expected([word("", 0.5), word("", 2.5)], turns)).toEqual([undefined, undefined]);
  expect(words.assign([word("b", 1), word("c", 2.5)], turns, true)).toEqual([0, 1]);
  expect(words.assign([word("d", 20)], turns, true)).toEqual([1]);
  expect(words.expected([word("", 0.5), word("", 2.5)], turns)).toEqual([0, 1]);
  expect(new LiveWords(counter(), words.state).assign([word("e", 30)], [], true)).toEqual([1]);
});

test("another process continues with the same numbers", () => {
  const words = new LiveWords(counter());
  const turns = [{ start: 0, end: 2, speaker: 5 }];
  words.assign([word("a", 1)], turns);
  const moved = new LiveWords(() => 1, JSON.parse(JSON.stringify(words.state)));
  expect(moved.assign([word("b", 0.5)], turns)).toEqual([0]);
  expect(moved.state.pending).toHaveLength(2);
});
