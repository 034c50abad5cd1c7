// A caller of SRT and servers whose answers and losses the tests decide.
import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { readParts } from "../../../../../test/fixtures/scripted-server.ts";
import { dataPacket, SrtServer } from "../../../../../test/fixtures/srt-server.ts";
import type { MediaPart } from "../packets/media-part.ts";
import { StreamKeys } from "./encryption.ts";
import { CONTROL, following } from "./packets.ts";
import { readSrt } from "./srt-session.ts";

let server: SrtServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.stop();
  server = undefined;
});

const PASSPHRASE = "correct horse battery";
const texts = (parts: MediaPart[]) => parts.map((part) => (part.kind === "bytes" ? part.bytes.toString() : ""));
const connected = async (own: SrtServer) => {
  await expect.poll(() => own.conclusions, { interval: 5 }).toBeGreaterThan(0);
};
/** Reads until the server ends the connection, or `most` parts. */
async function reading(own: SrtServer, query: string, play: (hasEnded: () => boolean) => Promise<void>, most = 1_000) {
  const parts: MediaPart[] = [];
  let isOver = false;
  const read = readParts(readSrt, `${own.url}${query}`, most, parts)
    .then(
      () => undefined,
      (error: Error) => error,
    )
    .finally(() => {
      isOver = true;
    });
  await connected(own);
  await play(() => isOver);
  return { error: await read, parts };
}
const refusal = async (own: SrtServer, query = "") =>
  readParts(readSrt, `${own.url}${query}`, 1).catch((error: unknown) => error);

test("payloads arrive in order, with the times of the sender, until the server ends the connection", async () => {
  server = await SrtServer.start({ sequence: 0x7fff_fffe });
  const own = server;
  const { parts, error } = await reading(own, "?streamid=%23!::r=live/a,m=request", async () => {
    for (const [at, text] of ["a", "b", "c", "d"].entries()) own.data(text, 0xffff_ff00 + 1_000 * at);
    await pause(50);
    own.data("e", 5_000_000);
    own.control(CONTROL.shutdown, {});
  });
  expect(own.streamId).toBe("#!::r=live/a,m=request");
  expect(texts(parts).join("")).toBe("abcde");
  const times = parts.map((part) => (part.kind === "bytes" ? part.seconds : 0));
  expect((times.at(-1) as number) - (times[0] as number)).toBeCloseTo(5, 2);
  expect(error).toMatchObject({ code: "live.source_failed", message: expect.stringContaining("ended the connection") });
  // The caller acknowledges the packets and sends a shutdown.
  const hasAcknowledgment = () =>
    own.received.some(({ type, payload }) => type === CONTROL.acknowledgment && payload.length === 28);
  await expect.poll(hasAcknowledgment).toBe(true);
  await expect.poll(() => own.received.at(-1)?.type).toBe(CONTROL.shutdown);
});

test("lost packets are requested, and those that do not come are marked after the latency", async () => {
  server = await SrtServer.start();
  const own = server;
  const { parts } = await reading(own, "?latency=3000", async () => {
    own.data("a", 0);
    own.data("b", 1_000, true);
    own.data("c", 2_000, true);
    own.data("d", 3_000);
    await expect.poll(() => own.reports.length).toBeGreaterThan(0);
    own.resend(own.reports[0] as Buffer);
    own.resend(own.reports[0] as Buffer);
    await expect
      .poll(() =>
        own.received
          .filter(({ payload }) => payload.length === 28)
          .at(-1)
          ?.payload.readUInt32BE(0),
      )
      .toBe(own.position);
    own.skip(3);
    own.data("h", 8_000);
    await pause(3_600);
    own.control(CONTROL.shutdown, {});
  });
  expect(texts(parts).join("")).toBe("abcdh");
  expect(parts.filter((part) => part.kind === "bytes" && part.isAfterLoss).map((part) => texts([part])[0])).toEqual([
    "h",
  ]);
});

test("the latency of the server applies if it is longer; packets that it gives up are not awaited", async () => {
  server = await SrtServer.start({ latency: 9_000 });
  const own = server;
  const { parts } = await reading(own, "?latency=20", async () => {
    own.data("a", 0);
    own.skip(2);
    own.data("d", 3_000);
    await pause(200);
    const range = Buffer.alloc(8);
    range.writeUInt32BE(following(own.position, -3), 0);
    range.writeUInt32BE(following(own.position, -2), 4);
    own.control(CONTROL.dropRequest, {}, range);
    own.data("e", 4_000);
    own.control(CONTROL.shutdown, {});
  });
  expect(texts(parts).join("")).toBe("ade");
  expect(parts.map((part) => part.kind === "bytes" && part.isAfterLoss).slice(0, 2)).toEqual([false, true]);
});

test.each([16, 24, 32] as const)(
  "an encrypted stream is read with its passphrase, also after a change of the key (%i)",
  async (bytes) => {
    server = await SrtServer.start({ passphrase: PASSPHRASE });
    const own = server;
    const { parts } = await reading(own, `?passphrase=correct%20horse%20battery&pbkeylen=${bytes}`, async () => {
      own.data("first", 0);
      await pause(30);
      own.keys = new StreamKeys(PASSPHRASE, bytes);
      own.control(CONTROL.extension, { subtype: 3 }, own.keys.message);
      await expect
        .poll(() => own.received.some(({ type, subtype }) => type === CONTROL.extension && subtype === 4))
        .toBe(true);
      own.data(" second", 1_000);
      await pause(30);
      own.control(CONTROL.shutdown, {});
    });
    expect(texts(parts).join("")).toBe("first second");
  },
);

