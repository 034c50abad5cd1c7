import { expect, test } from "vitest";
import { isOwnPath, pathPrefixOf, withoutPrefix } from "./path-prefix.ts";

test.each([
  ["", ""],
  ["/", ""],
  ["//", ""],
  ["/transcripts", "/transcripts"],
  [" /transcripts// ", "/transcripts"],
  ["/a/b.c_d~e-f", "/a/b.c_d~e-f"],
])("%j is the prefix %j", (text, prefix) => {
  expect(pathPrefixOf(text)).toBe(prefix);
});

test.each(["a", "//evil.example", "/a//b", "/../a", "/a/./b", '/a"b', "/a<b", "/a;b", "/a b", "/a%2fb", "/a\\b", "/ä"])(
  "%j is not a prefix",
  (text) => {
    expect(pathPrefixOf(text)).toBeUndefined();
  },
);

test("a prefix is limited in length", () => {
  expect(pathPrefixOf(`/${"a".repeat(199)}`)).toBeDefined();
  expect(pathPrefixOf(`/${"a".repeat(200)}`)).toBeUndefined();
});

test.each([
  ["/a", "/"],
  ["/a/", "/"],
  ["/a?x=1", "/?x=1"],
  ["/a/v2/live?token=1", "/v2/live?token=1"],
  ["/ab", undefined],
  ["/v2/a", undefined],
  ["/", undefined],
])("%s below /a is %s", (target, rest) => {
  expect(withoutPrefix(target, "/a")).toBe(rest);
});

test("paths of the service's own routes are known", () => {
  for (const prefix of ["/v2", "/live/x", "/docs"]) expect(isOwnPath(prefix), prefix).toBe(true);
  for (const prefix of ["", "/transcripts", "/v2x", "/a/v2"]) expect(isOwnPath(prefix), prefix).toBe(false);
});
