// Random bytes in place of what servers send: parsers give parts of them or refuse them, and throw nothing else.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzing } from "../../../../../test/fixtures/fuzzing.ts";
import { readParts, ScriptedServer } from "../../../../../test/fixtures/scripted-server.ts";
import { ParlanceError } from "../../../../platform/errors.ts";
import { readValues } from "../rtmp/amf.ts";
import { readAudio } from "../rtmp/audio-message.ts";
import { readRtmp } from "../rtmp/rtmp-session.ts";
import { challengesOf } from "../rtsp/authentication.ts";
import { payloadsOf } from "../rtsp/payloads.ts";
import { isGoodbye, parseRtp, RtpOrder } from "../rtsp/rtp.ts";
import { readRtsp } from "../rtsp/rtsp-session.ts";
import { controlUrl, parseDescription } from "../rtsp/sdp.ts";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

/** @throws anything but a refusal */
function refusing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof ParlanceError) || thrown.code !== "live.source_refused") throw thrown;
    return undefined;
  }
}

const LINE = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom("m=audio 0 RTP/AVP 97 0 8", "m=video 0 RTP/AVP 96", "a=sendonly", "a=control:*", "a=range:npt=0-9"),
  fc
    .constantFrom("OPUS/48000/2", "MPEG4-GENERIC/x", "MP4A-LATM/44100", "L16/8000/99", "MPA", "__proto__/1")
    .map((map) => `a=rtpmap:97 ${map}`),
  fc.string({ maxLength: 40 }).map((text) => `a=fmtp:97 mode=AAC-hbr;sizelength=${text};config=${text}`),
);

test("descriptions, and packets in the formats that they describe", () => {
  const property = fc.property(
    fc.array(LINE, { maxLength: 30 }),
    fc.array(bytes(200), { maxLength: 10 }),
    (lines, all) => {
      const described = refusing(() => parseDescription(lines.join("\n")));
      const formats = described?.tracks.flatMap((track) => track.formats) ?? [];
      for (const track of described?.tracks ?? []) refusing(() => controlUrl("rtsp://a/", track.control));
      for (const format of formats) {
        const payloads = payloadsOf(format);
        const order = new RtpOrder(format.rate);
        for (const payload of all) {
          const packet = {
            payloadType: 97,
            isMarked: (payload[0] ?? 0) > 99,
            sequence: payload.length,
            timestamp: 0,
            source: 1,
            payload,
          };
          const frames = payloads?.frames(packet, order.accept(packet)?.isAfterLoss ?? true) ?? [];
          expect(frames.every((frame) => Number.isFinite(frame.seconds))).toBe(true);
        }
      }
    },
  );
  fc.assert(property, fuzzing(500));
});

test("packets, reports, commands, messages of audio and challenges", () => {
  const property = fc.property(bytes(300), fc.string({ maxLength: 300 }), (random, text) => {
    const packet = parseRtp(random);
    expect((packet?.payload.length ?? 0) <= random.length).toBe(true);
    isGoodbye(random);
    readValues(random);
    refusing(() => readAudio(random));
    refusing(() => readAudio(Buffer.concat([Buffer.of(0x90 | ((random[0] ?? 0) % 16)), random])));
    challengesOf([`Digest ${text}`, text]);
  });
  fc.assert(property, fuzzing(2_000));
});

let server: ScriptedServer;
let answer: Buffer = Buffer.alloc(0);
beforeAll(async () => {
  server = await ScriptedServer.start((socket) => void socket.end(answer));
});
afterAll(() => server.stop());

test("servers of random bytes", async () => {
  const begun = fc.constantFrom(
    "",
    "RTSP/1.0 200 OK\r\n",
    "RTSP/1.0 200 OK\r\n\r\n",
    "$\0\0\u0008",
    "\u0003".padEnd(3_073, "\0"),
  );
  const property = fc.asyncProperty(begun, bytes(2_000), async (beginning, random) => {
    answer = Buffer.concat([Buffer.from(beginning, "latin1"), random]);
    for (const [read, scheme] of [
      [readRtsp, "rtsp"],
      [readRtmp, "rtmp"],
    ] as const) {
      const outcome = await readParts(read, `${scheme}://127.0.0.1:${server.port}/a/b`, 50).catch(
        (error: unknown) => error,
      );
      if (!Array.isArray(outcome))
        expect(outcome).toMatchObject({ code: expect.stringMatching(/^live\.source_(refused|failed)$/) });
    }
  });
  await fc.assert(property, fuzzing(60));
});
