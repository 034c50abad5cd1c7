import { expect, test } from "vitest";
import { Guesses, networkOf } from "./guesses.ts";

const wrong = async () => undefined;
const right = async () => "account";
const from = (address: string, hash: string, isGuessable = true) => ({ address, hash, isGuessable });

test("an address with too many wrong keys is throttled; others and keys that were right are not; time forgives", async () => {
  let now = 0;
  const guesses = new Guesses(() => now);
  await guesses.attempt(from("attacker", "known"), right);
  for (let count = 0; count < 20; count++) await guesses.attempt(from("attacker", `guess ${count}`), wrong);
  await expect(guesses.attempt(from("attacker", "guess 21"), wrong)).rejects.toThrow(/wait/);
  expect(await guesses.attempt(from("attacker", "known"), right)).toBe("account");
  expect(await guesses.attempt(from("somebody", "new"), right)).toBe("account");
  now += 3_000;
  expect(await guesses.attempt(from("attacker", "guess 22"), wrong)).toBeUndefined();
  await expect(guesses.attempt(from("attacker", "guess 23"), wrong)).rejects.toThrow(/wait/);
});

test("a key that is revoked is no longer one that was right", async () => {
  const guesses = new Guesses(() => 0);
  await guesses.attempt(from("address", "revoked"), right);
  for (let count = 0; count < 20; count++) await guesses.attempt(from("address", "revoked"), wrong);
  await expect(guesses.attempt(from("address", "revoked"), wrong)).rejects.toThrow();
});

test("parallel guesses are looked up no further than as many as may be wrong", async () => {
  const guesses = new Guesses(() => 0);
  let lookUps = 0;
  const slow = async () => {
    lookUps++;
    await new Promise((resolve) => setImmediate(resolve));
    return undefined;
  };
  const attempts = Array.from({ length: 300 }, (_, count) => guesses.attempt(from("attacker", `guess ${count}`), slow));
  const refused = (await Promise.allSettled(attempts)).filter(({ status }) => status === "rejected");
  expect(lookUps).toBe(20);
  expect(refused).toHaveLength(280);
});

test("many right keys behind one address at the same moment all pass, and one key many times", async () => {
  const guesses = new Guesses(() => 0);
  const keys = Array.from({ length: 200 }, (_, count) => guesses.attempt(from("proxy", `key ${count}`), right));
  const same = Array.from({ length: 200 }, () => guesses.attempt(from("proxy", "one"), right));
  expect(new Set(await Promise.all([...keys, ...same]))).toEqual(new Set(["account"]));
});

test("a look-up that fails counts as no guess", async () => {
  const guesses = new Guesses(() => 0);
  const broken = () => Promise.reject(new Error("no database"));
  for (let count = 0; count < 50; count++) {
    await expect(guesses.attempt(from("client", `key ${count}`), broken)).rejects.toThrow("no database");
  }
  expect(await guesses.attempt(from("client", "key"), right)).toBe("account");
});

test("guesses of an operator's own key from many addresses are throttled together; keys with 256 random bits are not", async () => {
  let now = 0;
  const guesses = new Guesses(() => now);
  for (let count = 0; count < 600; count++)
    await guesses.attempt(from(`10.0.${count >> 8}.${count & 255}`, `${count}`), wrong);
  await expect(guesses.attempt(from("192.0.2.1", "x"), wrong)).rejects.toThrow(/wait/);
  expect(await guesses.attempt(from("192.0.2.1", "y", false), right)).toBe("account");
  now += 100;
  expect(await guesses.attempt(from("192.0.2.2", "z"), right)).toBe("account");
});

test("one attacker cannot flush the counts of another one, or its own by many networks", async () => {
  const guesses = new Guesses(() => 0);
  for (let count = 0; count < 20; count++) await guesses.attempt(from("attacker", `guess ${count}`, false), wrong);
  for (let count = 0; count < 9_999; count++) await guesses.attempt(from(`other ${count}`, `o ${count}`, false), wrong);
  await expect(guesses.attempt(from("attacker", "again", false), wrong)).rejects.toThrow(/wait/);
});

test("addresses of one IPv6 network are one place, mapped IPv4 addresses are IPv4", () => {
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:db8:1:2:bbbb::2"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(networkOf("192.0.2.1")).not.toBe(networkOf("192.0.2.2"));
  expect(networkOf("fe80::1%eth0")).toBe(networkOf("fe80::2%eth1"));
  expect(networkOf("not an address")).toBe("not an address");
});
