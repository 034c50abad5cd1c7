// Random commands against a session with a fake clock: a model predicts its state, and invariants hold after every
// command. fast-check prints the seed and the path of a failure; passing both to fc.assert replays it.

import * as fc from "fast-check";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { ModelCommand } from "../../../../test/fixtures/model-command.ts";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { Departure } from "../events/client-command.ts";
import type { ClosingKind } from "../events/closing.ts";
import type { LiveEvent } from "../events/live-event.ts";
import { EVENT_CLASSES } from "../events/subscription.ts";
import { Session } from "./session.ts";
import type { Connection, SessionParams, SessionServices } from "./session-contract.ts";
import type { SessionState } from "./session-state.ts";

const RUNS = 300;
const MOST_COMMANDS = 30;
const TIMERS = {
  idleMilliseconds: 40_000,
  graceMilliseconds: 10_000,
  awayMilliseconds: 10_000,
  maximumMilliseconds: 3_600_000,
};

/** No sum of up to MOST_COMMANDS of these, with the time that commands take, is close to a limit. */
const WAITS_MILLISECONDS = [7, 3_100, 60_000];

const PARAMS = {
  models: { plan: { model: "moonshine-base-en", languages: ["en"], isSwitching: false } },
  format: { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 },
  endpointingSeconds: 0.1,
  maximumSeconds: 10,
  threshold: 0.5,
  isEnhanced: false,
  subscription: new Set(EVENT_CLASSES),
  request: parseLiveParameters({}),
} satisfies SessionParams;

interface Client extends Connection {
  closed: (ClosingKind | Departure)[];
  received: LiveEvent[];
}

function client(number: number): Client {
  const closed: Client["closed"] = [];
  const received: Client["received"] = [];
  return {
    number,
    closed,
    received,
    isReceiving: false,
    close: ({ kind }) => closed.push(kind),
    pause: () => undefined,
    resume: () => undefined,
    send: async ({ event }) => {
      if (closed.length === 0) received.push(event);
    },
    answer: async () => undefined,
    arrival: async () => {
      if (closed.length > 0) throw new Error("the connection is closed");
    },
  };
}

/** The session of one log and everything outside of it. */
class World {
  readonly log = new MemoryLog();
  readonly clients: Client[] = [];
  readonly ends: string[] = [];
  session!: Session;

  async open(): Promise<void> {
    const owner = {
      started: async () => undefined,
      served: async () => undefined,
      ended: async () => void this.ends.push("ended"),
      failed: async () => void this.ends.push("failed"),
      refused: async () => void this.ends.push("refused"),
    };
    const services = {
      logger: pino({ level: "silent" }),
      timers: TIMERS,
      resultProcesses: {},
      accountId: "account",
      space: { hasRoom: async () => true },
      recognition: { idleCount: 0 },
      detection: {
        voiceActivity: async (samples: Float32Array) => ({
          probabilities: new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES)),
          state: new Float32Array(1),
        }),
      },
      enhancer: {},
      recordFormat: RECORD_FORMAT,
    } as unknown as SessionServices;
    this.session = await Session.open("id", PARAMS, this.log.open(), services, owner, Date.now());
  }

  get client(): Client | undefined {
    return this.clients.at(-1);
  }
}

/** What the session should be doing, by rules that are independent of its table. */
interface Model {
  state: SessionState;
  isConnected: boolean;
  sentBytes: number;
  /** Whether the client ended the session; otherwise a timer did. */
  isEndedByClient?: boolean;
  /** Until the session ends by itself, milliseconds; undefined if it does not. */
  leftMilliseconds: number | undefined;
}

const settle = () => vi.advanceTimersByTimeAsync(1);

const isRecording = ({ state }: Model) => state === "new" || state === "connected" || state === "away";

function endModel(model: Model, isEndedByClient: boolean): void {
  model.state = "ended";
  model.isEndedByClient = isEndedByClient;
  model.isConnected = false;
  model.leftMilliseconds = undefined;
}

