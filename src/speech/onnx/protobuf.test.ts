import { expect, test } from "vitest";
import { bytesField, readFields, stringsOf, varintField, writeVarint } from "./protobuf.ts";

test("fields are read with their numbers, payloads and exact bytes", () => {
  const message = Buffer.concat([varintField(1, 300), bytesField(2, "name"), bytesField(2, [varintField(9, 1)])]);
  const fields = readFields(message);
  expect(fields.map((field) => field.number)).toEqual([1, 2, 2]);
  expect(stringsOf(fields, 2)[0]).toBe("name");
  expect(Buffer.concat(fields.map((field) => field.raw)).equals(message)).toBe(true);
});

test("numbers above 32 bits are preserved", () => {
  expect([...writeVarint(2 ** 35)]).toEqual([0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);
});

test("a truncated message is refused", () => {
  expect(() => readFields(bytesField(1, "complete").subarray(0, 4))).toThrow(RangeError);
  expect(() => readFields(Uint8Array.of(0x80))).toThrow(RangeError);
});
