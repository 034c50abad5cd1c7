// The clock of a sender on that of a session: gaps, losses, clocks that begin again, and hostile times; servers without audio.
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ScriptedServer } from "../../../../test/fixtures/scripted-server.ts";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { Fetching } from "./fetching.ts";
import { PacketReading, SenderClock } from "./packet-reading.ts";

interface Step {
  seconds: number;
  /** Time that has passed since the packet before. */
  passed?: number;
  isAfterLoss?: boolean;
  isBreak?: boolean;
}

/** Silence before each packet, of which each has 20 ms. */
function silences(...steps: Step[]): number[] {
  const clock = new SenderClock();
  let [reached, now] = [100, 1_000];
  return steps.map(({ seconds, passed = 0.02, isAfterLoss = false, isBreak = false }) => {
    now += passed;
    const missing = clock.missingBefore({ seconds, isAfterLoss, isBreak }, reached, now);
    reached += missing + 0.02;
    return Math.round(1_000 * missing) / 1_000;
  });
}

test("packets that follow one another have no silence between them, whatever their first time", () => {
  expect(silences({ seconds: -5 }, { seconds: -4.98 }, { seconds: -4.96 })).toEqual([0, 0, 0]);
});

test("lost packets are silence of their length, however short", () => {
  const lost = { isAfterLoss: true };
  expect(
    silences({ seconds: 0 }, { seconds: 0.04, ...lost }, { seconds: 0.06 }, { seconds: 5.06, passed: 5, ...lost }),
  ).toEqual([0, 0.02, 0, 4.98]);
});

test("times that are inexact by less than 100 ms add no silence, a later packet does", () => {
  expect(silences({ seconds: 0 }, { seconds: 0.09 }, { seconds: 0.04 }, { seconds: 0.2 })).toEqual([0, 0, 0, 0.14]);
});

test("a pause of the source is silence", () => {
  expect(silences({ seconds: 0 }, { seconds: 15.02, passed: 15 }, { seconds: 15.04 })).toEqual([0, 15, 0]);
});

test("a clock that goes back, or forward by hours, begins again without silence", () => {
  expect(silences({ seconds: 10_000 }, { seconds: 0 }, { seconds: 0.02 })).toEqual([0, 0, 0]);
  expect(silences({ seconds: 0 }, { seconds: 36_000 }, { seconds: 36_000.02 })).toEqual([0, 0, 0]);
  const back = Array.from({ length: 50 }, (_, at) => ({ seconds: at % 2 === 0 ? 1e9 : -1e9 }));
  expect(new Set(silences(...back))).toEqual(new Set([0]));
});

test("the time that has passed is silence where the clock of the sender begins again after a pause", () => {
  expect(silences({ seconds: 500 }, { seconds: 0, passed: 8, isBreak: true }, { seconds: 0.02 })).toEqual([0, 8, 0]);
  expect(silences({ seconds: 500 }, { seconds: 0, passed: 8 }, { seconds: 0.02 })).toEqual([0, 8, 0]);
  expect(silences({ seconds: 500 }, { seconds: 600, isBreak: true }, { seconds: 600.02 })).toEqual([0, 0, 0]);
});

test("times that never advance add no silence", () => {
  expect(new Set(silences(...Array.from({ length: 500 }, () => ({ seconds: 7 }))))).toEqual(new Set([0]));
});

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

/** @param audio  what the decoder made @returns the reading of the server */
function readingOf(url: string, { isPrivate = true, hasAudio = false } = {}) {
  const ending = new AbortController();
  const address = FetchAddress.of(url);
  const fetching = new Fetching({ address, accountId: "a", allowPrivateAddresses: isPrivate, signal: ending.signal });
  const pushed: Buffer[] = [];
  const audio = {
    ...{ seconds: 0, hasAudio, secondsWithoutAudio: 1_000 },
    ...{ beginStream: async () => undefined, fillGap: async () => undefined },
  };
  const decoder = { finish: async () => undefined, push: async (bytes: Buffer) => void pushed.push(bytes) };
  const reading = new PacketReading(fetching, audio as never, decoder as never, () => new Date(), 400);
  return { reading, pushed, ending };
}

