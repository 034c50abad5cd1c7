// Heartbeats of a fleet against a clock that the test moves.
import { pino } from "pino";
import { expect, test } from "vitest";
import type { LiveNode } from "../log-contract.ts";
import { Nodes } from "./nodes.ts";

const DOWN_MILLISECONDS = 15_000;

function fleet() {
  let time = 1_000_000;
  const nodes = new Nodes(
    { machines: {} as never },
    {
      machine: "own",
      downMilliseconds: DOWN_MILLISECONDS,
      everyMilliseconds: 4_000,
      onStored: () => undefined,
      now: () => time,
      logger: pino({ level: "silent" }),
    },
  );
  const beat = (key: string, text = "") => nodes.take({ key, operation: "PUT", value: Buffer.from(text) });
  return {
    nodes,
    beat,
    pass: (milliseconds: number) => (time += milliseconds),
    /** Time in which these send heartbeats. */
    run: (milliseconds: number, ...keys: string[]) => {
      for (let passed = 0; passed < milliseconds; passed += 4_000) {
        time += 4_000;
        for (const key of keys) beat(key);
      }
    },
  };
}

test("a process that sends no heartbeats for a period is down, and one that stops is down at once", () => {
  const { nodes, beat, run } = fleet();
  // Before the own heartbeat has arrived, others may be missing.
  beat("a");
  expect(nodes.runningOthers()).toBeUndefined();
  beat("b");
  beat("own");
  expect(nodes.runningOthers()).toEqual(["a", "b"]);
  run(DOWN_MILLISECONDS + 4_000, "own", "b");
  expect(nodes.runningOthers()).toEqual(["b"]);
  nodes.take({ key: "b", operation: "DEL", value: new Uint8Array() });
  expect(nodes.runningOthers()).toEqual([]);
});

test("after a stall of this process or of NATS, the others are unknown until they had time for a heartbeat", () => {
  const { nodes, beat, pass, run } = fleet();
  for (const key of ["a", "own"]) beat(key);
  pass(36_000);
  expect(nodes.runningOthers()).toBeUndefined();
  beat("own");
  expect(nodes.runningOthers()).toBeUndefined();
  run(8_000, "own");
  expect(nodes.runningOthers()).toBeUndefined();
  run(8_000, "own", "a");
  expect(nodes.runningOthers()).toEqual(["a"]);
});

test("the reports of others are those of their last heartbeats", () => {
  const { nodes, beat, pass } = fleet();
  const report: LiveNode = { sessions: 3, capacity: 4, isAccepting: true, models: ["m"] };
  beat("own", JSON.stringify(report));
  beat("a", JSON.stringify(report));
  beat("a", JSON.stringify({ ...report, sessions: 4, isAccepting: false }));
  beat("of the previous version");
  expect(nodes.others()).toEqual([{ ...report, sessions: 4, isAccepting: false }, undefined]);
  pass(DOWN_MILLISECONDS + 1);
  expect(nodes.others()).toEqual([]);
});