/** Holds after every command; the numbers are those of docs/architecture-states.md. */
function checkInvariants(model: Model, { session, log, clients }: World): void {
  expect(session.state).toBe(model.state);
  // S1
  expect(clients.filter(({ closed }) => closed.length === 0).length).toBeLessThanOrEqual(1);
  // S2
  for (const { received } of clients) {
    for (const event of received)
      if (event.kind === "chunkStored") expect(event.bytes[1]).toBeLessThanOrEqual(log.bytes.length);
  }
  // S3
  expect(log.eventNumbers).toEqual(log.eventNumbers.map((_, index) => index));
  // S4
  const kinds = log.eventKinds;
  for (const kind of ["recordingStarted", "recordingEnded", "sessionEnded"])
    expect(kinds.filter((one) => one === kind).length).toBeLessThanOrEqual(1);
  if (kinds.includes("sessionEnded")) expect(kinds.at(-1)).toBe("sessionEnded");
  // S5
  if (model.state === "ended") {
    expect(kinds).toContain("sessionEnded");
    expect(log.bytes.length).toBe(model.sentBytes);
  }
}

abstract class Command extends ModelCommand<Model, World> {
  protected async verify(model: Model, world: World): Promise<void> {
    await settle();
    if (model.leftMilliseconds !== undefined) model.leftMilliseconds -= 1;
    checkInvariants(model, world);
  }
}

class Connect extends Command {
  protected async act(model: Model, world: World): Promise<void> {
    const previous = world.client;
    const next = client(world.clients.length + 1);
    world.clients.push(next);
    await world.session.attach(next);
    await settle();
    if (previous && previous.closed.length === 0 && model.isConnected) throw new Error("two clients are connected");
    if (isRecording(model)) {
      Object.assign(model, { state: "connected", isConnected: true, leftMilliseconds: TIMERS.idleMilliseconds });
      return;
    }
    // The last messages, then the end. S8: a client that did not end the session may have more audio.
    expect(next.closed).toEqual([model.isEndedByClient ? "complete" : "ended"]);
    expect(next.received.at(-1)?.kind ?? "sessionEnded").toBe("sessionEnded");
  }
  toString = () => "connect";
}

class Disconnect extends Command {
  constructor(private readonly departure: Departure) {
    super();
  }
  override check = (model: Readonly<Model>) => model.isConnected;
  protected async act(model: Model, world: World): Promise<void> {
    const gone = world.client as Client;
    gone.closed.push(this.departure);
    world.session.detach(gone, this.departure);
    model.isConnected = false;
    if (this.departure === "finished") return endModel(model, true);
    Object.assign(model, { state: "away", leftMilliseconds: TIMERS.graceMilliseconds });
  }
  toString = () => `disconnect, ${this.departure}`;
}

class Send extends Command {
  constructor(private readonly length: number) {
    super();
  }
  override check = (model: Readonly<Model>) => model.isConnected;
  protected async act(model: Model, world: World): Promise<void> {
    world.session.receive(world.client as Client, { kind: "audio", bytes: Buffer.alloc(this.length) });
    model.sentBytes += this.length;
    model.leftMilliseconds = TIMERS.idleMilliseconds;
  }
  toString = () => `send ${this.length}`;
}

class Stop extends Command {
  override check = (model: Readonly<Model>) => model.isConnected;
  protected async act(model: Model, world: World): Promise<void> {
    world.session.receive(world.client as Client, { kind: "stop" });
    await settle();
    expect(world.client?.closed).toEqual(["complete"]);
    expect(world.client?.received.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["stopAccepted", "recordingEnded", "sessionEnded"]),
    );
    endModel(model, true);
  }
  toString = () => "stop";
}

class Wait extends Command {
  constructor(private readonly milliseconds: number) {
    super();
  }
  protected async act(model: Model, world: World): Promise<void> {
    const wasConnected = model.isConnected;
    await vi.advanceTimersByTimeAsync(this.milliseconds);
    if (model.leftMilliseconds === undefined) return;
    model.leftMilliseconds -= this.milliseconds;
    if (model.leftMilliseconds > 0) return;
    if (wasConnected) expect(world.client?.closed).toEqual(["idle"]);
    endModel(model, false);
  }
  toString = () => `wait ${this.milliseconds}`;
}

