// Descriptions as cameras and servers write them.
import { expect, test } from "vitest";
import { payloadsOf } from "./payloads.ts";
import { baseUrl, controlUrl, encodingsOf, parseDescription } from "./sdp.ts";

const described = (...lines: string[]) => parseDescription(lines.join("\r\n"));

test("the description of a format may have another number than the format, if there is one format", () => {
  const { tracks } = described(
    ...["v=0", "o=- 1 0 IN IP4 0.0.0.0", "s=HIK Media Server", "t=0 0", "a=control:*", "a=range:npt=now-"],
    ...["m=audio 0 RTP/AVP 104", "a=control:trackID=audio", "a=rtpmap:104 MPEG4-GENERIC/16000"],
    "a=fmtp:97 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408",
  );
  expect(tracks[0]).toMatchObject({ media: "audio", control: "trackID=audio", isSending: false });
  const format = tracks[0]?.formats[0];
  expect(format).toMatchObject({ payloadType: 104, encoding: "MPEG4-GENERIC", rate: 16_000, channels: 1 });
  expect(format && payloadsOf(format)?.setup).toEqual({ codec: "aac", head: Buffer.from("1408", "hex") });
});

test("AAC without a description has that of its rate and channels", () => {
  const { tracks } = described(
    "m=audio 0 RTP/AVP 97",
    "a=rtpmap:97 mpeg4-generic/48000/2",
    "a=fmtp:97 config=;mode=AAC-hbr",
  );
  const format = tracks[0]?.formats[0];
  expect(format && payloadsOf(format)?.setup.head).toEqual(Buffer.from("1190", "hex"));
});

test("formats with standard numbers, line ends without CR, and lines of no use", () => {
  const { tracks, seconds } = parseDescription(
    "m=video 0 RTP/AVP 96\nb=AS:1\na=rtpmap:96 H264/90000\n=\n\na=\nm=audio 0 RTP/AVP 8 0 101\na=sendonly\na=rtpmap:101 telephone-event/8000\n",
  );
  expect(seconds).toBeUndefined();
  expect(tracks.map(({ isSending }) => isSending)).toEqual([false, true]);
  expect(tracks[1]?.formats.map(({ encoding, rate }) => [encoding, rate])).toEqual([
    ["PCMA", 8_000],
    ["PCMU", 8_000],
    ["TELEPHONE-EVENT", 8_000],
  ]);
  expect(encodingsOf(tracks)).toBe("H264, PCMA, PCMU, TELEPHONE-EVENT");
});

test.each([
  ["npt=0-", undefined],
  ["npt=now-", undefined],
  ["npt=0.000-12.5", 12.5],
  ["npt = 2-10", 8],
  ["npt=0-0", undefined],
  ["npt=9-2", undefined],
  ["clock=20260101T000000Z-", undefined],
])("the range %s has the length %s", (range, seconds) => {
  expect(described(`a=range:${range}`, "m=audio 0 RTP/AVP 0").seconds).toBe(seconds);
  const { seconds: ofAll, tracks } = described("m=video 0 RTP/AVP 96", "m=audio 0 RTP/AVP 0", `a=range:${range}`);
  expect([ofAll, ...tracks.map((track) => track.seconds)]).toEqual([undefined, undefined, seconds]);
});

test.each([
  ["rtsp://a/stream", undefined, "rtsp://a/stream"],
  ["rtsp://a/stream", "*", "rtsp://a/stream"],
  ["rtsp://a/stream/", "trackID=1", "rtsp://a/stream/trackID=1"],
  ["rtsp://a/stream", "trackID=1", "rtsp://a/stream/trackID=1"],
  ["rtsp://a/cam?channel=1&subtype=0/", "trackID=1", "rtsp://a/cam?channel=1&subtype=0/trackID=1"],
  ["rtsp://a/stream/", "/track1", "rtsp://a/stream/track1"],
  ["rtsp://a/stream", "?track=1", "rtsp://a/stream?track=1"],
  ["rtsp://a/stream", "rtsp://10.0.0.1/other", "rtsp://10.0.0.1/other"],
])("the track of %s with the control %s is %s", (base, control, url) => {
  expect(controlUrl(base, control)).toBe(url);
});

test("an address of a track with white space is refused", () => {
  expect(() => controlUrl("rtsp://a/", "track 1\tX: y")).toThrow(/cannot be read/);
});

test("a base without scheme is replaced by the requested address", () => {
  expect(baseUrl("192.168.1.10:554/stream0/", "rtsp://a/b")).toBe("rtsp://a/b");
  expect(baseUrl("", "rtsp://a/b")).toBe("rtsp://a/b");
  expect(baseUrl("rtsp://a/b/", "rtsp://a/b")).toBe("rtsp://a/b/");
});

test("the greatest description is read in linear time, and a longer one is refused", () => {
  const since = performance.now();
  described(
    ...Array.from({ length: 60 }, (_, at) => `m=audio 0 RTP/AVP ${Array.from({ length: 64 }, () => at).join(" ")}`),
  );
  const lines = Array.from({ length: 1_900 }, (_, at) => `a=fmtp:${at} ${"a=b;".repeat(8)}`);
  described(`m=audio 0 RTP/AVP ${Array.from({ length: 64 }, (_, at) => at).join(" ")}`, ...lines);
  expect(performance.now() - since).toBeLessThan(5_000);
  expect(() => described(...Array.from({ length: 2_001 }, () => "a=b"))).toThrow(/more than 2000 lines/);
  expect(() => described(...Array.from({ length: 65 }, () => "m=audio 0 RTP/AVP 0"))).toThrow(/more than 64/);
});