test("a server that sends slow bytes, but no audio, is disconnected", async () => {
  server = await ScriptedServer.start((socket) => {
    const sending = setInterval(() => socket.write("R"), 10);
    socket.once("close", () => clearInterval(sending));
  });
  const { reading } = readingOf(`rtsp://127.0.0.1:${server.port}/`);
  await expect(reading.read()).rejects.toMatchObject({
    code: "live.source_failed",
    message: expect.stringContaining("sent no audio for 0.4 s"),
  });
  await expect.poll(() => server?.sockets[0]?.destroyed).toBe(true);
});

const PCMU = "v=0\r\nm=audio 0 RTP/AVP 0\r\n";
const answers: Record<string, string> = {
  OPTIONS: "RTSP/1.0 200 OK\r\n\r\n",
  DESCRIBE: `RTSP/1.0 200 OK\r\nContent-Length: ${PCMU.length}\r\n\r\n${PCMU}`,
  SETUP: "RTSP/1.0 200 OK\r\nSession: 1\r\n\r\n",
  PLAY: "RTSP/1.0 200 OK\r\n\r\n",
};

test.each([
  [false, "live.source_refused"],
  [true, "live.source_failed"],
])("packets that are never decoded end the reading (audio before: %s)", async (hasAudio, code) => {
  server = await ScriptedServer.rtsp(({ method }, own) => {
    const send = async () => {
      for (let at = 0; at < 200 && !own.sockets[0]?.destroyed; at++) {
        const header = Buffer.from([0x24, 0, 0, 13, 0x80, 0, 0, at, 0, 0, 0, at, 0, 0, 0, 1, 0]);
        own.sockets[0]?.write(header);
        await pause(10);
      }
    };
    if (method === "PLAY") void send();
    return answers[method];
  });
  const { reading, pushed } = readingOf(`rtsp://127.0.0.1:${server.port}/`, { hasAudio });
  await expect(reading.read()).rejects.toMatchObject({
    code,
    message: expect.stringContaining("could not be decoded"),
  });
  expect(pushed.length).toBeGreaterThan(3);
});

test("the end of the session ends the connection", async () => {
  server = await ScriptedServer.rtsp(({ method }) => answers[method]);
  const { reading, ending } = readingOf(`rtsp://127.0.0.1:${server.port}/`);
  const read = reading.read().catch((error: Error) => error);
  await expect.poll(() => server?.requests.at(-1)?.method).toBe("PLAY");
  ending.abort();
  await read;
  await expect.poll(() => server?.requests.at(-1)?.method).toBe("TEARDOWN");
  await expect.poll(() => server?.sockets[0]?.destroyed).toBe(true);
});

test.each(["rtsp://127.0.0.1:9/", "rtmp://localhost:9/a", "rtsps://[::1]:9/", "rtmp://0x7f000001:9/a/b"])(
  "%s in a private network is refused before a connection",
  async (url) => {
    await expect(readingOf(url, { isPrivate: false }).reading.read()).rejects.toMatchObject({
      code: "live.source_refused",
      message: expect.stringContaining("PARLANCE_ALLOW_PRIVATE_ADDRESSES"),
    });
  },
);

test("a redirect into a private network is refused before a connection", async () => {
  server = await ScriptedServer.start(() => undefined);
  const { port } = server;
  const fetching = new Fetching({
    address: FetchAddress.of("rtsp://a.example/"),
    ...{ accountId: "a", allowPrivateAddresses: false, signal: new AbortController().signal },
  });
  for (const host of ["127.0.0.1", "10.0.0.1", "::ffff:127.0.0.1", "localhost"]) {
    const target = {
      protocol: "rtsp",
      isSecure: false,
      host,
      port,
      href: "rtsp://x/",
      credentials: undefined,
    } as const;
    await expect(fetching.connect(target, fetching.signal)).rejects.toMatchObject({ code: "live.source_refused" });
  }
  expect(server.sockets).toHaveLength(0);
});

test("a server that refuses connections may be tried again", async () => {
  server = await ScriptedServer.start(() => undefined);
  const { port } = server;
  await server.stop();
  server = undefined;
  await expect(readingOf(`rtmp://127.0.0.1:${port}/a`).reading.read()).rejects.toMatchObject({
    code: "live.source_failed",
  });
});
