import { expect, test } from "vitest";
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
  const cuts = found.filter((event) => event.kind === "end" && event.reason === "maximum");
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

test("only an end of the last window can be undone", () => {
  const endpointing = new Endpointing(options);
  for (const probability of [...stretch(10, 0.9), ...stretch(4, 0.1)]) endpointing.push(probability);
  expect(endpointing.hold(1)).toBe(false);
  expect(new Endpointing(options).hold(1)).toBe(false);
});
