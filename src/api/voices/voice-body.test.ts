import { expect, test } from "vitest";
import { cleanName } from "./voice-body.ts";

test.each([
  ["  Maria \t Lopez\n", "Maria Lopez"],
  ["\u001b[31mMaria\u0007", "[31mMaria"],
  ["\u202eMaria\u2066", "Maria"],
  ["محمد علی", "محمد علی"],
])("a name is stored without control characters: %j", (given, stored) => {
  expect(cleanName(given)).toBe(stored);
});
