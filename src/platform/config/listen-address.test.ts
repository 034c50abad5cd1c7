import { expect, test } from "vitest";
import { hostProblem, listenAddressOf, localTargets, shownTarget } from "./listen-address.ts";

test.each([
  ["127.0.0.1", ["127.0.0.1"], ["http://localhost:80"]],
  ["0.0.0.0", ["0.0.0.0"], ["http://localhost:80"]],
  ["::", ["::"], ["http://[::1]:80"]],
  ["[::]", ["::"], ["http://[::1]:80"]],
  ["[::1]", ["::1"], ["http://[::1]:80"]],
  ["::1", ["::1"], ["http://[::1]:80"]],
  ["*", ["::", "0.0.0.0"], ["http://[::1]:80", "http://localhost:80"]],
  ["192.168.1.7", ["192.168.1.7"], ["http://192.168.1.7:80"]],
  ["localhost", ["localhost"], ["http://localhost:80"]],
  ["transcripts.lan", ["transcripts.lan"], ["http://transcripts.lan:80"]],
])("%s listens on %j and is reached at %j", (host, hosts, shown) => {
  expect(hostProblem(host)).toBeUndefined();
  expect(listenAddressOf({ host, port: 80 })).toEqual({ kind: "port", hosts, port: 80 });
  expect(localTargets({ host, port: 80 }).map(shownTarget)).toEqual(shown);
});

test.each(["/run/parlance.sock", "unix:/run/parlance.sock"])("%s is a Unix socket", (host) => {
  expect(hostProblem(host)).toBeUndefined();
  expect(listenAddressOf({ host, port: 80 })).toEqual({ kind: "socket", path: "/run/parlance.sock" });
  expect(localTargets({ host, port: 80 }).map(shownTarget)).toEqual(["unix:/run/parlance.sock"]);
});

test.each([
  "127.0.0.1:8080",
  "[::1]:8080",
  "[127.0.0.1]",
  "[localhost]",
  "http://localhost",
  "300.1.1.1",
  "0",
  "a b",
  "127.0.0.1,::1",
  "unix:parlance.sock",
  "unix:",
  "./parlance.sock",
  `/${"a".repeat(103)}`,
  "**",
])("%s is refused, and the message names it", (host) => {
  expect(hostProblem(host)).toMatch(/must .*(it is "|it has 104)/);
});
