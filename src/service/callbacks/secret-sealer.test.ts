import { expect, test } from "vitest";
import { SecretSealer } from "./secret-sealer.ts";

test("a secret is sealed with the operator's key, and opened with no other", () => {
  const keeper = new SecretSealer("correct horse");
  const stored = keeper.make();
  expect(stored).toMatch(/^sealed:v1:/);
  const secret = keeper.open(stored) ?? "";
  expect(secret).toMatch(/^whsec_/);
  expect(stored).not.toContain(secret.slice(6));
  expect(keeper.seal(secret)).not.toBe(stored);
  expect(new SecretSealer("battery staple").open(stored)).toBeUndefined();
  expect(new SecretSealer("").open(stored)).toBeUndefined();
  expect(keeper.open("sealed:v1:")).toBeUndefined();
  expect(keeper.open(stored.slice(0, -8))).toBeUndefined();
});

test("secrets that were stored without a key are read, and are not current once there is a key", () => {
  const before = new SecretSealer("").make();
  const keeper = new SecretSealer("correct horse");
  expect(keeper.open(before)).toBe(before);
  expect(keeper.isCurrent(before)).toBe(false);
  expect(keeper.isCurrent(keeper.seal(before))).toBe(true);
});

test("the previous key opens secrets that it sealed, and seals none", () => {
  const stored = new SecretSealer("old").make();
  const keeper = new SecretSealer("new", "old");
  const secret = keeper.open(stored) ?? "";
  expect(secret).toMatch(/^whsec_/);
  expect(keeper.isCurrent(stored)).toBe(false);
  const sealed = keeper.seal(secret);
  expect(new SecretSealer("new").open(sealed)).toBe(secret);
  expect(new SecretSealer("old").open(sealed)).toBeUndefined();
});
