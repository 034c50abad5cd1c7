import { expect, test } from "vitest";
import { SentOnce } from "./sent-once.ts";
import { noField, unknownNames } from "./unknown-names.ts";

const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `field${from + at}`);

test("every unknown field of a message is named", () => {
  const message = Object.fromEntries(["type", ...names(30)].map((name) => [name, 1]));
  expect(unknownNames(message, ["type"], (name) => name)).toEqual(names(30));
  expect(unknownNames("text", ["type"], (name) => name)).toEqual([]);
});

test("a warning is sent once", () => {
  const sent = new SentOnce();
  expect(sent.fresh(["a", "b", "a"])).toEqual(["a", "b"]);
  expect(sent.fresh(["b", "c"])).toEqual(["c"]);
  expect(sent.all).toEqual(["a", "b", "c"]);
});

test("too many warnings are counted in one more, which stands among those of the session, too", () => {
  const sent = new SentOnce();
  const first = sent.fresh(names(62).map(noField));
  expect(first).toHaveLength(51);
  expect(first.at(-1)).toBe("12 more warnings are not listed, nor are later ones");
  expect(sent.all).toEqual(first);
  expect(sent.fresh(names(5, 100).map(noField))).toEqual([]);
});

test("fifty warnings are sent as they are, and a later one is counted", () => {
  const sent = new SentOnce();
  expect(sent.fresh(names(50))).toEqual(names(50));
  expect(sent.fresh(["field3"])).toEqual([]);
  expect(sent.fresh(["field50"])).toEqual(["1 more warning is not listed, nor are later ones"]);
});
