import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { Forwarding } from "./forwarding.ts";

const PROXY = "127.0.0.1";
const trusting = (publicUrl = "") => new Forwarding({ publicUrl, trustProxy: "loopback,10.0.0.0/8" });
/** What Node makes of a request: lines of the same header are joined with a comma. */
const received = (headers: Record<string, string>, url = "/", remoteAddress = PROXY) =>
  ({ url, headers: { host: "inner:8080", ...headers }, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe("of a list, the entry of the outermost trusted proxy counts", () => {
  test.each([
    ["one proxy, one entry", "203.0.113.9", "https", "https"],
    ["one proxy behind a client that sent an entry", "203.0.113.9", "http, https", "https"],
    ["two proxies that both append", "203.0.113.9, 10.1.1.1", "https, http", "https"],
    ["two proxies, the inner one passes the header on", "203.0.113.9, 10.1.1.1", "https", "https"],
    ["two proxies behind a client that sent an entry", "6.6.6.6, 203.0.113.9, 10.1.1.1", "http, https, http", "https"],
    ["three proxies", "203.0.113.9, 10.1.1.2, 10.1.1.1", "https,http,http", "https"],
    ["an untrusted proxy in between", "203.0.113.9, 8.8.8.8", "https, http", "http"],
    ["a client on a trusted network is no proxy", "10.7.7.7", "http, https", "https"],
    ["no list of addresses", "", "http, https", "https"],
    ["empty entries", "203.0.113.9", " , https, ", "https"],
    ["no scheme", "203.0.113.9", "javascript", "http"],
  ])("%s", (_, addresses, schemes, expected) => {
    const hosts = schemes.replaceAll("https", "right.example").replaceAll(/\bhttp\b/g, "wrong.example");
    const view = trusting().viewOf(
      received({
        ...(addresses === "" ? {} : { "x-forwarded-for": addresses }),
        "x-forwarded-proto": schemes,
        "x-forwarded-host": hosts,
      }),
    );
    expect(view.scheme).toBe(expected);
    expect(view.host).toBe(expected === "https" ? "right.example" : hosts.split(", ").at(-1));
  });

  test("an untrusted peer reports nothing", () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example", "x-forwarded-prefix": "/evil" };
    for (const address of ["8.8.8.8", undefined as unknown as string]) {
      const request = { ...received(headers), socket: { remoteAddress: address } } as IncomingMessage;
      expect(trusting().viewOf(request)).toEqual({ scheme: "http", host: "inner:8080", prefix: "" });
    }
  });
});

describe("prefix", () => {
  const prefix = (value: string, publicUrl = "", addresses = "203.0.113.9") =>
    trusting(publicUrl).viewOf(received({ "x-forwarded-prefix": value, "x-forwarded-for": addresses })).prefix;

  test("is the forwarded one, else that of PARLANCE_PUBLIC_URL", () => {
    expect(prefix("/transcripts/")).toBe("/transcripts");
    expect(prefix("/transcripts", "https://example.org/other")).toBe("/transcripts");
    expect(prefix("", "https://example.org/other")).toBe("/other");
    expect(prefix("/", "https://example.org/other")).toBe("");
  });

  test("of several proxies, each removed its own", () => {
    expect(prefix("/outer, /inner", "", "203.0.113.9, 10.1.1.1")).toBe("/outer/inner");
    expect(prefix("/evil, /outer, /inner", "", "203.0.113.9, 10.1.1.1")).toBe("/outer/inner");
    expect(prefix("/evil, /inner")).toBe("/inner");
  });

  test.each(["//evil.example", "/<script>", "evil", "/a, javascript:"])(
    "%s is ignored, and known as unusable",
    (value) => {
      const request = received({ "x-forwarded-prefix": value, "x-forwarded-for": "203.0.113.9, 10.1.1.1" });
      expect(trusting().viewOf(request).prefix).toBe("");
      expect(trusting().hasUnusablePrefix(request)).toBe(true);
    },
  );

  test.each([
    ["/transcripts/v2/live?token=1", "/v2/live?token=1"],
    ["/v2/live?token=1", "/v2/live?token=1"],
    ["/transcripts", "/"],
    ["http://example.org/transcripts/v2/live", "/v2/live"],
    ["/transcripts//evil.example", undefined],
    ["/transcriptsv2/live", "/transcriptsv2/live"],
    ["*", undefined],
  ])("%s is routed to %s, whether the proxy removes the prefix or not", (url, target) => {
    expect(trusting("https://example.org/transcripts").routeTarget(received({}, url))).toBe(target);
    expect(trusting().routeTarget(received({ "x-forwarded-prefix": "/transcripts" }, url))).toBe(target);
  });

  test("below a path of the service's own, the proxy removes the prefix", () => {
    expect(trusting().routeTarget(received({ "x-forwarded-prefix": "/live" }, "/live"))).toBe("/live");
  });
});
