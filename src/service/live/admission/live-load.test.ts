// Which sessions LiveLoad admits, for given sequences of load and with a clock of the test.
import fc from "fast-check";
import { expect, test } from "vitest";
import { LEAST_SESSIONS, LiveLoad, type Machine } from "./live-load.ts";

/** Processor seconds that a second of audio takes on an imagined machine. */
interface Speed {
  final: number;
  detection: number;
  service: number;
}

const AVX2: Speed = { final: 0.07, detection: 0.02, service: 0.035 };
const SLOW: Speed = { final: 0.6, detection: 0.15, service: 0.3 };
const TWO_CORES: Machine = { cores: 2, recognizers: 2 };

class World {
  now = 0;
  readonly running: string[] = [];
  readonly load: LiveLoad;
  private count = 0;

  constructor(
    private readonly speed: Speed,
    machine = TWO_CORES,
  ) {
    this.load = new LiveLoad(
      machine,
      () => this.running,
      () => this.now,
    );
  }

  /** A client begins. @returns whether it was admitted */
  begin(): boolean {
    if (!this.load.hasRoom()) return false;
    const id = `${++this.count}`;
    this.load.reserve(id);
    this.running.push(id);
    return true;
  }

  beginMany(clients: number): number {
    return Array.from({ length: clients }, () => this.begin()).filter(Boolean).length;
  }

  /** Every session sends. @param pace  seconds of audio in a second */
  pass(seconds: number, speechShare: number, pace = 1): void {
    const { final, detection, service } = this.speed;
    for (let second = 0; second < seconds; second++) {
      this.now += 1_000;
      for (const id of this.running) {
        this.load.costs.add({ kind: "detection", processorSeconds: detection * pace, audioSeconds: pace });
        this.load.add(id, 1, pace, pace * speechShare);
        const speech = speechShare * pace;
        if (speech > 0) this.load.costs.add({ kind: "final", processorSeconds: final * speech, audioSeconds: speech });
      }
      this.load.tick(service * pace * this.running.length);
    }
  }

  /** Use of all cores by finals and what they need. */
  get use(): number {
    const { final, detection, service } = this.speed;
    return this.running.length * (final + detection + service);
  }
}

test("sixteen clients that begin at once are counted at once, and some are served", () => {
  const world = new World(AVX2);
  world.beginMany(1);
  world.pass(60, 0.9);
  world.running.length = 0;
  world.pass(10, 0);
  const admitted = world.beginMany(16);
  expect(admitted).toBeGreaterThan(LEAST_SESSIONS);
  expect(admitted).toBeLessThan(16);
  expect(world.use).toBeLessThan(2);
  expect(world.load.report.sessions).toBe(admitted);
});

test("places that no client takes are free again after a few seconds", () => {
  const world = new World(AVX2);
  for (let client = 0; world.load.hasRoom(); client++) world.load.reserve(`created ${client}`);
  expect(world.begin()).toBe(false);
  world.now += 5_000;
  expect(world.load.sessions).toBe(0);
  expect(world.begin()).toBe(true);
});

test("an account that opens none of its sessions keeps nobody out: the account with most places loses its newest ones", () => {
  const { load } = new World(AVX2);
  const isKept = (id: string) => load.hasPlace(id);
  const first: string[] = [];
  for (let at = 0; load.makeRoom("first"); at++) {
    load.reserve(`first ${at}`, 1, "first");
    first.push(`first ${at}`);
  }
  expect(first.length).toBeGreaterThan(LEAST_SESSIONS);
  const second: string[] = [];
  for (let at = 0; load.makeRoom("second"); at++) {
    load.reserve(`second ${at}`, 1, "second");
    second.push(`second ${at}`);
  }
  const left = first.filter(isKept);
  expect(left).toEqual(first.slice(0, left.length));
  expect(second.every(isKept)).toBe(true);
  expect(left.length - second.length).toBeGreaterThanOrEqual(0);
  expect(left.length - second.length).toBeLessThanOrEqual(1);
  // A session whose client connects cannot lose its place.
  for (const id of left) load.reserve(id);
  // A session that has no room even so takes no place.
  expect(load.makeRoom("third", 16)).toBe(false);
  expect(second.every(isKept)).toBe(true);
  for (let at = 0; load.makeRoom("third"); at++) load.reserve(`third ${at}`, 1, "third");
  expect(left.every(isKept)).toBe(true);
  expect(load.sessions).toBe(first.length);
});

test("a slow machine serves the least number of sessions, and says so", () => {
  const world = new World(SLOW);
  world.begin();
  world.pass(120, 0.9);
  expect(world.beginMany(16)).toBe(LEAST_SESSIONS - 1);
  expect(world.load.report).toMatchObject({ sessions: LEAST_SESSIONS });
  expect(world.load.report.audioCapacity).toBeLessThan(2);
});

test("silent sessions take less than speaking ones, but have speech reserved", () => {
  const worlds = [0, 0.9].map((share) => {
    const world = new World(AVX2);
    world.beginMany(LEAST_SESSIONS);
    world.pass(60, 0.9);
    world.pass(60, share);
    return world;
  });
  const [silent, speaking] = worlds.map(({ load }) => load.report.sessions) as [number, number];
  expect(silent).toBeGreaterThan(speaking);
  expect(silent).toBeLessThan(2 * speaking);
});

