import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SESSION_TRANSITIONS } from "../../service/live/session/session-state.ts";
import { DELIVERY_TRANSITIONS } from "../storage/db/deliveries/delivery-states.ts";
import { JOB_TRANSITIONS } from "../storage/db/jobs/job-states.ts";
import { StateMachine, statesWith, type Transitions, transitionTable } from "./state-machine.ts";

const DOOR: Transitions<"open" | "closed", "push" | "lock"> = {
  open: { push: "closed", lock: null },
  closed: { push: "open", lock: "closed" },
};

test("an event moves the machine, or has no effect and is reported as such", () => {
  const door = new StateMachine(DOOR, "open");
  expect([door.apply("lock"), door.state]).toEqual([false, "open"]);
  expect([door.apply("push"), door.state]).toEqual([true, "closed"]);
  expect([door.apply("lock"), door.state]).toEqual([true, "closed"]);
  expect(door.isIn("open", "closed")).toBe(true);
  expect(statesWith(DOOR, "lock")).toEqual(["closed"]);
});

test.each([
  ["a live session", transitionTable(SESSION_TRANSITIONS)],
  ["a job", transitionTable(JOB_TRANSITIONS)],
  ["a delivery", transitionTable(DELIVERY_TRANSITIONS)],
])("docs/architecture-states.md shows the states of %s as the code has them", (_, table) => {
  const document = readFileSync(new URL("../../../docs/architecture-states.md", import.meta.url), "utf8");
  expect(document.replace(/\r\n/g, "\n")).toContain(table);
});

test("every state of a session, a job and a delivery can be reached, and none of a session is left after its end", () => {
  const reached = <State extends string>(transitions: Transitions<State, string>, from: State): Set<State> => {
    const found = new Set([from]);
    for (const state of found)
      for (const next of Object.values<State | null>(transitions[state])) if (next !== null) found.add(next);
    return found;
  };
  expect(reached(SESSION_TRANSITIONS, "new").size).toBe(Object.keys(SESSION_TRANSITIONS).length);
  expect(reached(JOB_TRANSITIONS, "queued").size).toBe(Object.keys(JOB_TRANSITIONS).length);
  expect(reached(DELIVERY_TRANSITIONS, "pending").size).toBe(Object.keys(DELIVERY_TRANSITIONS).length);
  expect(reached(SESSION_TRANSITIONS, "ended")).toEqual(new Set(["ended", "moved"]));
  // S6
  expect(reached(SESSION_TRANSITIONS, "moved")).toEqual(new Set(["moved"]));
});
