import { describe, expect, test } from "vitest";
import { Endpointing, type EndpointingEvent } from "./endpointing.ts";

const options = { threshold: 0.6, endpointingSeconds: 0.1, maximumSeconds: 5, windowSeconds: 0.032 };

function events(probabilities: number[], changes: Partial<typeof options> = {}): EndpointingEvent[] {
  const endpointing = new Endpointing({ ...options, ...changes });
  return probabilities.map((probability) => endpointing.push(probability)).filter((event) => event !== undefined);
}
const stretch = (windows: number, value: number) => new Array<number>(windows).fill(value);

test("an utterance begins at the threshold and ends after its silence", () => {
  expect(events([...stretch(5, 0.1), ...stretch(10, 0.9), ...stretch(10, 0.1)])).toEqual([
    { kind: "start", window: 5 },
    { kind: "end", window: 17, silentFrom: 15, reason: "silence" },
  ]);
});

test("a gap shorter than the endpointing does not end the utterance, nor does a probability that fluctuates", () => {
  const gap = [...stretch(5, 0.9), ...stretch(2, 0.1), ...stretch(5, 0.9)];
  expect(events(gap)).toEqual([{ kind: "start", window: 0 }]);
  expect(events(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0.7 : 0.5)))).toEqual([
    { kind: "start", window: 0 },
  ]);
});

test("the smallest endpointing ends at the first silent window", () => {
  expect(events([0.9, 0.9, 0.1], { endpointingSeconds: 0.01 })).toContainEqual({
    kind: "end",
    window: 2,
    silentFrom: 2,
    reason: "silence",
  });
});

test("speech without a pause is cut at the maximum length, and the next utterance begins at once", () => {
  const found = events(stretch(400, 0.95));
  expect(found.filter(({ kind }) => kind === "start")).toHaveLength(1);
  const cuts = found.filter((event) => event.kind === "end").filter(({ reason }) => reason === "maximum");
  expect(cuts).toHaveLength(2);
  expect(cuts.map(({ window }) => window)).toEqual([155, 311]);
});

test("a silence at the maximum length may end the utterance; if speech resumes, it is cut", () => {
  const cut = (...windows: number[][]) =>
    events(windows.flat(), { maximumSeconds: 1 }).filter((one) => one.kind === "end");
  expect(cut(stretch(30, 0.9), stretch(6, 0.1))).toEqual([
    { kind: "end", window: 32, silentFrom: 30, reason: "silence" },
  ]);
  expect(cut(stretch(30, 0.9), stretch(2, 0.1), stretch(5, 0.9))).toEqual([
    { kind: "end", window: 32, silentFrom: 32, reason: "maximum" },
  ]);
  // A long endpointing does not delay the cut.
  const long = { maximumSeconds: 1, endpointingSeconds: 5 };
  expect(events([...stretch(20, 0.9), ...stretch(20, 0.1)], long)).toContainEqual({
    kind: "end",
    window: 30,
    silentFrom: 20,
    reason: "maximum",
  });
});

test("a held utterance continues with speech, or ends after the longer silence, once", () => {
  const endpointing = new Endpointing(options);
  const push = (...probabilities: number[]) =>
    probabilities.map((probability) => endpointing.push(probability)).filter((event) => event !== undefined);
  const untilEnd = [...stretch(10, 0.9), ...stretch(3, 0.1)];
  expect(push(...untilEnd).at(-1)).toMatchObject({ kind: "end", silentFrom: 10 });
  expect(endpointing.hold(0.32)).toBe(true);
  expect(endpointing.isHeld && endpointing.isSpeech).toBe(true);
  // Too little for the beginning of speech.
  expect(push(0.1, 0.5, 0.1)).toEqual([]);
  expect(endpointing.isHeld).toBe(true);
  expect(push(...stretch(5, 0.9))).toEqual([]);
  expect(endpointing.isHeld).toBe(false);
  expect(push(...stretch(3, 0.1))).toEqual([{ kind: "end", window: 23, silentFrom: 21, reason: "silence" }]);
  expect(endpointing.hold(0.32)).toBe(true);
  expect(push(...stretch(7, 0.1))).toEqual([{ kind: "end", window: 30, silentFrom: 21, reason: "silence" }]);
  expect(endpointing.hold(0.32)).toBe(false);
  expect(endpointing.isSpeech).toBe(false);
});

test("a held silence lasts longer while a voice may begin, but not without bound", () => {
  const endpointing = new Endpointing(options);
  const push = (...probabilities: number[]) =>
    probabilities.map((probability) => endpointing.push(probability)).filter((event) => event !== undefined);
  push(...stretch(10, 0.9), ...stretch(3, 0.1));
  expect(endpointing.hold(0.32)).toBe(true);
  expect(push(...stretch(6, 0.02), ...stretch(4, 0.25), 0.9)).toEqual([]);
  expect(endpointing.isHeld).toBe(false);
  push(...stretch(3, 0.1));
  expect(endpointing.hold(0.32)).toBe(true);
  expect(push(...stretch(12, 0.25))).toMatchObject([{ kind: "end", window: 38, silentFrom: 24 }]);
});

