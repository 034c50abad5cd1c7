import { Readable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { EventClass } from "../events/live-event.ts";
import type { JournalEntry, SessionLog } from "../log/log-contract.ts";
import { Session } from "./session.ts";
import type { Connection, SessionOwner, SessionParams, SessionServices } from "./session-contract.ts";

const PARAMS = {
  models: { plan: { model: "moonshine-base-en", languages: ["en"], isSwitching: false } },
  format: { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 },
  endpointingSeconds: 0.1,
  maximumSeconds: 10,
  threshold: 0.5,
  isEnhanced: false,
  subscription: new Set<EventClass>(["acknowledgments"]),
  request: parseLiveParameters({}),
} satisfies SessionParams;
const GRACE_MILLISECONDS = 50;

/** A log without audio. @param isRefused  entries that cannot be stored, with a permanent error */
function logThat(refuses: { entry?: (entry: JournalEntry) => boolean; audio?: boolean }): SessionLog {
  return {
    isLost: false,
    isShared: false,
    entries: [],
    audio: {
      total: 0,
      append: async () => {
        if (refuses.audio) throw new Error("EIO: i/o error, write");
      },
      stored: async () => undefined,
      read: async () => Buffer.alloc(0),
      placeOf: async () => 0,
    },
    appendEntries: async (...entries) => {
      if (entries.some((entry) => refuses.entry?.(entry))) throw new Error("EIO: i/o error, write");
    },
    stream: () => Readable.from([]),
    stopRetrying: () => undefined,
    close: async () => undefined,
  };
}

async function opened(
  log: SessionLog,
  { turnMayEnd, detectable = Promise.resolve() }: Pick<Connection, "turnMayEnd"> & { detectable?: Promise<void> } = {},
) {
  let settle: (end: string) => void = () => undefined;
  const end = new Promise<string>((resolve) => (settle = resolve));
  const owner: SessionOwner = {
    started: async () => undefined,
    served: async () => undefined,
    ended: async () => settle("ended"),
    failed: async () => settle("failed"),
    refused: async () => settle("refused"),
  };
  const services = {
    logger: pino({ level: "silent" }),
    timers: {
      idleMilliseconds: 60_000,
      graceMilliseconds: GRACE_MILLISECONDS,
      awayMilliseconds: GRACE_MILLISECONDS,
      maximumMilliseconds: 3_600_000,
    },
    resultProcesses: {},
    accountId: "account",
    space: { hasRoom: async () => true },
    recognition: { idleCount: 0 },
    detection: {
      voiceActivity: async (samples: Float32Array) => {
        await detectable;
        return {
          probabilities: new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES)),
          state: new Float32Array(1),
        };
      },
    },
    enhancer: {},
    recordFormat: RECORD_FORMAT,
  } as unknown as SessionServices;
  const session = await Session.open("id", PARAMS, log, services, owner, Date.now());
  const closed: string[] = [];
  const sent: string[] = [];
  const connection: Connection = {
    number: 1,
    isReceiving: false,
    close: ({ kind }) => closed.push(kind),
    pause: () => undefined,
    resume: () => undefined,
    send: async ({ event }) => void sent.push(event.kind),
    answer: async () => undefined,
    arrival: async () => undefined,
    ...(turnMayEnd ? { turnMayEnd } : {}),
  };
  await session.attach(connection);
  return { session, connection, closed, sent, end };
}

test("a session whose chunk cannot be stored ends if its client does not reconnect", async () => {
  const { session, connection, closed, end } = await opened(logThat({ audio: true }));
  session.receive(connection, { kind: "audio", bytes: Buffer.alloc(320) });
  expect(await end).toBe("ended");
  expect(closed).toEqual(["interrupted"]);
});

test("a session ends even if its journal cannot store the stop", async () => {
  const { session, connection, end } = await opened(logThat({ entry: ({ kind }) => kind === "stop" }));
  session.receive(connection, { kind: "stop" });
  expect(await end).toBe("ended");
});

