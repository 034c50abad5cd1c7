import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FetchAddress, withoutCredentials } from "./fetch-address.ts";

const SECRET = "s3cretword";

test.each([
  [`https://me:${SECRET}@example.com/a.mp3?b=c#d`, "https://example.com/a.mp3?b=c#d"],
  [`https://${SECRET}@example.com/`, "https://example.com/"],
  [`https://:${SECRET}@example.com:8443/a`, "https://example.com:8443/a"],
  [`https://a@b:${SECRET}@example.com/x@y`, "https://example.com/x@y"],
  [`https:\\\\me:${SECRET}@example.com\\a`, "https://example.com/a"],
  [`https:/me:${SECRET}@example.com/a`, "https://example.com/a"],
])("%s is printed without user name and password", (given, shown) => {
  const address = FetchAddress.of(given);
  expect(address.shown).toBe(shown);
  expect(address.hasCredentials).toBe(true);
  expect(`${address} ${JSON.stringify({ address })} ${inspect(address, { showHidden: true, depth: 9 })}`).not.toMatch(
    SECRET,
  );
  expect(FetchAddress.of(address.forStorage()).authorizationFor(new URL(shown).origin)).toMatch(/^Basic /);
});

test.each(["/", "?", "#", "\\"])("an unencoded %s of a password shows no part of it", (sign) => {
  for (const given of [`https://me:${SECRET}${sign}x@example.com/a`, `https://me:x${sign}${SECRET}@b@example.com/a`])
    expect(`${FetchAddress.of(given)} ${FetchAddress.of(given).forStorage()}`).not.toMatch(SECRET);
});

test("an address without them stays as it is given", () => {
  for (const given of ["https://example.com", "http://EXAMPLE.com/a b", "https://example.com/@me", "no address"]) {
    const address = FetchAddress.of(given);
    expect([address.shown, address.forStorage(), address.hasCredentials]).toEqual([given, given, false]);
  }
});

test("the header is for the scheme, host and port of the address alone", () => {
  const address = FetchAddress.of("https://me:pass@example.com/a");
  expect(address.authorizationFor("https://example.com")).toBe(`Basic ${Buffer.from("me:pass").toString("base64")}`);
  for (const other of [
    "http://example.com",
    "https://example.com:444",
    "https://www.example.com",
    "https://example.org",
  ])
    expect(address.authorizationFor(other)).toBeUndefined();
});

test("the stored form has one @ in its authority, so that the database can remove what is before it", () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
  fc.assert(
    fc.property(word, word, (user, password) => {
      const stored = FetchAddress.of(`https://${user}:${password}@example.com/a@b`);
      if (stored.hasCredentials) {
        expect(stored.forStorage().replace(/^([a-z]+:\/\/)[^/?#@]*@/, "$1")).toBe(stored.shown);
      }
    }),
  );
});

test.each([
  [`srt://a.example:9?passphrase=${SECRET}`, "srt://a.example:9"],
  [`srt://a.example:9?streamid=read:talk:me:${SECRET}&latency=200`, "srt://a.example:9?streamid=read:talk&latency=200"],
  [`srt://a.example:9?streamid=read:talk:me:${SECRET}:x=y`, "srt://a.example:9?streamid=read:talk"],
  [
    `srt://a.example:9?streamid=#!::u=me,r=talk,s=${SECRET}&passphrase=${SECRET}`,
    "srt://a.example:9?streamid=%23!::r=talk",
  ],
  [`srt://a.example:9?streamid=read:talk:jwt=${SECRET}`, "srt://a.example:9?streamid=read:talk"],
  [
    `srt://a.example:9?streamid=live/talk?token=${SECRET}&latency=20`,
    "srt://a.example:9?streamid=live/talk&latency=20",
  ],
  [
    `srt://a.example:9?streamid=#!::r=talk?secret=${SECRET},m=request`,
    "srt://a.example:9?streamid=%23!::r=talk,m=request",
  ],
  [`srt://a.example:9?streamid=one:two:three&passphrase=${SECRET}`, "srt://a.example:9?streamid=one:two:three"],
  [`srt://a.example:9?%70assphrase=${SECRET}&streamid=read:talk`, "srt://a.example:9?streamid=read:talk"],
  [`srt://me:${SECRET}@a.example:9?streamid=read:talk`, "srt://a.example:9?streamid=read:talk"],
])("%s is printed without its secrets, and stored with them", (given, shown) => {
  const address = FetchAddress.of(given);
  expect(address.shown).toBe(shown);
  expect(`${address} ${JSON.stringify({ address })} ${inspect(address, { showHidden: true, depth: 9 })}`).not.toMatch(
    SECRET,
  );
  const stored = address.forStorage();
  expect(stored).toContain(SECRET);
  expect(FetchAddress.of(stored).shown).toBe(shown);
  // As the database removes them.
  expect(stored.replace(/^([a-z]+:\/\/)[^/?#@]*@/, "$1")).toBe(shown);
});

test("messages lose passphrases of SRT", () => {
  expect(withoutCredentials(`cannot read srt://a:9?passphrase=${SECRET}&latency=20`)).toBe(
    "cannot read srt://a:9?passphrase=…&latency=20",
  );
});

test("messages lose the credentials of the addresses in them", () => {
  expect(withoutCredentials(`cannot read https://me:p@${SECRET}@example.com/x or //a@b/c, ask me@example.com`)).toBe(
    "cannot read https://example.com/x or //b/c, ask me@example.com",
  );
});