test("sessions that send nothing, because their clients have gone, keep little of the capacity", () => {
  const world = new World(AVX2);
  world.beginMany(LEAST_SESSIONS);
  world.pass(60, 0.9);
  const before = world.load.report.sessions;
  for (let second = 0; second < 120; second++) {
    world.now += 1_000;
    world.load.tick(0);
  }
  expect(world.load.report.sessions).toBeGreaterThan(before + 1);
});

test("audio that is sent faster than in real time does not count as more than one session", () => {
  const [fast, usual] = [20, 1].map((pace) => {
    const world = new World(AVX2);
    world.beginMany(LEAST_SESSIONS);
    world.pass(60, 0.9, pace);
    return world.load.report.sessions;
  }) as [number, number];
  expect(Math.abs(fast - usual)).toBeLessThanOrEqual(1);
});

test("work of other programs on the machine costs no session: only processor time counts", () => {
  const world = new World(AVX2);
  world.beginMany(LEAST_SESSIONS);
  world.pass(30, 0.9);
  const before = world.load.report.sessions;
  // The same work, in four times the time.
  world.now += 120_000;
  world.pass(30, 0.9);
  expect(world.load.report.sessions).toBe(before);
});

test("absurd measurements neither close the service forever nor open it without limit", () => {
  const world = new World(AVX2);
  const { costs } = world.load;
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    costs.add({ kind: "final", processorSeconds: value, audioSeconds: 1 });
    costs.add({ kind: "detection", processorSeconds: 1, audioSeconds: value });
  }
  const { sessions } = world.load.report;
  costs.add({ kind: "final", processorSeconds: 1e9, audioSeconds: 1 });
  expect(world.beginMany(LEAST_SESSIONS)).toBe(LEAST_SESSIONS);
  for (let minute = 0; minute < 60; minute++) world.pass(60, 0.9);
  expect(Math.abs(world.load.report.sessions - sessions)).toBeLessThan(sessions);
});

test("never admits beyond the measured capacity and the least number, and never refuses forever", () => {
  const step = fc.record({
    clients: fc.nat(20),
    leave: fc.nat(20),
    seconds: fc.integer({ min: 1, max: 20 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const speed = fc.record({
    final: fc.double({ min: 0.005, max: 1, noNaN: true }),
    detection: fc.double({ min: 0.002, max: 0.2, noNaN: true }),
    service: fc.double({ min: 0.005, max: 0.06, noNaN: true }),
  });
  const machine = fc.record({
    cores: fc.double({ min: 0.5, max: 64, noNaN: true }),
    recognizers: fc.integer({ min: 1, max: 64 }),
  });
  fc.assert(
    fc.property(speed, machine, fc.array(step, { maxLength: 12 }), (costs, parts, steps) => {
      const world = new World(costs, parts);
      for (const { clients, leave, seconds, share } of steps) {
        for (let client = 0; client < clients; client++) {
          const { sessions } = world.load.report;
          const before = world.load.sessions;
          expect(world.begin()).toBe(before < sessions);
        }
        world.running.splice(0, leave);
        world.pass(seconds, share);
      }
      world.running.length = 0;
      world.now += 5_000;
      expect(world.beginMany(LEAST_SESSIONS)).toBe(LEAST_SESSIONS);
    }),
    { numRuns: 60 },
  );
});

test("another model of a running session is admitted by what it costs more, and that is reserved", () => {
  const measured = (model: string, final: number, seconds: number, world: World) => {
    for (let count = 0; count < seconds; count++) {
      world.load.costs.add({ kind: "final", model, processorSeconds: final, audioSeconds: 1 });
      world.load.costs.addAudio(1, 1);
    }
  };
  const few = new World(AVX2);
  few.beginMany(LEAST_SESSIONS);
  expect(few.load.useModel("1", 1, "large", "small")).toBe(true);

  const world = new World(AVX2);
  measured("large", 0.4, 60, world);
  measured("small", 0.07, 600, world);
  expect(world.beginMany(7)).toBe(7);
  world.pass(60, 0.6);
  const { sessions } = world.load.report;
  const changes = ["1", "2", "3", "4", "5"].map((id) => world.load.useModel(id, 1, "large", "small"));
  // Each finds less room than the one before.
  expect(changes[0]).toBe(true);
  expect(changes.at(-1)).toBe(false);
  expect(changes).toEqual([...changes].sort((one, other) => Number(other) - Number(one)));
  expect(world.load.report.sessions).toBeLessThan(sessions);
  // A model that costs less always fits, and gives back what the session had reserved.
  for (const id of ["1", "2", "3", "4", "5"]) expect(world.load.useModel(id, 1, "small", "large")).toBe(true);
  expect(world.load.report.sessions).toBe(sessions);
  // The cost of a model without a measured final is assumed to be twice the mean.
  expect(world.load.costs.differenceOf("unknown", "small")).toBeGreaterThan(0.05);
});
