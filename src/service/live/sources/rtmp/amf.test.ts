// Values of commands, and what hostile servers send in their place.
import { expect, test } from "vitest";
import { fieldOf, readValues, type Value, writeValues } from "./amf.ts";

test("values are read as they were written", () => {
  const values: Value[] = [
    "connect",
    1,
    null,
    true,
    new Map<string, Value>([
      ["a", ["x", 2.5]],
      ["", false],
    ]),
    "é".repeat(10),
  ];
  expect(readValues(writeValues(values))).toEqual(values);
});

test("maps, dates, long texts and undefined", () => {
  const map = Buffer.from(`08ffffffff${"0001610005"}${"000009"}`.replace("0005", "05"), "hex");
  const date = Buffer.concat([Buffer.of(11), Buffer.alloc(10)]);
  const text = Buffer.from("0c00000003616263", "hex");
  expect(readValues(Buffer.concat([map, date, text, Buffer.of(6)]))).toEqual([new Map([["a", null]]), 0, "abc", null]);
});

test("fields of prototypes are those of the sender", () => {
  const [value] = readValues(writeValues([new Map([["__proto__", "x"]])]));
  expect(fieldOf(value, "__proto__")).toBe("x");
  expect(fieldOf(value, "constructor")).toBeUndefined();
  expect(fieldOf("text", "length")).toBeUndefined();
});

test("damaged values end the list", () => {
  const whole = writeValues(["a", new Map<string, Value>([["b", [1, new Map([["c", "d"]])]]])]);
  for (let length = 0; length < whole.length; length++)
    expect(readValues(whole.subarray(0, length)).length).toBeLessThan(2);
  expect(readValues(Buffer.concat([writeValues([1]), Buffer.from("11", "hex"), writeValues([2])]))).toEqual([1]);
});

test("depth, number and declared lengths of values are bounded, and the greatest message is read in linear time", () => {
  const since = performance.now();
  expect(readValues(Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from("0a00000001", "hex"))))).toEqual([]);
  expect(readValues(Buffer.from("0affffffff0505", "hex"))).toEqual([]);
  expect(readValues(Buffer.from("0cffffffff61", "hex"))).toEqual([]);
  expect(readValues(Buffer.alloc(65_536, 5)).length).toBe(1_000);
  readValues(Buffer.concat([Buffer.of(3), Buffer.alloc(65_000, 1)]));
  expect(performance.now() - since).toBeLessThan(5_000);
});
