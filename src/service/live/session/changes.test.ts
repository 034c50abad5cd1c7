import { beforeEach, expect, test } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import type { ChannelChange, TurnOptions } from "../channel/channel-contract.ts";
import type { LiveEvent } from "../events/live-event.ts";
import { SessionChanges, withChange } from "./changes.ts";
import type { SessionModels } from "./session-contract.ts";

const REQUEST = parseLiveParameters({
  ...{ endpointing: 0.5, turn_detection: { mode: "smart", threshold: 0.6, maximum_silence: 3 } },
  realtime_processing: { numerals: false, custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Ada"] } },
});
const modelsFor = (languages: readonly string[]): SessionModels => ({
  plan: { model: `model of ${languages}`, languages, isSwitching: false },
});
const SILENT = parseLiveParameters({ endpointing: 0.5 });
const spoken: Utterance = {
  ...{ text: " Grase", language: "en", start: 0, end: 1, confidence: 1, channel: 0 },
  words: [{ word: " Grase", start: 0, end: 1, confidence: 1 }],
};

let silences: number[] = [];
const clock = { configure: (seconds: number) => void silences.push(seconds) };
beforeEach(() => {
  silences = [];
});

class World {
  readonly sent: LiveEvent[] = [];
  readonly applied: ChannelChange[] = [];
  seconds = 0;
  isRecording = true;
  found = 0;
  usedTurns = 0;
  refusal: string | undefined;
  readonly prepared: (readonly string[])[] = [];

  constructor(readonly log = new MemoryLog()) {}

  open(request = SILENT): SessionChanges {
    const turns = {
      find: async () => void this.found++,
      optionsFor: (parameters: object) => ({ ...parameters, isJudging: () => true }) as TurnOptions,
    };
    const models = new Map<string, SessionModels>();
    const languages = {
      of: ({ language_config: { languages: named } }: typeof SILENT) => {
        const found = models.get(`${named}`) ?? modelsFor(named);
        models.set(`${named}`, found);
        return found;
      },
      choose: async () => this.refusal,
    };
    return new SessionChanges({
      params: { request, endpointingSeconds: request.endpointing, models: languages.of(request) },
      languages,
      release: () => Math.round(this.seconds * 16_000) - 3,
      usesLanguages: (named) => this.prepared.push(named),
      log: this.log.open(),
      outbox: { send: async (event) => void this.sent.push(event) },
      turns: turns as never,
      isRecording: () => this.isRecording,
      seconds: () => this.seconds,
      apply: (change) => this.applied.push(change),
      usesTurns: () => this.usedTurns++,
    });
  }
}

test("what a change does not name stays", () => {
  const changed = withChange(REQUEST, { turn_detection: { threshold: 0.9 } });
  expect(changed).toMatchObject({
    endpointing: 0.5,
    turn_detection: { mode: "smart", threshold: 0.9, maximum_silence: 3 },
  });
  expect(changed.realtime_processing).toEqual(REQUEST.realtime_processing);
  const silent = withChange(changed, { endpointing: 1, turn_detection: { mode: "silence" } });
  expect(silent).toMatchObject({ endpointing: 1, turn_detection: { mode: "silence", threshold: 0.9 } });
  expect(withChange(REQUEST, { realtime_processing: { custom_vocabulary: false } }).realtime_processing).toMatchObject({
    ...{ custom_vocabulary: false, numerals: false },
  });
});

test("a change is in the log before it is acknowledged, with the sample from which it applies", async () => {
  const world = new World();
  const changes = world.open();
  world.seconds = 1.5;
  await changes.configure({ endpointing: 2 }, clock);
  expect(silences).toEqual([2]);
  expect(world.log.entries).toEqual([{ kind: "change", sample: 24_000, change: { endpointing: 2 } }]);
  expect(world.applied).toMatchObject([{ sample: 24_000, settings: { endpointingSeconds: 2, vocabulary: [] } }]);
  expect(world.sent).toEqual([{ kind: "configured", seconds: 1.5 }]);
  expect(changes.endpointingSeconds).toBe(2);
  expect([world.found, world.usedTurns]).toEqual([0, 0]);
});

test("a change without fields keeps everything, and its answer states the time", async () => {
  const world = new World();
  const changes = world.open(REQUEST);
  const before = [changes.endpointingSeconds, changes.realtimeOf(), changes.textOf(0)];
  world.seconds = 1.5;
  await changes.configure({}, clock);
  expect(world.sent).toEqual([{ kind: "configured", seconds: 1.5 }]);
  for (const { applied } of world.applied) applied(0);
  expect([changes.endpointingSeconds, changes.realtimeOf(), changes.textOf(0)]).toEqual(before);
  expect(world.applied).toMatchObject([{ sample: 24_000, endsUtterance: false }]);
});

test("the next process has the same changes, and the settings before them", async () => {
  const world = new World();
  const changes = world.open();
  await changes.configure({ turn_detection: { mode: "smart" } }, clock);
  world.seconds = 1;
  await changes.configure(
    {
      realtime_processing: {
        ...{ custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Ada"] } },
        ...{ custom_spelling: true, custom_spelling_config: { spelling_dictionary: { Grace: ["Grase"] } } },
      },
    },
    clock,
  );
  expect([world.found, world.usedTurns]).toEqual([1, 1]);
  const next = new World(world.log);
  const resumed = next.open();
  const shown = (all: readonly ChannelChange[]) =>
    JSON.stringify(all.map(({ sample, settings }) => ({ sample, settings })));
  expect(shown(resumed.known)).toBe(shown(world.applied));
  expect(resumed.initialSettings).toEqual({
    ...{ endpointingSeconds: 0.5, turns: undefined, vocabulary: [] },
    models: modelsFor([]),
  });
  expect(resumed.usesTurns).toBe(true);
  // The wording changes with each channel that reaches the sample.
  expect(resumed.textOf(0).applyTo(spoken).text).toBe(" Grase");
  for (const { applied } of resumed.known) applied(0);
  expect(resumed.textOf(0).applyTo(spoken).text).toContain("Grace");
  expect(resumed.textOf(1).applyTo(spoken).text).toBe(" Grase");
});

test("other languages end the utterance where the audio has arrived, and each channel has them from there on", async () => {
  const world = new World();
  const changes = world.open();
  world.seconds = 2;
  await changes.configure({ language_config: { languages: ["de"] } }, clock);
  world.seconds = 3;
  await changes.configure({ language_config: { languages: ["de"] }, endpointing: 1 }, clock);
  expect(world.log.entries).toMatchObject([
    { kind: "change", sample: 31_997, turnEnd: world.log.open().audio.total },
    { kind: "change", sample: 48_000 },
  ]);
  expect(world.log.entries[1]).not.toHaveProperty("turnEnd");
  expect(world.applied.map(({ endsUtterance }) => endsUtterance)).toEqual([true, false]);
  expect(world.applied[0]?.settings.models).toBe(world.applied[1]?.settings.models);
  expect(world.sent).toEqual([
    { kind: "configured", seconds: 2 },
    { kind: "configured", seconds: 3 },
  ]);
  expect(world.prepared).toEqual([["de"]]);
  expect([changes.modelsOf(0), changes.languagesOf(0).languages]).toEqual([modelsFor([]), []]);
  world.applied[0]?.applied(0);
  expect([changes.modelsOf(0), changes.languagesOf(0).languages]).toEqual([modelsFor(["de"]), ["de"]]);
  expect(changes.languagesOf(1).languages).toEqual([]);
  const resumed = new World(world.log).open();
  expect(resumed.known.map(({ endsUtterance, settings }) => [endsUtterance, settings.models.plan.languages])).toEqual([
    [true, ["de"]],
    [false, ["de"]],
  ]);
});

test("languages without a model leave everything as it was", async () => {
  const world = new World();
  world.refusal = "no model recognises it";
  const changes = world.open();
  await changes.configure({ language_config: { languages: ["de"] }, endpointing: 2 }, clock);
  expect(world.sent).toEqual([{ kind: "configureRefused", reason: "no model recognises it" }]);
  expect([world.log.entries, world.applied, silences]).toEqual([[], [], []]);
  await changes.configure({ endpointing: 2 }, clock);
  expect(world.sent.at(-1)).toEqual({ kind: "configured", seconds: 0 });
});

test("after the stop and beyond a thousand changes, nothing changes", async () => {
  const world = new World();
  const changes = world.open();
  for (let count = 0; count < 1_000; count++) await changes.configure({ endpointing: 1 }, clock);
  await changes.configure({ endpointing: 2 }, clock);
  world.isRecording = false;
  await changes.configure({ endpointing: 2 }, clock);
  expect(world.sent.slice(1_000)).toEqual([
    { kind: "configureRefused", reason: expect.stringContaining("1000 times") },
    { kind: "configureRefused", reason: expect.stringContaining("stopped") },
  ]);
  expect(world.log.entries).toHaveLength(1_000);
  expect(changes.endpointingSeconds).toBe(1);
});

test("a change that contradicts what is in force is refused", async () => {
  const world = new World();
  const changes = world.open(REQUEST);
  await changes.configure({ realtime_processing: { custom_vocabulary: false } }, clock);
  await changes.configure({ realtime_processing: { custom_vocabulary: true } }, clock);
  await changes.configure({ turn_detection: { minimum_silence: 4 } }, clock);
  await changes.configure({ realtime_processing: { custom_spelling: true } }, clock);
  expect(world.sent).toEqual([
    { kind: "configured", seconds: 0 },
    { kind: "configured", seconds: 0 },
    { kind: "configureRefused", reason: expect.stringMatching(/minimum_silence \(4\).*maximum_silence \(3\)/) },
    { kind: "configureRefused", reason: expect.stringContaining("custom_spelling_config is required") },
  ]);
  expect(world.applied.map(({ settings }) => settings.vocabulary.length)).toEqual([0, 1]);
});

test("a thousand changes beside a large vocabulary take little time, now and in the next process", async () => {
  const vocabulary = Array.from({ length: 4_600 }, (_, at) => `Versailles number ${at}`);
  const request = parseLiveParameters({
    realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } },
  });
  const world = new World();
  const changes = world.open(request);
  const before = process.cpuUsage();
  for (let count = 0; count < 1_000; count++)
    await changes.configure({ realtime_processing: { numerals: count % 2 === 0 } }, clock);
  const resumed = new World(world.log).open(request);
  for (const { applied, settings } of resumed.known) {
    applied(0);
    expect(settings.vocabulary).toHaveLength(4_600);
  }
  expect(resumed.textOf(0).applyTo(spoken).text).toBe(" Grase");
  const { user, system } = process.cpuUsage(before);
  // 48 s where each change made an index.
  expect((user + system) / 1e6).toBeLessThan(5);
});

test("changes that are too long together are refused", async () => {
  const world = new World();
  const changes = world.open();
  const vocabulary = Array.from({ length: 2_000 }, (_, at) => `${at}`.padEnd(200, "a"));
  const change = { realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } };
  for (let count = 0; count < 6; count++) await changes.configure(change, clock);
  expect(world.sent.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 4 }, () => "configured"),
    ...["configureRefused", "configureRefused"],
  ]);
});