test("a session of a disconnected client ends even if its journal cannot store the stop", async () => {
  const { session, connection, end } = await opened(logThat({ entry: ({ kind }) => kind === "stop" }));
  session.detach(connection, "lost");
  expect(await end).toBe("ended");
});

test("finalize has an answer, and after the stop a refusal", async () => {
  let release = () => {};
  const log = logThat({});
  const held: SessionLog = {
    ...log,
    // The session ends after the next frame.
    appendEntries: (...entries) =>
      entries.some(({ kind }) => kind === "stop") ? new Promise((resolve) => (release = resolve)) : Promise.resolve(),
  };
  const { session, connection, sent, end } = await opened(held);
  session.receive(connection, { kind: "finalize" });
  await expect.poll(() => sent).toContain("finalized");
  const stopping = session.end("client");
  session.receive(connection, { kind: "finalize" });
  await expect.poll(() => sent).toContain("finalizeRefused");
  release();
  await stopping;
  expect(await end).toBe("ended");
});

test("while storing is slow, at most a thousand chunks wait for their acknowledgments", async () => {
  let taken = 0;
  let release = () => {};
  const stored = new Promise<void>((resolve) => (release = resolve));
  const log = logThat({});
  const slow: SessionLog = {
    ...log,
    audio: { ...log.audio, total: 0, append: async () => void taken++, stored: () => stored },
  };
  const { session, connection, end } = await opened(slow);
  for (let count = 0; count < 3_000; count++) session.receive(connection, { kind: "audio", bytes: Buffer.alloc(2) });
  await expect.poll(() => taken).toBeGreaterThan(900);
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBeLessThan(1_010);
  release();
  session.receive(connection, { kind: "stop" });
  expect(await end).toBe("ended");
  expect(taken).toBeGreaterThanOrEqual(3_000);
});

test("a connection whose audio comes in parts says when its turn may end", async () => {
  const journal: string[] = [];
  const entry = ({ kind }: JournalEntry) => {
    journal.push(kind);
    return false;
  };
  let allow: (() => void) | undefined;
  const turnMayEnd = () => new Promise<void>((resolve) => (allow = resolve));
  const { session, connection } = await opened(logThat({ entry }), { turnMayEnd });
  session.receive(connection, { kind: "audio", bytes: Buffer.alloc(640) });
  await expect.poll(() => allow).toBeDefined();
  expect(journal).not.toContain("turn-end");
  allow?.();
  await expect.poll(() => journal).toContain("turn-end");
  await session.suspend();
});

test("stored audio is read no faster than its voice activity is detected", async () => {
  let read = 0;
  const log = logThat({});
  const total = 32_000 * 600;
  const audio = {
    ...log.audio,
    total,
    read: async (from: number, until: number) => {
      read = until;
      return Buffer.alloc(until - from);
    },
  };
  let detect = () => {};
  const detectable = new Promise<void>((resolve) => (detect = resolve));
  const entries: JournalEntry[] = [{ kind: "format", headerBytes: 0, format: PARAMS.format }];
  const opening = opened({ ...log, entries, audio }, { detectable });
  await expect.poll(() => read).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(read).toBeLessThan(32_000 * 60);
  detect();
  const { session } = await opening;
  expect(read).toBe(total);
  await session.suspend();
});

test("a session opens although nothing of its stored audio is detected", async () => {
  const log = logThat({});
  const seconds = 60;
  log.entries.push({ kind: "format", headerBytes: 0, format: PARAMS.format });
  Object.assign(log.audio, {
    total: seconds * 32_000,
    read: async (from: number, until: number) => Buffer.alloc(until - from),
  });
  const { session } = await opened(log, { detectable: new Promise(() => undefined) });
  expect(session.durationSeconds).toBe(seconds);
  await session.suspend();
});
