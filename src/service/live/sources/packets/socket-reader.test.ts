// Servers that send what is cheap to send and expensive to read.
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readParts, ScriptedServer } from "../../../../../test/fixtures/scripted-server.ts";
import { writeValues } from "../rtmp/amf.ts";
import { MESSAGE, messageBytes } from "../rtmp/chunks.ts";
import { readRtmp } from "../rtmp/rtmp-session.ts";
import { challengesOf } from "../rtsp/authentication.ts";
import { ANSWER_BYTES, SocketReader } from "./socket-reader.ts";

const never = new AbortController().signal;
const BURST_BYTES = 33_554_432;
const BYTES_A_SECOND = 8_388_608;

function readerOf(bytes: Buffer): SocketReader {
  const stream = new PassThrough({ highWaterMark: bytes.length });
  stream.write(bytes);
  return new SocketReader(stream as unknown as Socket, never);
}

test("other work has its turn while many readings find their bytes", async () => {
  const count = 20_000;
  const reader = readerOf(Buffer.alloc(count));
  let turns = 0;
  let isReading = true;
  const turn = () => {
    turns++;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  for (let at = 0; at < count; at++) await reader.take(1);
  isReading = false;
  expect(turns).toBeGreaterThan(50);
});

test("work that a server causes delays the reading of its next bytes", async () => {
  const reader = readerOf(Buffer.alloc(10));
  reader.owe(BURST_BYTES + BYTES_A_SECOND / 2);
  const since = performance.now();
  await reader.take(1);
  expect(performance.now() - since).toBeGreaterThan(400);
});

test("pings of RTMP are answered at a bounded rate", async () => {
  const command = (...values: Parameters<typeof writeValues>[0]) =>
    messageBytes(3, { type: MESSAGE.command, stream: 0, bytes: writeValues(values) });
  const ping = messageBytes(2, { type: MESSAGE.userControl, stream: 0, bytes: Buffer.of(0, 6, 1, 2, 3, 4) });
  const pings = Buffer.concat(Array.from({ length: 2_000 }, () => ping));
  const greeting = Buffer.concat([Buffer.of(3), Buffer.alloc(3_072), command("_result", 1, null, null)]);
  let answered = 0;
  const server = await ScriptedServer.start((socket) => {
    socket.on("data", (bytes: Buffer) => {
      answered += bytes.length / ping.length;
    });
    socket.write(greeting);
    const more = () => {
      if (!socket.writable) return;
      socket.write(pings);
      setTimeout(more, 20);
    };
    more();
    setTimeout(() => socket.destroy(), 2_000);
  });
  const since = performance.now();
  await readParts(readRtmp, `rtmp://127.0.0.1:${server.port}/live/talk`, 1).catch(() => undefined);
  const seconds = (performance.now() - since) / 1000;
  await server.stop();
  expect(answered).toBeGreaterThan(1_000);
  expect(answered).toBeLessThan((BURST_BYTES + seconds * BYTES_A_SECOND) / ANSWER_BYTES + 500);
});

test("at most eight challenges of an answer are tried", () => {
  const headers = Array.from({ length: 90 }, () => `Basic realm="a"${', Digest realm="b"'.repeat(500)}`);
  expect(challengesOf(headers)).toHaveLength(8);
});
