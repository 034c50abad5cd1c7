// A client whose messages are complete does not wait for the result of its session.
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryLog } from "../../../../../test/fixtures/memory-log.ts";
import { parseLiveParameters } from "../../../../contract/job-parameters.ts";
import { WINDOW_SAMPLES } from "../../../../speech/audio/voice-activity/detector-windows.ts";
import { RECORD_FORMAT } from "../../dialects/registry.ts";
import type { Closing } from "../../events/closing.ts";
import type { LastEvent } from "../../events/live-event.ts";
import { EVENT_CLASSES } from "../../events/subscription.ts";
import { LiveSpeakers } from "../../speakers/live-speakers.ts";
import { Session } from "../session.ts";
import type { Connection, SessionParams, SessionServices } from "../session-contract.ts";

const PARAMS = {
  models: { plan: { model: "moonshine-base-en", languages: ["en"], isSwitching: false } },
  format: { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 },
  endpointingSeconds: 0.1,
  maximumSeconds: 10,
  threshold: 0.5,
  isEnhanced: false,
  subscription: new Set(EVENT_CLASSES),
  request: parseLiveParameters({ diarization: true }),
} satisfies SessionParams;
const TIMERS = {
  ...{ idleMilliseconds: 60_000, graceMilliseconds: 60_000, awayMilliseconds: 0, maximumMilliseconds: 3_600_000 },
};

/** The log of a session, and the process that has it. */
class World {
  readonly log = new MemoryLog();
  readonly ends: string[] = [];
  /** How often the session was recorded as served. */
  served = 0;
  /** Whether the database answers. */
  answers = true;
  session!: Session;
  /** The diarization of the whole recording ends. */
  diarize: () => void = () => undefined;

  /** Another process continues from the log: the diarization begins again. */
  async open(): Promise<this> {
    const diarized = new Promise<void>((resolve) => (this.diarize = resolve));
    const owner = {
      started: async () => undefined,
      served: async () => {
        if (!this.answers) return new Promise<void>(() => undefined);
        this.served += 1;
      },
      ended: async () => void this.ends.push("ended"),
      failed: async () => void this.ends.push("failed"),
      refused: async () => void this.ends.push("refused"),
    };
    const logger = pino({ level: "silent" });
    const resultProcesses = { send: () => Promise.reject(new Error("there is no result process")) };
    const services = {
      ...{ logger, resultProcesses, timers: TIMERS, accountId: "account", enhancer: {}, recordFormat: RECORD_FORMAT },
      space: { hasRoom: async () => true },
      recognition: { idleCount: 0 },
      detection: {
        voiceActivity: async (samples: Float32Array) => ({
          probabilities: new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES)),
          state: new Float32Array(1),
        }),
      },
      speakers: {
        ...{ logger, resultProcesses, speakerModel: "voices", mayFetch: false, params: { diarization: true } },
        models: { findSpeakerModel: () => diarized },
      },
    } as unknown as SessionServices;
    this.session = await Session.open("id", PARAMS, this.log.open(), services, owner, Date.now());
    return this;
  }
}

function connected(number: number, lastEvent?: LastEvent, onClosed: () => void = () => undefined) {
  const closings: Closing[] = [];
  const events: string[] = [];
  const connection: Connection = {
    ...{ number, isReceiving: false, ...(lastEvent ? { lastEvent } : {}) },
    close: (closing) => {
      closings.push(closing);
      onClosed();
    },
    ...{
      pause: () => undefined,
      resume: () => undefined,
      answer: async () => undefined,
      arrival: async () => undefined,
    },
    send: async ({ event }) => void (closings.length === 0 && events.push(event.kind)),
  };
  return { connection, closings, events };
}

/** For what must not happen. */
const settle = () => pause(50);
const COMPLETE = [{ kind: "complete", storedSeconds: 1 }];

/** A session whose client has sent audio and has ended it, when `recordingEnded` is sent. */
async function stopped(
  lastEvent?: LastEvent,
  onClosed: (world: World) => void = () => undefined,
  prepare: (world: World) => void = () => undefined,
) {
  const world = await new World().open();
  prepare(world);
  const client = connected(1, lastEvent, () => onClosed(world));
  await world.session.attach(client.connection);
  world.session.receive(client.connection, { kind: "audio", bytes: Buffer.alloc(32_000) });
  world.session.receive(client.connection, { kind: "stop" });
  await expect.poll(() => client.events).toContain("recordingEnded");
  return { world, client };
}

