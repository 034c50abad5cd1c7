import { expect, test } from "vitest";
import { publicAddressOf, publicUrlProblem } from "./public-url.ts";

test.each([
  ["https://example.org", "https://example.org", ""],
  ["HTTPS://Example.org:443/", "https://example.org", ""],
  ["http://[::1]:8080/a/b//", "http://[::1]:8080", "/a/b"],
  ["https://example.org/transcripts/", "https://example.org", "/transcripts"],
])("%s is %s with the prefix %j", (value, origin, prefix) => {
  expect(publicUrlProblem(value)).toBeUndefined();
  expect(publicAddressOf(value)).toEqual({ origin, prefix, base: origin + prefix });
});

test.each([
  ["example.org", /http or https address.*"example.org"/],
  ["ftp://example.org", /http or https/],
  ["https://example.org/?a=1", /query string/],
  ["https://example.org/a?", /query string/],
  ["https://example.org/#a", /fragment/],
  ["https://me:secret@example.org/", /user name/],
  ["https://example.org/a b", /letters, digits/],
  ["https://example.org/a//b", /letters, digits/],
  ["https://example.org/v2", /route of the service.*"\/v2"/],
  ["https://example.org/live/x", /route of the service/],
])("%s is refused", (value, problem) => {
  expect(publicUrlProblem(value)).toMatch(problem);
});

test("no value is no address", () => {
  expect(publicUrlProblem("")).toBeUndefined();
  expect(publicAddressOf("")).toBeUndefined();
});
