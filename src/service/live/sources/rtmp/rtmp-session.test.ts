// Sessions of RTMP: what servers answer, their failures, and what hostile ones send.
import { afterEach, expect, test } from "vitest";
import { readParts, ScriptedServer } from "../../../../../test/fixtures/scripted-server.ts";
import { readValues, type Value, writeValues } from "./amf.ts";
import { MESSAGE, messageBytes } from "./chunks.ts";
import { placeOf, readRtmp } from "./rtmp-session.ts";

const HANDSHAKE = 1_536;
let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

const command = (...values: Value[]) =>
  messageBytes(3, { type: MESSAGE.command, stream: 0, bytes: writeValues(values) });
const control = (type: number, hex: string) => messageBytes(2, { type, stream: 0, bytes: Buffer.from(hex, "hex") });
const info = (code: string, rest: [string, Value][] = []) =>
  new Map<string, Value>([["level", "status"], ["code", code], ...rest]);
const connected = command("_result", 1, null, info("NetConnection.Connect.Success"));
const created = command("_result", 2, null, 1);
const AAC = Buffer.from("af001190", "hex");
function audio(time: number, bytes: Buffer): Buffer {
  const message = messageBytes(4, { type: MESSAGE.audio, stream: 1, bytes });
  message.writeUIntBE(time, 1, 3);
  return message;
}
const frame = (time: number) => audio(time, Buffer.from("af01616263", "hex"));
const packet = (seconds: number) => ({
  ...{ kind: "packet", bytes: Buffer.from("abc"), seconds, isAfterLoss: false, isBreak: false },
});

/** @param answers  by the name of a command */
async function served(answers: Partial<Record<string, Buffer>>, { version = 3 } = {}): Promise<string> {
  server = await ScriptedServer.start((socket) => {
    const all: Partial<Record<string, Buffer>> = { connect: connected, createStream: created, ...answers };
    const answered = new Set<string>();
    let received = Buffer.alloc(0);
    let hasShaken = false;
    socket.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (!hasShaken && received.length > HANDSHAKE) {
        hasShaken = true;
        socket.write(Buffer.concat([Buffer.of(version), Buffer.alloc(2 * HANDSHAKE)]));
      }
      for (const [name, answer] of Object.entries(all)) {
        if (answer === undefined || answered.has(name) || !received.includes(writeValues([name]))) continue;
        answered.add(name);
        socket.write(answer);
      }
    });
  });
  return `rtmp://127.0.0.1:${server.port}`;
}

test("the audio of a stream, with the answers that servers expect", async () => {
  const base = await served({
    connect: Buffer.concat([control(5, "0000ffff"), control(6, "002625a002"), control(4, "000600000007"), connected]),
    play: Buffer.concat([
      command("onStatus", 0, null, info("NetStream.Play.Start")),
      audio(0, AAC),
      frame(0),
      audio(20, AAC),
      frame(1_000),
    ]),
  });
  expect(await readParts(readRtmp, `${base}/live/room/key?token=1`, 3)).toEqual([
    { kind: "setup", setup: { codec: "aac", head: Buffer.from("1190", "hex") } },
    ...[packet(0), packet(1)],
  ]);
  const received = () => server?.received ?? Buffer.alloc(0);
  await expect.poll(() => received().includes(writeValues(["deleteStream", 0, null, 1]))).toBe(true);
  expect(received().includes(writeValues(["app"]).subarray(1))).toBe(true);
  expect(received().includes(writeValues(["key?token=1"]))).toBe(true);
  // The answer to the ping, and the size of the window.
  expect(received().includes(control(4, "000700000007").subarray(12))).toBe(true);
  expect(received().includes(control(5, "002625a0"))).toBe(true);
});

test.each([
  ["rtmp://a/live", "live", ""],
  ["rtmp://a/live/key", "live", "key"],
  ["rtmp://a:1/live/room/key", "live/room", "key"],
  ["rtmps://a/live/room/mp4:a/b.mp4?c=d/e", "live/room", "mp4:a/b.mp4?c=d/e"],
  ["rtmp://a/", "", ""],
  ["rtmp://a", "", ""],
])("%s has the application %s and the stream %s", (url, application, stream) => {
  expect(placeOf(url)).toEqual({ application, stream });
});

test("times are counted on beyond 32 bits, and backwards", async () => {
  const time = (value: number) => {
    const bytes = frame(0xffffff);
    const extended = Buffer.alloc(4);
    extended.writeUInt32BE(value);
    return Buffer.concat([bytes.subarray(0, 12), extended, bytes.subarray(12)]);
  };
  const base = await served({ play: Buffer.concat([audio(0, AAC), time(0xfffffff0), frame(16), frame(0)]) });
  const parts = await readParts(readRtmp, `${base}/live/a`, 4);
  expect(parts.map((part) => part.kind === "packet" && part.seconds)).toEqual([false, -0.016, 0.016, 0]);
});

