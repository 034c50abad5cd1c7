import { expect, test } from "vitest";
import { isLegacyTrust, trustedProxiesProblem, trustOf } from "./trusted-proxies.ts";

test.each(["", "none", "false", "no"])("%j trusts no peer", (value) => {
  expect(trustedProxiesProblem(value)).toBeUndefined();
  expect(trustOf(value)).toBeUndefined();
});

test.each([
  ["loopback", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"], ["10.0.0.1", "8.8.8.8", "::ffff:8.8.8.8"]],
  [
    "private",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.9", "fd00::1", "fe80::1%eth0"],
    ["8.8.8.8", "2001:4860::1"],
  ],
  ["true", ["127.0.0.1", "10.1.2.3"], ["8.8.8.8", "2001:4860::1"]],
  ["10.1.2.3", ["10.1.2.3", "::ffff:10.1.2.3"], ["10.1.2.4", "127.0.0.1"]],
  ["10.0.0.0/8, ::1", ["10.9.9.9", "::1", "::ffff:10.9.9.9"], ["11.0.0.1", "127.0.0.1", "::2"]],
  ["::ffff:10.0.0.0/104", ["10.200.0.1"], ["11.0.0.1"]],
  ["2001:db8::/32", ["2001:db8:1::1"], ["2001:db9::1", "10.0.0.1"]],
] as [string, string[], string[]][])("%s trusts %j and not %j", (value, trusted, others) => {
  expect(trustedProxiesProblem(value)).toBeUndefined();
  const trust = trustOf(value);
  for (const address of trusted) expect(trust?.(address), address).toBe(true);
  for (const address of [...others, "", "unknown", "evil, 127.0.0.1", undefined]) {
    expect(trust?.(address), String(address)).toBe(false);
  }
});

test.each(["everyone", "10.0.0.0/33", "10", "0x7f.1", "proxy.example.org", "1"])(
  "%s is refused, and the message states the allowed values",
  (value) => {
    expect(trustedProxiesProblem(value)).toMatch(new RegExp(`10.0.0.0/8.*"${value}"`));
  },
);

test("true of earlier versions is known as such", () => {
  expect(isLegacyTrust("true")).toBe(true);
  expect(isLegacyTrust("loopback,10.0.0.1")).toBe(false);
});
