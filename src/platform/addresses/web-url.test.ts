import { expect, test } from "vitest";
import { originForm, parseUrl, splitTarget } from "./web-url.ts";

test.each([
  ["/", "/"],
  ["/v2/live?token=a//b", "/v2/live?token=a//b"],
  ["http://localhost/v2/live?token=x", "/v2/live?token=x"],
  ["HTTPS://[::1]:80", "/"],
  ["http://localhost?a=b", "/?a=b"],
  ["/a//b", "/a//b"],
])("%s is %s", (target, path) => {
  expect(originForm(target)).toBe(path);
});

test.each([
  "",
  "*",
  "//",
  "///",
  "/\\",
  "/\\x",
  "http://",
  "http://[::1",
  "http://x:99999/",
  "http://a//b",
  "x",
  "?",
  "ftp://a/",
  "a:1",
])("%s is no path", (target) => {
  expect(originForm(target)).toBeUndefined();
});

test("nothing throws", () => {
  for (const text of ["%", "?%", "/%ff?%ff=%", "\0", "/\ud800?\ud800"]) {
    expect(() => splitTarget(originForm(text) ?? text)).not.toThrow();
    expect(() => parseUrl(text)).not.toThrow();
  }
});
