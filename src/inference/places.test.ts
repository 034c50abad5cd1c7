import { expect, test } from "vitest";
import { Places } from "./places.ts";

test("a place that is free is taken at once", () => {
  const places = new Places(2);
  const told: string[] = [];
  const tell = () => told.push("told");
  const leave = places.take(tell);
  expect(leave).toBeDefined();
  expect(places.take(tell)).toBeDefined();
  leave?.();
  expect(told).toEqual([]);
});

test("who has waited longest is told first; who wants it no longer holds nobody up", () => {
  const places = new Places(1);
  const told: string[] = [];
  const leaving: (() => void)[] = [];
  const ask = (name: string) => {
    const leave = places.take(() => {
      told.push(name);
      ask(name);
    });
    if (leave) leaving.push(leave);
  };
  ask("holder");
  places.take(() => told.push("gone"));
  ask("next");
  ask("last");
  leaving.shift()?.();
  expect(told).toEqual(["gone", "next"]);
  leaving.shift()?.();
  expect(told).toEqual(["gone", "next", "last"]);
});
