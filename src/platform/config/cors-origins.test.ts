import { expect, test } from "vitest";
import { corsOriginsOf, corsOriginsProblem } from "./cors-origins.ts";

test.each([
  ["https://app.example.org/", "https://app.example.org"],
  ["HTTPS://App.Example.org", "https://app.example.org"],
  ["https://app.example.org:443", "https://app.example.org"],
  ["http://localhost:5173/", "http://localhost:5173"],
  ["http://[::1]:3000", "http://[::1]:3000"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["capacitor://localhost", "capacitor://localhost"],
  ["chrome-extension://abcdef/", "chrome-extension://abcdef"],
  ["*", "*"],
])("%s is the origin %s", (value, origin) => {
  expect(corsOriginsProblem(value)).toBeUndefined();
  expect(corsOriginsOf(value)).toEqual([origin]);
});

test("a list has each origin once; empty entries do not count", () => {
  expect(corsOriginsOf("https://a.example, https://b.example/,,https://a.example/,")).toEqual([
    "https://a.example",
    "https://b.example",
  ]);
  expect(corsOriginsOf("")).toEqual([]);
  expect(corsOriginsOf(" , ")).toEqual([]);
});

test.each([
  "app.example.org",
  "localhost:3000",
  "https://app.example.org/path",
  "https://app.example.org/?a",
  "https://app.example.org/#",
  "https://*.example.org",
  "https://me@app.example.org",
  "https:app.example.org",
  "https://a.example https://b.example",
  "null",
  "file://",
])("%s is refused with an example", (value) => {
  const problem = corsOriginsProblem(`https://a.example, ${value}`);
  expect(problem).toContain(`it has "${value}"`);
  expect(problem).toContain("https://app.example.org");
});
