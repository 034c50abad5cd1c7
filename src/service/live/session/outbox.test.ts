// Random commands against an outbox: connections that break at any message, confirmations that arrive or do not, restarts.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { EmittedEvent, EventClass } from "../events/live-event.ts";
import { EVENT_CLASSES } from "../events/subscription.ts";
import { Outbox, type Receiver } from "./outbox.ts";

const RUNS = 500;

/** A connection that takes `room` events before it breaks. */
class Line implements Receiver {
  readonly received: number[] = [];
  readonly answers: string[] = [];
  private isBroken = false;
  private readonly waiting: { resolve(): void; reject(error: Error): void }[] = [];

  constructor(
    private readonly room: number,
    readonly receivesAll: boolean,
  ) {}

  async send({ event }: EmittedEvent): Promise<void> {
    if (this.isBroken || this.received.length >= this.room) throw new Error("the connection is closed");
    if (event.kind === "speechStarted") this.received.push(event.seconds);
  }

  async answer(print: () => string[]): Promise<void> {
    if (this.isBroken) throw new Error("the connection is closed");
    this.answers.push(...print());
  }

  arrival(): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** The client has received everything sent so far. */
  confirm(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  break(): void {
    this.isBroken = true;
    for (const { reject } of this.waiting.splice(0)) reject(new Error("the connection is closed"));
  }
}

class World {
  readonly log = new MemoryLog();
  readonly lines: Line[] = [];
  outbox!: Outbox;
  line: Line | undefined;

  constructor() {
    this.open();
  }

  open(): void {
    const log = this.log.open();
    this.outbox = new Outbox({
      sessionId: "id",
      subscription: new Set(EVENT_CLASSES),
      log,
      format: RECORD_FORMAT,
      onEvent: () => undefined,
    });
    this.outbox.replay(log.entries);
  }

  async attach(room: number, receivesAll = false): Promise<void> {
    this.line?.break();
    this.line = new Line(room, receivesAll);
    this.lines.push(this.line);
    await this.outbox.attach(this.line);
  }

  detach(): void {
    this.line?.break();
    this.line = undefined;
    this.outbox.detach();
  }
}

interface Model {
  persisted: number;
  /** Messages below this number were confirmed: the client has them. */
  confirmed: number;
}

/** Pending callbacks of settled promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

type Step = (model: Model, world: World) => Promise<void> | void;

class Command implements fc.AsyncCommand<Model, World> {
  constructor(
    private readonly name: string,
    private readonly step: Step,
  ) {}
  check = () => true;
  toString = () => this.name;

  async run(model: Model, world: World): Promise<void> {
    await this.step(model, world);
    await settle();
    // O1: each connection receives the messages in order, without gaps.
    for (const { received } of world.lines)
      expect(received).toEqual(received.map((_, index) => (received[0] ?? 0) + index));
    // O2: nothing is sent before it is persisted.
    for (const { received } of world.lines) expect(received.at(-1) ?? -1).toBeLessThan(world.log.entries.length);
    expect(world.log.eventNumbers).toEqual(Array.from({ length: model.persisted }, (_, number) => number));
  }
}

const commands = fc.commands(
  [
    fc.constant(
      new Command("persist", async (model, { outbox }) => {
        await outbox.persistAndSend({ kind: "speechStarted", seconds: model.persisted++, channel: 0 });
      }),
    ),
    fc.nat(6).map(
      (room) =>
        new Command(`attach, breaks after ${room}`, async (model, world) => {
          await world.attach(room);
          // O3: a confirmed message is not sent again.
          expect(world.line?.received[0] ?? model.confirmed).toBeGreaterThanOrEqual(model.confirmed);
        }),
    ),
    fc.nat(6).map(
      (room) =>
        new Command(`attach from the beginning, breaks after ${room}`, async (model, world) => {
          await world.attach(room, true);
          // O5: it receives every message, confirmed or not, once.
          const expected = Math.min(room, model.persisted);
          expect(world.line?.received).toEqual(Array.from({ length: expected }, (_, number) => number));
        }),
    ),
    fc.constant(new Command("detach", (_, world) => world.detach())),
    fc.constant(
      new Command("confirm", (model, { line }) => {
        model.confirmed = Math.max(model.confirmed, (line?.received.at(-1) ?? -1) + 1);
        line?.confirm();
      }),
    ),
    fc.constant(
      new Command("restart", (_, world) => {
        world.detach();
        world.open();
      }),
    ),
  ],
  { maxCommands: 40 },
);

test("every persisted message arrives, in order, over any connections and restarts", async () => {
  const property = fc.asyncProperty(commands, async (list) => {
    const world = new World();
    const model: Model = { persisted: 0, confirmed: 0 };
    await fc.asyncModelRun(() => ({ model, real: world }), list);
    // O4: a connection that stays receives everything that is not confirmed.
    await world.attach(Number.POSITIVE_INFINITY);
    const { received } = world.line as Line;
    expect(received).toEqual(
      Array.from({ length: received.length }, (_, index) => model.persisted - received.length + index),
    );
    expect(received.length).toBeGreaterThanOrEqual(model.persisted - model.confirmed);
    const all = new Set(world.lines.flatMap((line) => line.received));
    expect(all.size).toBe(model.persisted);
  });
  await fc.assert(property, { numRuns: RUNS, seed: 20_261_125 });
});

test("an answer is printed after the events before it, and is not kept for another connection", async () => {
  const world = new World();
  await world.attach(10);
  const first = world.line as Line;
  void world.outbox.send({ kind: "speechStarted", channel: 0, seconds: 1 });
  void world.outbox.answer(() => [`after ${first.received.length}`]);
  await world.outbox.settled();
  expect(first.answers).toEqual(["after 1"]);
  world.detach();
  await world.outbox.answer(() => ["lost"]);
  await world.attach(10);
  expect(world.line?.answers).toEqual([]);
});

test("callbacks of events that are not persisted have other numbers in each process", async () => {
  const log = new MemoryLog();
  const used: number[] = [];
  const speech = { kind: "speechStarted", channel: 0, seconds: 1 } as const;
  for (let process = 0; process < 3; process++) {
    const outbox = new Outbox({
      ...{ sessionId: "id", subscription: new Set<EventClass>(), format: RECORD_FORMAT, onEvent: () => undefined },
      callbacks: { includes: () => true, add: (sequence: number) => void used.push(sequence) } as never,
      log: log.open(),
    });
    outbox.replay(log.entries);
    used.length = process === 0 ? 0 : used.length - 1;
    await outbox.resume();
    if (process === 0) await outbox.persistAndSend({ kind: "recordingStarted" });
    await outbox.sendTogether([speech, speech]);
  }
  expect(used).toHaveLength(7);
  expect([...new Set(used)].sort((left, right) => left - right)).toEqual(used);
});
