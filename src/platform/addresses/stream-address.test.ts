// Addresses of RTSP, RTMP and SRT.
import { expect, test } from "vitest";
import { isSameServer, type StreamAddress, streamAddress } from "./stream-address.ts";

test.each([
  ["rtsp://CAM.example/a?b=c", { protocol: "rtsp", isSecure: false, host: "cam.example", port: 554 }],
  ["rtsps://cam.example/a", { protocol: "rtsp", isSecure: true, port: 322 }],
  ["rtmp://a.example:80/live/key", { protocol: "rtmp", isSecure: false, port: 80 }],
  ["RTMPS://a.example/live", { protocol: "rtmp", isSecure: true, port: 443 }],
  ["srt://A.example:8890?streamid=read:a", { protocol: "srt", isSecure: false, host: "a.example", port: 8_890 }],
  ["srt://a.example", { protocol: "srt", port: 0 }],
  ["rtsp://[::1]:8554/a", { host: "::1", port: 8_554 }],
  ["rtsp://0x7f.1/a", { host: "127.0.0.1" }],
  ["rtsp://2130706433/", { host: "127.0.0.1" }],
  ["rtsp://bücher.example/", { host: "xn--bcher-kva.example" }],
])("%s", (text, expected) => {
  expect(streamAddress(text)).toMatchObject(expected);
});

test("user name and password are decoded, and not part of the address", () => {
  expect(streamAddress("rtsp://us%40er:p%3A%ss@cam.example/a")).toMatchObject({
    ...{ href: "rtsp://cam.example/a", credentials: { user: "us@er", password: "p%3A%ss" } },
  });
  expect(streamAddress("rtsp://cam.example/a")?.credentials).toBeUndefined();
});

test.each(["http://a/", "rtsp:///a", "rtsp:a", "srt:///?a", "rtmp://a b/", "rtsp://a:99999/", "rtsp://%zz/", ""])(
  "%s is no such address",
  (text) => {
    expect(streamAddress(text)).toBeUndefined();
  },
);

test("credentials are for one protocol, host and port", () => {
  const own = streamAddress("rtsp://a:b@cam.example/a") as StreamAddress;
  const same = (text: string) => isSameServer(streamAddress(text) as StreamAddress, own);
  expect(same("rtsp://cam.example:554/other")).toBe(true);
  for (const other of [
    "rtsps://cam.example:554/",
    "rtsp://cam.example:555/",
    "rtsp://cam2.example/",
    "rtmp://cam.example:554/",
  ])
    expect(same(other)).toBe(false);
});
