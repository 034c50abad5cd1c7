import { expect, test } from "vitest";
import { FetchCookies } from "./fetch-cookies.ts";

const FROM = "https://media.example.com/feeds/show";
const PAST = "Thu, 01 Jan 1970 00:00:00 GMT";

function sent(setCookie: string | string[], to: string, from = FROM): string | undefined {
  const cookies = new FetchCookies();
  cookies.keep(setCookie, new URL(from));
  return cookies.headerFor(new URL(to));
}

test.each([
  ["its own host", "a=1; Path=/", "https://media.example.com/x", "a=1"],
  ["no other host", "a=1; Path=/", "https://example.com/x", undefined],
  ["no host below it without a domain", "a=1; Path=/", "https://sub.media.example.com/x", undefined],
  ["hosts of its domain", "a=1; Path=/; Domain=.Example.com", "https://files.example.com/x", "a=1"],
  ["no host that only ends alike", "a=1; Path=/; Domain=example.com", "https://badexample.com/x", undefined],
  ["no host for a top-level domain", "a=1; Path=/; Domain=com", "https://media.example.com/x", undefined],
  ["no host for a foreign domain", "a=1; Path=/; Domain=other.com", "https://other.com/x", undefined],
  ["its path", "a=1; Path=/feeds", "https://media.example.com/feeds/b", "a=1"],
  ["no path that only begins alike", "a=1; Path=/feeds", "https://media.example.com/feedsb", undefined],
  ["the folder of the address by default", "a=1", "https://media.example.com/feeds/other", "a=1"],
  ["no other folder by default", "a=1", "https://media.example.com/other", undefined],
  ["TLS alone if it is secure", "a=1; Path=/; Secure", "http://media.example.com/", undefined],
  ["no host once it has expired", "a=1; Path=/; Max-Age=0", "https://media.example.com/", undefined],
  ["its host within Max-Age, whatever Expires says", `a=1; Path=/; Max-Age=60; Expires=${PAST}`, FROM, "a=1"],
  ["no host after Expires", `a=1; Path=/; Expires=${PAST}`, FROM, undefined],
  ["no host if it is not valid in a header", "a=1\u0001; Path=/", "https://media.example.com/", undefined],
])("a cookie is sent to %s", (_whom, setCookie, to, expected) => {
  expect(sent(setCookie, to)).toBe(expected);
});

test("a host that is an IP address has no domain above it", () => {
  expect(sent("a=1; Path=/; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/")).toBeUndefined();
  expect(sent("a=1; Path=/; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/")).toBe("a=1");
});

test("a later cookie replaces the one of the same name, and longer paths come first", () => {
  const header = sent(["a=1; Path=/", "b=2; Path=/feeds", "a=3; Path=/"], "https://media.example.com/feeds/x");
  expect(header).toBe("b=2; a=3");
});

test("cookies of any length are sent, and more of them than 180 are an error", () => {
  const long = ["a", "b", "c"].map((name) => `${name}=${"x".repeat(6_000)}; Path=/`);
  expect(sent(long, "https://media.example.com/")?.length).toBe(3 * 6_002 + 2 * 2);
  const many = Array.from({ length: 181 }, (_, index) => `c${index}=1; Path=/`);
  expect(sent(many.slice(1), "https://media.example.com/")?.split("; ")).toHaveLength(180);
  expect(sent([...many.slice(1), "c180=2; Path=/", "c9=; Max-Age=0; Path=/"], FROM)?.split("; ")).toHaveLength(179);
  expect(() => sent(many, FROM)).toThrow(/more than 180 cookies; upload the recording/);
});