test.each([
  [
    "another passphrase",
    { keyAnswer: () => Buffer.of(0, 0, 0, 4) },
    `?passphrase=${"x".repeat(10)}`,
    /another passphrase/,
  ],
  ["no encryption", { keyAnswer: () => undefined }, `?passphrase=${"x".repeat(10)}`, /does not encrypt/],
  [
    "a key that was not requested",
    { keyAnswer: () => Buffer.alloc(4) },
    "",
    /stream is encrypted: give the passphrase/,
  ],
  ["rejection 1010", { rejection: 1_010 }, "", /another passphrase/],
  ["rejection 1011", { rejection: 1_011 }, "", /one side has a passphrase/],
  ["rejection 1002", { rejection: 1_002 }, "", /\(1002\): check streamid and passphrase/],
  ["rejection 1404", { rejection: 1_404 }, "", /no such stream/],
  [
    "an older SRT",
    { induction: (body: Buffer) => Buffer.concat([Buffer.of(0, 0, 0, 4), body.subarray(4)]) },
    "",
    /before version 1.3/,
  ],
])("%s is refused with what to do", async (_, options, query, message) => {
  server = await SrtServer.start(options);
  expect(await refusal(server, query)).toMatchObject({
    code: "live.source_refused",
    message: expect.stringMatching(message),
  });
});

test.each([1_003, 1_402, 9_999, 7, 0xffff_fffe])("after answer %i, another attempt may succeed", async (rejection) => {
  server = await SrtServer.start({ rejection });
  expect(await refusal(server)).toMatchObject({ code: "live.source_failed" });
});

test("encrypted packets without a passphrase are refused", async () => {
  server = await SrtServer.start();
  const own = server;
  const { error } = await reading(own, "", async () => {
    own.raw(
      dataPacket({ sequence: own.position, timestamp: 0, key: 1, destination: own.caller?.id ?? 0 }, Buffer.from("x")),
    );
  });
  expect(error).toMatchObject({
    code: "live.source_refused",
    message: expect.stringMatching(/encrypted: give the passphrase/),
  });
});

test("packets without encryption, or by unknown keys, are left out of an encrypted stream", async () => {
  server = await SrtServer.start({ passphrase: PASSPHRASE });
  const own = server;
  const { error, parts } = await reading(own, `?passphrase=${encodeURIComponent(PASSPHRASE)}`, async (hasEnded) => {
    own.keys = undefined;
    // The system drops packets of a busy process: a fixed number may be too small.
    for (let at = 0; at < 50_000 && !hasEnded(); at++) {
      own.data("x", at);
      if (at % 50 === 49) await pause(5);
    }
  });
  expect(parts).toEqual([]);
  expect(error).toMatchObject({ message: expect.stringContaining("cannot be decrypted") });
});

test("packets of other senders, and for other sockets, are left out", async () => {
  server = await SrtServer.start();
  const own = server;
  const other = createSocket("udp4");
  await new Promise<void>((resolve) => other.bind(0, "127.0.0.1", resolve));
  const { parts } = await reading(own, "", async () => {
    const { id = 0, port = 0 } = own.caller ?? {};
    const forged = dataPacket({ sequence: own.position, timestamp: 0, destination: id }, Buffer.from("forged"));
    expect((other.address() as AddressInfo).port).not.toBe(own.port);
    await new Promise((resolve) => other.send(forged, port, "127.0.0.1", resolve));
    own.raw(dataPacket({ sequence: own.position, timestamp: 0, destination: id + 1 }, Buffer.from("other")));
    await pause(50);
    own.data("own", 0);
    own.control(CONTROL.shutdown, {});
  });
  other.close();
  expect(texts(parts)).toEqual(["own"]);
});

test("a server that answers with other messages without end, or not at all, is given up", async () => {
  server = await SrtServer.start({ induction: () => Buffer.alloc(8) });
  const own = server;
  const sending = setInterval(() => {
    for (let count = 0; count < 100; count++) own.raw(Buffer.from("nothing of SRT"));
  }, 1);
  expect(await refusal(own)).toMatchObject({
    code: "live.source_failed",
    message: expect.stringMatching(/other messages/),
  });
  clearInterval(sending);
  await own.stop();
  server = await SrtServer.start({ isSilent: true });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const refused = refusal(server);
  for (let second = 0; second < 12; second++) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(await refused).toMatchObject({
    code: "live.source_failed",
    message: expect.stringMatching(/did not answer within 10 s/),
  });
});

test("a server that does not exist, and one that goes away, may be tried again", async () => {
  server = await SrtServer.start();
  const { url } = server;
  await server.stop();
  server = undefined;
  await expect(readParts(readSrt, url, 1)).rejects.toMatchObject({ code: "live.source_failed" });
  server = await SrtServer.start();
  const own = server;
  const { error } = await reading(own, "", async () => {
    await own.stop();
    server = undefined;
  });
  expect(error).toMatchObject({ code: "live.source_failed", message: expect.stringContaining("ended the connection") });
});

test("messages of the server are answered at a bounded rate", async () => {
  server = await SrtServer.start();
  const own = server;
  const since = performance.now();
  await reading(own, "", async () => {
    for (let number = 1; number <= 3_000; number++) {
      own.control(CONTROL.acknowledgment, { specific: number }, Buffer.alloc(28));
      if (number % 100 === 0) await pause(1);
    }
    await pause(50);
    own.control(CONTROL.shutdown, {});
  });
  const answers = own.received.filter(({ type }) => type === CONTROL.acknowledged).length;
  expect(answers).toBeGreaterThan(5);
  expect(answers).toBeLessThan(20 + (performance.now() - since) * 1.1);
});
