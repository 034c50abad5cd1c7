// Options of addresses of SRT.
import { expect, test } from "vitest";
import { srtOptions } from "./srt-address.ts";

const LEAST = { streamId: "", passphrase: undefined, keyBytes: undefined, latencyMilliseconds: 1_000 };

test.each([
  ["", LEAST],
  ["mode=caller&transtype=live&latency=200", { ...LEAST, latencyMilliseconds: 200 }],
  ["streamid=read:a%26b", { ...LEAST, streamId: "read:a&b" }],
  ["streamid=#!::r=a,m=request&latency=20", { ...LEAST, streamId: "#!::r=a,m=request", latencyMilliseconds: 20 }],
  ["passphrase=a+b%20c%zz0123&pbkeylen=24", { ...LEAST, passphrase: "a+b%20c%zz0123", keyBytes: 24 }],
])("%s", (query, expected) => {
  expect(srtOptions(query)).toEqual(expected);
});

test.each([
  ["passphrase=short", /passphrase of 10 to 79 bytes/],
  [`passphrase=${"x".repeat(80)}`, /passphrase of 10 to 79 bytes/],
  [`streamid=${"ü".repeat(257)}`, /streamid of at most 512 bytes/],
  ["passphrase=0123456789&pbkeylen=20", /pbkeylen of 16, 24 or 32/],
  ["pbkeylen=16", /passphrase if it has pbkeylen/],
  ["latency=2000000", /latency of 20 to 10000 milliseconds/],
  ["latency=-1", /latency of 20/],
  ["latency=", /latency of 20/],
  ["mode=listener", /other than caller/],
  ["transtype=file", /other than live/],
  ["streamid=a&streamid=b", /each option of SRT once/],
  ["pkt_size=1316", /options of SRT other than streamid, passphrase/],
  ["__proto__=1", /options of SRT other than/],
])("%s has a problem", (query, problem) => {
  expect(srtOptions(query)).toEqual({ problem: expect.stringMatching(problem) });
});
