// Random bytes in place of what servers send: parsers give parts of them or refuse them, and throw nothing else.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzing } from "../../../../../test/fixtures/fuzzing.ts";
import { readParts, ScriptedServer } from "../../../../../test/fixtures/scripted-server.ts";
import { SrtServer } from "../../../../../test/fixtures/srt-server.ts";
import { FetchAddress } from "../../../../platform/addresses/fetch-address.ts";
import { shownSrtQuery, srtOptions } from "../../../../platform/addresses/srt-address.ts";
import { ParlanceError } from "../../../../platform/errors.ts";
import { readValues } from "../rtmp/amf.ts";
import { readAudio } from "../rtmp/audio-message.ts";
import { readRtmp } from "../rtmp/rtmp-session.ts";
import { challengesOf } from "../rtsp/authentication.ts";
import { payloadsOf } from "../rtsp/payloads.ts";
import { isGoodbye, parseRtp, RtpOrder } from "../rtsp/rtp.ts";
import { readRtsp } from "../rtsp/rtsp-session.ts";
import { controlUrl, parseDescription } from "../rtsp/sdp.ts";
import { StreamKeys } from "../srt/encryption.ts";
import { checkEncryption, latencyOf, parseHandshake, rejection } from "../srt/handshake.ts";
import { CONTROL, parsePacket } from "../srt/packets.ts";
import { readSrt } from "../srt/srt-session.ts";

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

test("packets, handshakes and keys of SRT", () => {
  const keys = new StreamKeys("correct horse battery", 16);
  const property = fc.property(bytes(300), fc.nat(0xffff_ffff), fc.boolean(), (random, word, isAlike) => {
    parsePacket(random);
    const handshake = parseHandshake(isAlike ? Buffer.concat([Buffer.alloc(48), random]) : random);
    if (handshake) {
      refusing(() => checkEncryption(handshake, isAlike ? keys.message : undefined));
      expect(latencyOf(handshake) ?? 0).toBeLessThan(65_536);
    }
    expect(rejection(word).code).toMatch(/^live\.source_(refused|failed)$/);
    expect(keys.accept(isAlike ? Buffer.concat([keys.message.subarray(0, 16), random]) : random, word)).toBe(false);
    expect(keys.decrypt(random, 1, word & 0x7fff_ffff)).toHaveLength(random.length);
  });
  fc.assert(property, fuzzing(500));
});

test("queries of SRT, whose passphrase is never shown", () => {
  const option = fc.tuple(
    fc.constantFrom("streamid", "passphrase", "latency", "pbkeylen", "mode", "%70assphrase", "PASSPHRASE", "x"),
    fc.string({ maxLength: 90 }),
  );
  const property = fc.property(fc.array(option, { maxLength: 5 }), fc.string({ maxLength: 50 }), (options, rest) => {
    const query = `${options.map(([name, value]) => `${name}=${value}`).join("&")}${rest}`;
    srtOptions(query);
    shownSrtQuery(query);
    const secret = encodeURIComponent(`s3cret&#@/?%${rest}`);
    const address = FetchAddress.of(
      `srt://a.example:9?${encodeURIComponent(query)}=&passphrase=${secret}&streamid=a:b:${secret}:${secret}`,
    );
    expect(address.shown).not.toMatch(/s3cret/);
    const stored = FetchAddress.of(address.forStorage());
    expect([stored.shown, stored.forStorage()]).toEqual([address.shown, address.forStorage()]);
    expect(address.forStorage().replace(/^([a-z]+:\/\/)[^/?#@]*@/, "$1")).toBe(address.shown);
  });
  fc.assert(property, fuzzing(500));
});

test("servers of SRT that send random datagrams", async () => {
  const kinds = fc.constantFrom(...Object.values(CONTROL), -1, -2);
  const property = fc.asyncProperty(
    fc.array(fc.tuple(kinds, fc.nat(8), bytes(1_000)), { maxLength: 40 }),
    fc.boolean(),
    async (messages, isEncrypted) => {
      const own = await SrtServer.start({ passphrase: "correct horse battery", latency: 1 });
      const query = isEncrypted ? "?latency=20&passphrase=correct%20horse%20battery" : "?latency=20";
      const outcome = readParts(readSrt, `${own.url}${query}`, 10_000).catch((error: unknown) => error);
      await expect.poll(() => own.conclusions, { interval: 2 }).toBeGreaterThan(0);
      for (const [type, specific, payload] of messages) {
        if (type === -1) own.data(payload, specific);
        else if (type === -2) own.raw(payload);
        else own.control(type, { subtype: specific, specific }, payload);
      }
      own.control(CONTROL.shutdown, {});
      expect(await outcome).toMatchObject({ code: expect.stringMatching(/^live\.source_(refused|failed)$/) });
      await own.stop();
    },
  );
  await fc.assert(property, fuzzing(30));
});