afterEach(() => void vi.restoreAllMocks());

test("a client that reads nothing of the result has its end before the session is diarized", async () => {
  const { world, client } = await stopped("recordingEnded");
  await expect.poll(() => client.closings).toEqual(COMPLETE);
  await settle();
  expect(client.events.at(-1)).toBe("recordingEnded");
  expect([world.ends, world.session.state, world.session.hasServedClient]).toEqual([[], "finishing", true]);
  world.diarize();
  await expect.poll(() => world.session.state).toBe("ended");
  expect([world.ends, world.session.hasServedClient]).toEqual([["ended"], false]);
  expect(world.log.eventKinds.slice(-2)).toEqual(["result", "sessionEnded"]);
  expect(client.closings).toEqual(COMPLETE);
});

test("a client that reads the result waits for it", async () => {
  const { world, client } = await stopped();
  await settle();
  expect([client.closings, world.session.hasServedClient]).toEqual([[], false]);
  world.diarize();
  await expect.poll(() => client.closings).toEqual(COMPLETE);
  expect(client.events.slice(-2)).toEqual(["result", "sessionEnded"]);
});

test("a session is recorded as served before its client has its end", async () => {
  const servedAtEnd: number[] = [];
  const { world } = await stopped("recordingEnded", (one) => servedAtEnd.push(one.served));
  await expect.poll(() => servedAtEnd).toEqual([1]);
  await settle();
  expect(world.served).toBe(1);
});

test("a client has its end also if the database does not answer", async () => {
  const { client } = await stopped("recordingEnded", undefined, (world) => (world.answers = false));
  await expect.poll(() => client.closings).toEqual(COMPLETE);
});

test("a session whose client leaves instead of waiting for the result is recorded as served", async () => {
  const { world, client } = await stopped();
  await settle();
  expect(world.served).toBe(0);
  world.session.detach(client.connection, "lost");
  await expect.poll(() => world.served).toBe(1);
  world.diarize();
  await expect.poll(() => world.ends).toEqual(["ended"]);
});

test("a client that returns before the result has its end at once", async () => {
  const { world, client } = await stopped("recordingEnded");
  await expect.poll(() => client.closings).toEqual(COMPLETE);
  const next = connected(2, "recordingEnded");
  await world.session.attach(next.connection);
  expect(next.closings).toEqual(COMPLETE);
  const reader = connected(3);
  await world.session.attach(reader.connection);
  expect([reader.closings, world.session.hasServedClient]).toEqual([[], false]);
  world.diarize();
  await expect.poll(() => reader.closings).toEqual(COMPLETE);
  expect(reader.events.at(-1)).toBe("sessionEnded");
});

test("a session whose process is killed after the end of its client has a whole result", async () => {
  const { world, client } = await stopped("recordingEnded");
  await expect.poll(() => client.closings).toEqual(COMPLETE);
  await world.open();
  await settle();
  expect(world.ends).toEqual([]);
  world.diarize();
  await expect.poll(() => world.ends).toEqual(["ended"]);
  expect(world.session.totalBytes).toBe(32_000);
  expect(world.log.eventKinds.filter((kind) => kind === "recordingEnded")).toHaveLength(1);
  expect(world.log.eventKinds.slice(-2)).toEqual(["result", "sessionEnded"]);
});

test.each([
  ["speakersRevised", ["corrections", "closed"]],
  ["recordingEnded", ["closed", "corrections"]],
] as const)("a client whose last event is %s: %j", async (lastEvent, wanted) => {
  const order: string[] = [];
  vi.spyOn(LiveSpeakers.prototype, "finish").mockImplementation(async () => void order.push("corrections"));
  await stopped(lastEvent, () => order.push("closed"));
  await expect.poll(() => order.length).toBeGreaterThan(1);
  expect(order.slice(0, 2)).toEqual(wanted);
});

test("a client does not wait for corrections of speakers that take long", async () => {
  vi.spyOn(LiveSpeakers.prototype, "finish").mockReturnValue(new Promise(() => undefined));
  const { client } = await stopped("speakersRevised");
  await expect.poll(() => client.closings).toEqual(COMPLETE);
});
