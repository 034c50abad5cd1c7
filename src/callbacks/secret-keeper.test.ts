import { expect, test } from "vitest";
import { SecretKeeper } from "./secret-keeper.ts";

test("a secret is sealed with the operator's key, and opened with no other", () => {
  const keeper = new SecretKeeper("correct horse");
  const stored = keeper.make();
  expect(stored).toMatch(/^sealed:v1:/);
  const secret = keeper.open(stored);
  expect(secret).toMatch(/^whsec_/);
  expect(stored).not.toContain(secret.slice(6));
  expect(keeper.seal(secret)).not.toBe(stored);
  expect(() => new SecretKeeper("battery staple").open(stored)).toThrow(/PARLANCE_SECRETS_KEY/);
  expect(() => new SecretKeeper("").open(stored)).toThrow(/PARLANCE_SECRETS_KEY/);
});

test("secrets of before are read as they are, and wanted sealed once there is a key", () => {
  const before = new SecretKeeper("").make();
  const keeper = new SecretKeeper("correct horse");
  expect(keeper.open(before)).toBe(before);
  expect(keeper.isOpen(before)).toBe(true);
  expect(keeper.isOpen(keeper.seal(before))).toBe(false);
});