test("messages of several messages have audio", async () => {
  const tag = (time: number, bytes: Buffer, type = 8) => {
    const header = Buffer.alloc(11);
    header[0] = type;
    header.writeUIntBE(bytes.length, 1, 3);
    header.writeUIntBE(time, 4, 3);
    return Buffer.concat([header, bytes, Buffer.alloc(4)]);
  };
  const raw = Buffer.from("af01616263", "hex");
  const bytes = Buffer.concat([
    tag(500, AAC),
    tag(500, Buffer.alloc(9), 9),
    tag(600, raw),
    tag(700, raw).subarray(0, 12),
  ]);
  const several = messageBytes(4, { type: MESSAGE.aggregate, stream: 1, bytes });
  const base = await served({ play: several });
  expect(await readParts(readRtmp, `${base}/live/a`, 2)).toMatchObject([{ kind: "setup" }, packet(0.1)]);
});

test("a redirect of the connection is followed with the name of the stream", async () => {
  const base = await served({ play: Buffer.concat([audio(0, AAC), frame(0)]) });
  const target = server;
  const redirect = new Map<string, Value>([
    ["code", 302],
    ["redirect", `${base}/other`],
  ]);
  const from = await served({
    connect: command("_error", 1, null, info("NetConnection.Connect.Rejected", [["ex", redirect]])),
  });
  try {
    expect(await readParts(readRtmp, `${from}/live/key`, 2)).toHaveLength(2);
    expect(target?.received.includes(writeValues(["key"]))).toBe(true);
  } finally {
    await target?.stop();
  }
});

const status = (code: string, level = "status") =>
  command(
    "onStatus",
    0,
    null,
    info(code, [
      ["level", level],
      ["description", "d"],
    ]),
  );
test.each([
  [
    "no such stream",
    { play: status("NetStream.Play.StreamNotFound", "error") },
    /no such stream \(NetStream\.Play\.StreamNotFound: d\)/,
  ],
  ["a failure", { play: status("NetStream.Play.Failed", "error") }, /does not play the stream/],
  [
    "a refused connection",
    { connect: command("_error", 1, null, info("NetConnection.Connect.InvalidApp")) },
    /refuses the connection \(NetConnection\.Connect\.InvalidApp\)/,
  ],
  [
    "a redirect to another protocol",
    { connect: command("_error", 1, null, info("x", [["ex", new Map([["redirect", "http://127.0.0.1/"]])]])) },
    /refuses the connection/,
  ],
  ["another format", { play: audio(0, Buffer.from("b200", "hex")) }, /its audio is Speex; over RTMP/],
] as [string, Record<string, Buffer>, RegExp][])("%s is refused", async (_, answers, message) => {
  const base = await served(answers);
  await expect(readParts(readRtmp, `${base}/live/a`, 9)).rejects.toMatchObject({
    code: "live.source_refused",
    message: expect.stringMatching(message),
  });
});

test("a server of another protocol is refused", async () => {
  const base = await served({}, { version: 72 });
  await expect(readParts(readRtmp, `${base}/live/a`, 1)).rejects.toThrow(/does not answer with RTMP/);
});

test.each([
  [
    "the end of the publisher",
    { play: Buffer.concat([audio(0, AAC), frame(0), status("NetStream.Play.UnpublishNotify")]) },
    /ended the stream/,
  ],
  [
    "the end of the stream",
    { play: Buffer.concat([audio(0, AAC), frame(0), control(4, "000100000001")]) },
    /ended the stream/,
  ],
  ["no stream", { createStream: command("_result", 2, null, -1) }, /created no stream/],
  ["a closed connection", { connect: command("close", 0, null) }, /closed the connection/],
] as [string, Record<string, Buffer>, RegExp][])("%s may pass", async (_, answers, message) => {
  const base = await served(answers);
  await expect(readParts(readRtmp, `${base}/live/a`, 9)).rejects.toMatchObject({
    code: "live.source_failed",
    message: expect.stringMatching(message),
  });
});

test("a server that ends the connection before any audio may have no such stream", async () => {
  const base = await served({});
  const reading = readParts(readRtmp, `${base}/live/a`, 1);
  await expect.poll(() => server?.received.includes(writeValues(["play"]))).toBe(true);
  server?.sockets[0]?.end();
  await expect(reading).rejects.toMatchObject({
    code: "live.source_absent",
    message: expect.stringMatching(/ended the connection before it sent audio; it may have no such stream/),
  });
});

test("a recording ends at its end", async () => {
  const complete = messageBytes(5, {
    ...{ type: MESSAGE.data, stream: 1 },
    bytes: writeValues(["onPlayStatus", info("NetStream.Play.Complete")]),
  });
  const base = await served({ play: Buffer.concat([audio(0, AAC), frame(0), complete]) });
  expect(await readParts(readRtmp, `${base}/live/a`, 9)).toHaveLength(2);
});

test("received bytes are acknowledged", async () => {
  const base = await served({
    connect: Buffer.concat([control(5, "00000010"), connected]),
    play: Buffer.concat([
      audio(0, AAC),
      messageBytes(6, { type: 9, stream: 1, bytes: Buffer.alloc(70_000) }),
      frame(0),
    ]),
  });
  await readParts(readRtmp, `${base}/live/a`, 2);
  await expect.poll(() => server?.received.includes(Buffer.from([2, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0]))).toBe(true);
});

test("the commands of this client are readable", () => {
  expect(readValues(writeValues(["play", 0, null, "a", -2_000]))).toEqual(["play", 0, null, "a", -2_000]);
});
