import { expect, test } from "vitest";
import { Guesses } from "./guesses.ts";

test("an address that is wrong too often waits; others and keys that were right do not; time forgives", () => {
  let now = 0;
  const guesses = new Guesses(() => now);
  guesses.wasRight("known");
  for (let count = 0; count < 20; count++) {
    guesses.check("attacker", `guess ${count}`);
    guesses.wasWrong("attacker", `guess ${count}`);
  }
  expect(() => guesses.check("attacker", "guess 21")).toThrow(/wait/);
  expect(() => guesses.check("attacker", "known")).not.toThrow();
  expect(() => guesses.check("somebody", "new")).not.toThrow();
  now += 3_000;
  expect(() => guesses.check("attacker", "guess 22")).not.toThrow();
  guesses.wasWrong("attacker", "guess 22");
  expect(() => guesses.check("attacker", "guess 23")).toThrow(/wait/);
});

test("a key that is revoked is no longer one that was right", () => {
  const guesses = new Guesses(() => 0);
  guesses.wasRight("revoked");
  for (let count = 0; count < 20; count++) guesses.wasWrong("address", "revoked");
  expect(() => guesses.check("address", "revoked")).toThrow();
});