test("only an end of the last window can be undone", () => {
  const endpointing = new Endpointing(options);
  for (const probability of [...stretch(10, 0.9), ...stretch(4, 0.1)]) endpointing.push(probability);
  expect(endpointing.hold(1)).toBe(false);
  expect(new Endpointing(options).hold(1)).toBe(false);
});

describe("judged pauses", () => {
  const bounds = { minimumSeconds: 0.2, maximumSeconds: 2 };
  const judging = (isJudging = true) =>
    new Endpointing({ ...options, endpointingSeconds: 0.5, turns: { ...bounds, isJudging: () => isJudging } });
  const push = (endpointing: Endpointing, ...probabilities: number[]) =>
    probabilities.map((probability) => endpointing.push(probability)).filter((event) => event !== undefined);

  test("a judgement is requested at the least silence and once more; it ends the utterance after the silence that it requires", () => {
    const endpointing = judging();
    expect(push(endpointing, ...stretch(10, 0.9), ...stretch(6, 0.1)).at(-1)).toEqual({
      ...{ kind: "pause", silentFrom: 10, windows: 6 },
    });
    expect(endpointing.judge(0.05)).toEqual({ kind: "end", window: 15, silentFrom: 10, reason: "silence" });
    expect(endpointing.isSpeech).toBe(false);
    push(endpointing, ...stretch(10, 0.9), ...stretch(6, 0.1));
    expect(endpointing.judge(0.9)).toBeUndefined();
    expect(push(endpointing, ...stretch(12, 0.1))).toEqual([]);
    expect(push(endpointing, 0.1)).toEqual([{ kind: "pause", silentFrom: 26, windows: 19 }]);
    expect(endpointing.judge(0.7)).toBeUndefined();
    expect(push(endpointing, ...stretch(3, 0.1))).toEqual([
      { kind: "end", window: 47, silentFrom: 26, reason: "silence" },
    ]);
  });

  test("speech continues the utterance, and the next pause has a judgement of its own", () => {
    const endpointing = judging();
    push(endpointing, ...stretch(10, 0.9), ...stretch(6, 0.1));
    endpointing.judge(0.4);
    expect(push(endpointing, ...stretch(3, 0.1), ...stretch(5, 0.9), ...stretch(6, 0.1))).toEqual([
      { kind: "pause", silentFrom: 24, windows: 6 },
    ]);
    expect(endpointing.judge(10)).toBeUndefined();
    const rest = push(endpointing, ...stretch(60, 0.1));
    // The longest wait bounds every judgement.
    expect(rest.at(-1)).toEqual({ kind: "end", window: 86, silentFrom: 24, reason: "silence" });
  });

  test("without a judgement the longest silence ends the utterance; a pause at the maximum length lasts a second", () => {
    expect(push(judging(), ...stretch(10, 0.9), ...stretch(80, 0.1)).at(-1)).toMatchObject({ window: 72 });
    expect(push(judging(), ...stretch(150, 0.9), ...stretch(80, 0.1)).at(-1)).toMatchObject({
      ...{ window: 180, reason: "silence" },
    });
  });

  test("while pauses are not judged, the endpointing applies", () => {
    expect(push(judging(false), ...stretch(10, 0.9), ...stretch(30, 0.1))).toEqual([
      { kind: "start", window: 0 },
      { kind: "end", window: 25, silentFrom: 10, reason: "silence" },
    ]);
  });
});

describe("a change of the settings", () => {
  const ends = (endpointing: Endpointing, probabilities: number[]) =>
    probabilities.map((probability) => endpointing.push(probability)).filter((event) => event?.kind === "end");
  const judged = { minimumSeconds: 0.2, maximumSeconds: 2, isJudging: () => true };

  test("applies from the next window on, also within a silence", () => {
    const endpointing = new Endpointing({ ...options, endpointingSeconds: 3 });
    expect(ends(endpointing, [...stretch(10, 0.9), ...stretch(20, 0.1)])).toEqual([]);
    endpointing.configure({ endpointingSeconds: 0.1 });
    expect(ends(endpointing, [0.1])).toEqual([{ kind: "end", window: 30, silentFrom: 10, reason: "silence" }]);
    expect(ends(endpointing, [...stretch(10, 0.9), ...stretch(3, 0.1)])).toHaveLength(1);
  });

  test("begins and ends the judgement of pauses", () => {
    const endpointing = new Endpointing(options);
    endpointing.configure({ endpointingSeconds: 0.1, turns: judged });
    const events = [...stretch(10, 0.9), ...stretch(6, 0.1)].map((probability) => endpointing.push(probability));
    expect(events.at(-1)).toEqual({ kind: "pause", silentFrom: 10, windows: 6 });
    // The judgement would wait for two seconds: the new bound is shorter.
    expect(endpointing.judge(2)).toBeUndefined();
    endpointing.configure({ endpointingSeconds: 0.1, turns: { ...judged, maximumSeconds: 0.32 } });
    expect(ends(endpointing, stretch(4, 0.1))).toEqual([
      { kind: "end", window: 19, silentFrom: 10, reason: "silence" },
    ]);
    endpointing.configure({ endpointingSeconds: 0.1 });
    expect(ends(endpointing, [...stretch(10, 0.9), ...stretch(3, 0.1)])).toHaveLength(1);
  });
});
