// The address that signatures of Twilio are compared with, for requests as proxies forward them.
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { Forwarding } from "../../../platform/net/forwarding.ts";
import { SessionAccess } from "./session-access.ts";

const TOKENS = "aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb";
const HOST = { host: "10.0.0.7:8080" };
const FORWARDED = { ...HOST, "x-forwarded-host": "calls.example.com", "x-forwarded-proto": "https" };

function signedFor(url: string, headers: Record<string, string>, { publicUrl = "", trustProxy = "", tokens = TOKENS }) {
  const settings = { twilioAuthTokens: tokens, allowedHosts: "", publicUrl, corsOrigins: "" };
  const forwarding = new Forwarding({ publicUrl, trustProxy });
  const access = new SessionAccess({ settings, forwarding } as never);
  return access.of({ url, headers, socket: { remoteAddress: "127.0.0.1" } } as never as IncomingMessage).signed;
}

test.each([
  ["the request's host", "/telephony/twilio", HOST, {}, "10.0.0.7:8080/telephony/twilio"],
  [
    "that of a trusted proxy",
    "/telephony/twilio",
    FORWARDED,
    { trustProxy: "loopback" },
    "calls.example.com/telephony/twilio",
  ],
  ["no proxy that is not trusted", "/telephony/twilio", FORWARDED, {}, "10.0.0.7:8080/telephony/twilio"],
  [
    "the prefix that a trusted proxy has removed",
    "/telephony/twilio?a=b%20c",
    { ...FORWARDED, "x-forwarded-prefix": "/speech" },
    { trustProxy: "loopback" },
    "calls.example.com/speech/telephony/twilio?a=b%20c",
  ],
  [
    "PARLANCE_PUBLIC_URL before all others",
    "/speech/telephony/twilio",
    FORWARDED,
    { publicUrl: "https://parlance.example.com:8443/speech", trustProxy: "loopback" },
    "parlance.example.com:8443/speech/telephony/twilio",
  ],
] as const)("the address is %s", (_, url, headers, settings, address) => {
  expect(signedFor(url, headers, settings)).toEqual({
    address,
    tokens: ["aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"],
  });
});

test("without tokens, no signature is required", () => {
  expect(signedFor("/telephony/twilio", HOST, { tokens: "" })).toBeUndefined();
});
