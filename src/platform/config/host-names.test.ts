import os from "node:os";
import { expect, test } from "vitest";
import { allowedHostsProblem, hostJudge } from "./host-names.ts";

const OWN = [
  "localhost",
  "localhost:8080",
  "LOCALHOST.",
  "a.localhost",
  "127.0.0.1:80",
  "[::1]:8080",
  "192.168.1.5",
  os.hostname(),
];
const FOREIGN = [
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evil.example#localhost",
  "evil.example/@localhost",
  "user@localhost",
  "localhost evil",
  "",
  undefined,
  "[",
  "xn--",
  "notlocalhost",
  "example.org.evil.example",
];

test("this machine's names and addresses are its own, a stranger's are not", () => {
  const isOwn = hostJudge("", "");
  for (const host of OWN) expect(isOwn(host), host).toBe(true);
  for (const host of [...FOREIGN, "transcripts.example.org"]) expect(isOwn(host), String(host)).toBe(false);
});

test("names are added by the public address and the setting", () => {
  const isOwn = hostJudge("one.example.org, .below.example", "https://transcripts.example.org:8443/base");
  for (const host of [...OWN, "transcripts.example.org", "One.Example.org:9", "a.b.below.example"]) {
    expect(isOwn(host), host).toBe(true);
  }
  for (const host of [...FOREIGN, "below.example", "evilbelow.example"]) expect(isOwn(host), String(host)).toBe(false);
  expect(hostJudge("*", "")("evil.example")).toBe(true);
});

test("a text that is no host name is refused", () => {
  for (const value of ["http://x", "a b", "x:8080", "*.example.org"])
    expect(allowedHostsProblem(value)).toMatch(/host names/);
  expect(allowedHostsProblem("a.example, .b.example, *")).toBeUndefined();
});
