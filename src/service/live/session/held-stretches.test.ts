import { expect, test } from "vitest";
import { Progress } from "../channel/progress.ts";
import { HeldStretches, type Range } from "./held-stretches.ts";

function held() {
  const decided = [new Progress(), new Progress(), new Progress()];
  const reported: [number, Range][] = [];
  const others = (channel: number) => decided.filter((_, other) => other !== channel);
  const stretches = new HeldStretches(
    (channel, seconds) => Promise.all(others(channel).map((one) => one.reached(seconds))),
    (channel, range) => reported.push([channel, range]),
  );
  return { decided, reported, stretches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a stretch is reported when the finals of all other channels are decided", async () => {
  const { decided, reported, stretches } = held();
  stretches.add(0, [1, 2]);
  stretches.add(0, [4, 5]);
  decided[0]?.end();
  decided[1]?.advance(9);
  decided[2]?.advance(1.9);
  await turn();
  expect(reported).toEqual([]);
  expect(stretches.of(0)).toEqual([
    [1, 2],
    [4, 5],
  ]);
  decided[2]?.advance(2);
  await turn();
  expect(reported).toEqual([[0, [1, 2]]]);
  expect(stretches.of(0)).toEqual([[4, 5]]);
  decided[2]?.end();
  await stretches.settled();
  expect(reported).toHaveLength(2);
  expect(stretches.of(0)).toEqual([]);
});

test("a session that stops reports nothing more, and what it held is for the next process", async () => {
  const { decided, reported, stretches } = held();
  stretches.add(1, [1, 2]);
  stretches.stop();
  for (const one of decided) one.end();
  await stretches.settled();
  expect(reported).toEqual([]);
  expect(stretches.of(1)).toEqual([[1, 2]]);
});
