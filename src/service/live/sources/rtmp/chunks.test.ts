// Messages in chunks, and what hostile servers announce.

import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { SocketReader } from "../packets/socket-reader.ts";
import { Chunks, MESSAGE, type Message, messageBytes } from "./chunks.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** @returns the messages of a server that sends these bytes, and why reading ended */
async function messagesOf(bytes: Buffer, most = 100): Promise<{ messages: Message[]; reason: string }> {
  const server = createServer((socket) => socket.end(bytes).on("error", () => undefined)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => server.close());
  const socket: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  closing.push(() => socket.destroy());
  const chunks = new Chunks(new SocketReader(socket, new AbortController().signal));
  const messages: Message[] = [];
  try {
    while (messages.length < most) messages.push(await chunks.next());
    return { messages, reason: "" };
  } catch (thrown) {
    return { messages, reason: (thrown as Error).message };
  }
}

interface Header {
  format?: number;
  id?: number;
  time?: number;
  length?: number;
  type?: number;
}
function header({ format = 0, id = 4, time = 0, length = 0, type = MESSAGE.audio }: Header): Buffer {
  const short = id < 64 ? [id] : id < 320 ? [0, id - 64] : [1, (id - 64) & 255, (id - 64) >> 8];
  const bytes = Buffer.alloc(11);
  bytes.writeUIntBE(Math.min(time, 0xffffff), 0, 3);
  bytes.writeUIntBE(length, 3, 3);
  bytes[6] = type;
  bytes.writeUInt32LE(1, 7);
  const extended = Buffer.alloc(time >= 0xffffff && format < 3 ? 4 : 0);
  if (extended.length > 0) extended.writeUInt32BE(time);
  const kept = bytes.subarray(0, [11, 7, 3, 0][format]);
  return Buffer.concat([Buffer.from([(format << 6) | (short[0] as number), ...short.slice(1)]), kept, extended]);
}
const body = (length: number, value = 7) => Buffer.alloc(length, value);

test("a message in several chunks, between those of others, with each form of the header", async () => {
  const { messages } = await messagesOf(
    Buffer.concat([
      ...[header({ time: 100, length: 200 }), body(128), header({ id: 70, length: 3, time: 5 }), body(3, 1)],
      ...[header({ format: 3 }), body(72), header({ format: 1, time: 20, length: 2 }), body(2)],
      ...[
        header({ format: 2, time: 30 }),
        body(2),
        header({ format: 3 }),
        body(2),
        header({ id: 1_000, length: 1 }),
        body(1),
      ],
    ]),
  );
  expect(messages.map(({ timestamp, bytes }) => [timestamp, bytes.length])).toEqual([
    ...[
      [5, 3],
      [100, 200],
      [120, 2],
      [150, 2],
      [180, 2],
      [0, 1],
    ],
  ]);
});

test("times of 32 bits, repeated in each chunk or not", async () => {
  const time = 0x1000000;
  const extended = Buffer.from("01000000", "hex");
  for (const repeated of [extended, Buffer.alloc(0)]) {
    const first = [header({ time, length: 130 }), body(128), header({ format: 3 }), repeated, body(2)];
    const { messages } = await messagesOf(Buffer.concat([...first, header({ id: 5, length: 4 }), body(4)]));
    expect(messages.map(({ timestamp, bytes }) => [timestamp, bytes.length])).toEqual([
      [time, 130],
      [0, 4],
    ]);
  }
});

test("greater chunks, and messages that are ended", async () => {
  const size = Buffer.from("00001000", "hex");
  const { messages } = await messagesOf(
    Buffer.concat([
      ...[header({ id: 2, type: MESSAGE.setChunkSize, length: 4 }), size, header({ length: 300 }), body(300)],
      ...[
        header({ id: 5, length: 5_000 }),
        body(4_096),
        header({ id: 2, type: MESSAGE.abort, length: 4 }),
        Buffer.from("00000005", "hex"),
      ],
      ...[header({ id: 5, length: 10 }), body(10)],
    ]),
  );
  expect(messages.map(({ bytes }) => bytes.length)).toEqual([300, 10]);
});

test("video is passed over without keeping it", async () => {
  const size = Buffer.from("00ffffff", "hex");
  const { messages } = await messagesOf(
    Buffer.concat([
      ...[header({ id: 2, type: MESSAGE.setChunkSize, length: 4 }), size],
      ...[header({ id: 6, type: 9, length: 10_000_000 }), body(10_000_000), header({ length: 1 }), body(1)],
    ]),
  );
  expect(messages.map(({ type, bytes }) => [type, bytes.length])).toEqual([
    [9, 0],
    [8, 1],
  ]);
});

test.each([
  ["chunks that continue nothing", header({ format: 3 }), /continues nothing/],
  ["chunks of no bytes", Buffer.concat([header({ id: 2, type: 1, length: 4 }), body(4, 0)]), /chunk of no bytes/],
  [
    "more streams than any server has",
    Buffer.concat(Array.from({ length: 65 }, (_, at) => header({ id: at + 3, length: 0 }))),
    /more than 64 streams/,
  ],
  [
    "messages that do not end",
    Buffer.concat([
      ...[header({ id: 2, type: 1, length: 4 }), Buffer.from("00ffffff", "hex")],
      // Each is one byte short of its end.
      ...Array.from({ length: 60 }, (_, at) => [
        header({ id: 2, type: 1, length: 4 }),
        Buffer.from("000ffffe", "hex"),
        header({ id: at + 3, type: 22, length: 1_048_575 }),
        body(0xffffe),
      ]).flat(),
    ]),
    /too many messages at once/,
  ],
])("%s are refused", async (_, bytes, reason) => {
  expect((await messagesOf(bytes, 1_000)).reason).toMatch(reason);
});

test("the smallest chunks are read in linear time", async () => {
  const chunk = Buffer.concat([header({ format: 3 }), body(1)]);
  const since = performance.now();
  const { messages } = await messagesOf(
    Buffer.concat([
      ...[header({ id: 2, type: MESSAGE.setChunkSize, length: 4 }), Buffer.from("00000001", "hex")],
      ...[header({ length: 65_536 }), body(1), ...Array.from({ length: 65_535 }, () => chunk)],
    ]),
  );
  expect(messages.map(({ bytes }) => bytes.length)).toEqual([65_536]);
  expect(performance.now() - since).toBeLessThan(10_000);
});

test("what a client sends is read as it was", async () => {
  const sent = { type: MESSAGE.command, stream: 3, bytes: body(300) };
  expect((await messagesOf(messageBytes(8, sent))).messages).toEqual([{ ...sent, timestamp: 0 }]);
});