/** The process stops, and another one continues from the log. */
class Restart extends Command {
  constructor(private readonly isOrderly: boolean) {
    super();
  }
  protected async act(model: Model, world: World): Promise<void> {
    const before = world.session;
    const isSuspended = this.isOrderly && !before.isReleased;
    if (isSuspended) await before.suspend();
    const open = world.clients.filter(({ closed }) => closed.length === 0);
    await world.open();
    if (!isSuspended) await before.relinquish({ kind: "taken" });
    for (const { closed } of open) expect(closed[0]).toBe(isSuspended ? "restarting" : "taken");
    // S6: the former owner neither stores nor sends.
    const stored = world.log.entries.length;
    const late = client(1_000_000);
    await before.attach(late);
    expect(late.closed).toEqual([before.state === "suspended" ? "restarting" : "moved"]);
    await before.end("client").catch(() => undefined);
    await settle();
    expect(late.received).toEqual([]);
    expect(world.log.entries.slice(stored).filter(({ kind }) => kind === "stop")).toEqual([]);
    if (model.state === "ended") return;
    Object.assign(model, { state: "new", isConnected: false, leftMilliseconds: TIMERS.graceMilliseconds - 1 });
  }
  toString = () => (this.isOrderly ? "restart" : "another process takes over");
}

const commands = fc.commands(
  [
    fc.constant(new Connect()),
    fc.constant(new Connect()),
    fc.constantFrom<Departure>("lost", "lost", "finished").map((departure) => new Disconnect(departure)),
    fc.integer({ min: 1, max: 20_000 }).map((half) => new Send(2 * half)),
    fc.integer({ min: 1, max: 20_000 }).map((half) => new Send(2 * half)),
    fc.constant(new Stop()),
    fc.constantFrom(...WAITS_MILLISECONDS).map((milliseconds) => new Wait(milliseconds)),
    fc.boolean().map((isOrderly) => new Restart(isOrderly)),
  ],
  { maxCommands: MOST_COMMANDS },
);

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a session under random commands keeps its invariants, and ends", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const world = new World();
    await world.open();
    const model: Model = {
      state: "new",
      isConnected: false,
      sentBytes: 0,
      leftMilliseconds: TIMERS.graceMilliseconds,
    };
    await fc.asyncModelRun(() => ({ model, real: world }), list);
    // S7: without its client, every session ends.
    await vi.advanceTimersByTimeAsync(TIMERS.idleMilliseconds + TIMERS.graceMilliseconds);
    expect(world.session.state).toBe("ended");
    expect(world.ends.length).toBeGreaterThan(0);
    expect(new Set(world.ends)).toEqual(new Set(["ended"]));
    expect(world.log.eventKinds.at(-1)).toBe("sessionEnded");
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20_261_125, endOnFailure: false });
});

test("a stall of the process is neither silence of the client nor its absence", async () => {
  const world = new World();
  await world.open();
  const now = performance.now.bind(performance);
  let stalledMilliseconds = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + stalledMilliseconds);
  onTestFinished(() => clock.mockRestore());
  const stall = async () => {
    stalledMilliseconds += 3_600_000;
    // The timers that are due.
    await vi.advanceTimersByTimeAsync(1_000);
  };
  await vi.advanceTimersByTimeAsync(TIMERS.graceMilliseconds - 500);
  await stall();
  expect(world.session.state).toBe("new");
  const connection = client(1);
  await world.session.attach(connection);
  await vi.advanceTimersByTimeAsync(TIMERS.idleMilliseconds - 500);
  await stall();
  expect([world.session.state, connection.closed]).toEqual(["connected", []]);
  // What the client sent meanwhile is read now.
  world.session.receive(connection, { kind: "audio", bytes: Buffer.alloc(320) });
  await vi.advanceTimersByTimeAsync(TIMERS.idleMilliseconds - 500);
  expect([world.session.state, world.log.bytes.length]).toEqual(["connected", 320]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([world.session.state, connection.closed]).toEqual(["ended", ["idle"]]);
});
