// Keys of encrypted streams of SRT.
import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { EVEN, ODD, StreamKeys } from "./encryption.ts";

const PASSPHRASE = "correct horse battery";
const SEQUENCE = 0x1234_5678;

test.each([16, 24, 32] as const)(
  "a server with the passphrase reads what the other side encrypts (%i bytes)",
  (bytes) => {
    const [caller, server] = [new StreamKeys(PASSPHRASE, bytes), new StreamKeys(PASSPHRASE, bytes)];
    expect(server.accept(caller.message, 0)).toBe(true);
    const encrypted = server.decrypt(Buffer.from("a transport stream"), EVEN, SEQUENCE) as Buffer;
    expect(encrypted.toString("latin1")).not.toContain("transport");
    expect(caller.decrypt(encrypted, EVEN, SEQUENCE)?.toString()).toBe("a transport stream");
    expect(caller.decrypt(encrypted, EVEN, SEQUENCE + 1)?.toString()).not.toContain("transport");
    expect([caller.decrypt(encrypted, ODD, SEQUENCE), caller.decrypt(encrypted, 0, SEQUENCE)]).toEqual([
      undefined,
      undefined,
    ]);
  },
);

test("the message and the counter are those of the standard", () => {
  const keys = new StreamKeys(PASSPHRASE, 16);
  const { message } = keys;
  expect(message.toString("hex", 0, 16)).toBe("12202901000000000200020000000404");
  expect(message).toHaveLength(16 + 16 + 8 + 16);
  const salt = message.subarray(16, 32);
  const wrapping = pbkdf2Sync(PASSPHRASE, salt.subarray(8), 2_048, 16, "sha1");
  const unwrap = createDecipheriv("aes128-wrap", wrapping, Buffer.alloc(8, 0xa6));
  const key = Buffer.concat([unwrap.update(message.subarray(32)), unwrap.final()]);
  const counter = Buffer.concat([salt.subarray(0, 14), Buffer.alloc(2)]);
  const [a, b, c, d] = [0x12, 0x34, 0x56, 0x78];
  [a, b, c, d].forEach((byte, at) => {
    counter[10 + at] = (counter[10 + at] as number) ^ byte;
  });
  const plain = Buffer.from("packets of a stream");
  expect(keys.decrypt(createDecipheriv("aes-128-ctr", key, counter).update(plain), EVEN, SEQUENCE)).toEqual(plain);
});

test("new keys of a server are accepted, once a second; the same message again is confirmed again", () => {
  const [caller, server] = [new StreamKeys(PASSPHRASE, 16), new StreamKeys(PASSPHRASE, 16)];
  expect(caller.accept(server.message, 5_000)).toBe(true);
  expect(caller.accept(server.message, 5_001)).toBe(true);
  expect(caller.decrypt(server.decrypt(Buffer.from("new"), EVEN, 1) as Buffer, EVEN, 1)?.toString()).toBe("new");
  const other = new StreamKeys(PASSPHRASE, 16);
  expect(caller.accept(other.message, 5_500)).toBe(false);
  expect(caller.accept(other.message, 6_500)).toBe(true);
});

test("messages of another passphrase, damaged and random ones change nothing", () => {
  const [caller, server] = [new StreamKeys(PASSPHRASE, 16), new StreamKeys(PASSPHRASE, 16)];
  server.accept(caller.message, 0);
  const works = () => caller.decrypt(server.decrypt(Buffer.from("still"), EVEN, 1) as Buffer, EVEN, 1)?.toString();
  expect(caller.accept(new StreamKeys("another passphrase", 16).message, 0)).toBe(false);
  const { message } = new StreamKeys(PASSPHRASE, 16);
  for (let at = 0; at < message.length; at++) {
    // Bytes that are not used, and half of the salt, which the wrapping key does not depend on.
    if ((at >= 4 && at < 8) || (at >= 9 && at < 14) || (at >= 16 && at < 24)) continue;
    const damaged = Buffer.from(message);
    damaged[at] = (damaged[at] as number) ^ (at === 3 ? EVEN : 0x7f);
    expect([at, caller.accept(damaged, 10_000 * (at + 1))]).toEqual([at, false]);
    expect(caller.accept(message.subarray(0, at), 10_000 * (at + 1) + 5_000)).toBe(false);
  }
  expect(works()).toBe("still");
});
