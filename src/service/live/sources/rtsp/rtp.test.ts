// Packets of RTP in their order, and the clock of their sender.
import { expect, test } from "vitest";
import { isGoodbye, parseRtp, RtpOrder, type RtpPacket } from "./rtp.ts";

const packet = (sequence: number, timestamp: number, source = 1): RtpPacket => ({
  ...{ payloadType: 96, isMarked: true, sequence: sequence & 0xffff, timestamp: timestamp >>> 0, source },
  payload: Buffer.alloc(1),
});

test("a header with sources, an extension and padding", () => {
  const header = Buffer.from("b261000a000000640000002a", "hex");
  const bytes = Buffer.concat([
    header,
    Buffer.alloc(8),
    Buffer.from("bede000100000000", "hex"),
    Buffer.from("abcd0002", "hex"),
  ]);
  expect(parseRtp(bytes)).toEqual({
    ...{ payloadType: 0x61, isMarked: false, sequence: 10, timestamp: 100, source: 42 },
    payload: Buffer.from("abcd", "hex"),
  });
});

test.each([
  "",
  "80",
  "00600001000000000000000a",
  "8f600001000000000000000a",
  "90600001000000000000000a",
  `a0600001000000000000000a${"ff"}`,
])("%s is no packet", (hex) => {
  expect(parseRtp(Buffer.from(hex, "hex"))).toBeUndefined();
});

test("missing packets are a loss, late ones and repetitions are left out", () => {
  const order = new RtpOrder(8_000);
  expect(order.accept(packet(65_534, 2 ** 32 - 160))).toEqual({ seconds: 0, isAfterLoss: false, isBreak: false });
  expect(order.accept(packet(65_535, 2 ** 32))).toMatchObject({ seconds: 0.02, isAfterLoss: false });
  expect(order.accept(packet(65_535, 2 ** 32))).toBeUndefined();
  expect(order.accept(packet(3, 640))).toMatchObject({ seconds: 0.1, isAfterLoss: true, isBreak: false });
  expect(order.accept(packet(1, 320))).toBeUndefined();
  expect(order.accept(packet(4, 800))).toMatchObject({ seconds: expect.closeTo(0.12), isAfterLoss: false });
});

test("packets of another payload type have numbers among those of audio, and no times", () => {
  const order = new RtpOrder(8_000);
  expect(order.accept(packet(9, 0), false)).toBeUndefined();
  order.accept(packet(1, 0));
  expect(order.accept(packet(2, 9_999_999), false)).toBeUndefined();
  expect(order.accept(packet(3, 24_000))).toEqual({ seconds: 3, isAfterLoss: false, isBreak: false });
  order.accept(packet(4, 5, 2), false);
  order.accept(packet(9_000, 5), false);
  expect(order.accept(packet(4, 24_160))).toEqual({ seconds: 3.02, isAfterLoss: false, isBreak: false });
  // A packet of audio was lost before the other one.
  order.accept(packet(6, 5), false);
  expect(order.accept(packet(7, 24_640))).toEqual({ seconds: 3.08, isAfterLoss: true, isBreak: false });
  expect(order.accept(packet(8, 24_800))).toMatchObject({ isAfterLoss: false });
});

test("another sender, and numbers that begin again, are a break: their clock states nothing about the one before", () => {
  const order = new RtpOrder(8_000);
  order.accept(packet(1, 0));
  expect(order.accept(packet(2, 160))?.seconds).toBe(0.02);
  expect(order.accept(packet(30_000, 9_999_999, 2))).toEqual({ seconds: 0.02, isAfterLoss: false, isBreak: true });
  expect(order.accept(packet(30_001, 9_999_999 + 160, 2))).toMatchObject({ seconds: 0.04, isBreak: false });
  expect(order.accept(packet(10_000, 5, 2))).toMatchObject({ seconds: 0.04, isBreak: true });
  expect(order.accept(packet(20_000, 5, 2))).toMatchObject({ isBreak: true });
});

test("a time that is hours earlier or later stays that of the sender", () => {
  const order = new RtpOrder(48_000);
  order.accept(packet(1, 0));
  expect(order.accept(packet(2, 3_600 * 48_000))?.seconds).toBe(3_600);
  expect(order.accept(packet(3, -3_600 * 48_000))?.seconds).toBe(-3_600);
});

test("a report has the loss since the last one", () => {
  const order = new RtpOrder(8_000);
  expect(order.report(7)).toBeUndefined();
  order.accept(packet(65_535, 0, 9));
  order.accept(packet(1, 320, 9));
  const report = order.report(7) as Buffer;
  expect(report.subarray(0, 8).toString("hex")).toBe("81c9000700000007");
  expect(report.readUInt32BE(8)).toBe(9);
  expect([report[12], report.readUIntBE(13, 3), report.readUInt32BE(16)]).toEqual([85, 1, 65_537]);
  order.accept(packet(2, 480, 9));
  expect([order.report(7)?.[12], order.report(7)?.readUIntBE(13, 3)]).toEqual([0, 1]);
});

test("the end of a stream is found behind other parts", () => {
  const report = Buffer.concat([Buffer.from("80c80006", "hex"), Buffer.alloc(24)]);
  expect(isGoodbye(report)).toBe(false);
  expect(isGoodbye(Buffer.concat([report, Buffer.from("81cb000100000001", "hex")]))).toBe(true);
  expect(isGoodbye(Buffer.from("81cb", "hex"))).toBe(false);
  expect(isGoodbye(Buffer.alloc(65_535))).toBe(false);
});
