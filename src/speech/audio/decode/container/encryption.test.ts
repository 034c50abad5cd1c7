// Encrypted recordings are refused with an error that names the encryption. FFmpeg would decode them to noise or to nothing.
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeMedia } from "../../../../../test/fixtures/media.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { encryptionOf } from "./encryption.ts";

const RATE = 48_000;
const PACKET_BYTES = 188;
const ENCRYPTED_OPUS = path.resolve("../shared/cases/encrypted-opus.mp4");
const COMMON_ENCRYPTION = {
  encryption_scheme: "cenc-aes-ctr",
  encryption_key: "76a6c65c5ea762046bd749a2e632ccbb",
  encryption_kid: "a7e61c373e219033c21091fa607bf3b8",
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-encrypted-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function written(extension: string, encoder: string, muxerOptions: Record<string, string> = {}): Promise<Buffer> {
  const file = path.join(folder, `file.${extension}`);
  await writeMedia(file, { tracks: [{ channels: [tone(3, 440, RATE)], sampleRate: RATE, encoder }], muxerOptions });
  return readFileSync(file);
}

/** The first description of samples has another type. */
function withEntry(file: Buffer, type: string): Buffer {
  const changed = Buffer.from(file);
  changed.write(type, file.indexOf("mp4a", file.indexOf("stsd")), "latin1");
  return changed;
}

function protectedAsf(file: Buffer): Buffer {
  const headerBytes = Number(file.readBigUInt64LE(16));
  const id = Buffer.from("fbb3112223bdd211b4b700a0c955fc6e", "hex");
  const object = Buffer.concat([id, Buffer.of(40, 0, 0, 0, 0, 0, 0, 0), Buffer.alloc(16)]);
  const changed = Buffer.concat([file.subarray(0, headerBytes), object, file.subarray(headerBytes)]);
  changed.writeBigUInt64LE(BigInt(headerBytes + object.length), 16);
  changed.writeUInt32LE(changed.readUInt32LE(24) + 1, 24);
  return changed;
}

function scrambled(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  for (let at = 0; at < changed.length; at += PACKET_BYTES) {
    // The tables of a stream stay clear.
    const identifier = changed.readUInt16BE(at + 1) & 0x1fff;
    if (identifier >= 256 && identifier < 4_096) changed[at + 3] = (changed[at + 3] as number) | 0x80;
  }
  return changed;
}

function sampleEncrypted(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  for (let at = 0; at < changed.length; at += PACKET_BYTES) {
    const isMap = changed[at + 5] === 2 && (changed.readUInt16BE(at + 1) & 0x1fff) === 4_096;
    if (isMap) changed[at + 17] = 0xcf;
  }
  return changed;
}

test.each([
  ["MP4 with Common Encryption", () => written("mp4", "aac", COMMON_ENCRYPTION), /Common Encryption, cenc/],
  [
    "fragmented MP4 with Common Encryption",
    () => written("mp4", "aac", { ...COMMON_ENCRYPTION, movflags: "frag_keyframe+empty_moov" }),
    /Common Encryption, cenc/,
  ],
  ["M4P", async () => withEntry(await written("m4a", "aac"), "drms"), /FairPlay/],
  ["AAX", async () => withEntry(await written("m4a", "aac"), "aavd"), /Audible/],
  ["WMA", async () => protectedAsf(await written("wma", "wmav2")), /Windows Media DRM/],
  ["scrambled transport stream", async () => scrambled(await written("ts", "mp2")), /scrambled/],
  ["SAMPLE-AES transport stream", async () => sampleEncrypted(await written("ts", "aac")), /SAMPLE-AES/],
] as const)("%s is refused as encrypted", async (_what, made, scheme) => {
  await expect(readMedia(await made())).rejects.toMatchObject({
    code: "media.encrypted",
    status: 400,
    message: expect.stringMatching(scheme),
  });
});

/** An element of Matroska: identifier in hexadecimal digits, and a length of two bytes. */
function element(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, "hex"), Buffer.of(0x40 | (body.length >> 8), body.length & 255), body]);
}

test("an encrypted track of WebM is recognised, and a clear one beside it is not", () => {
  const file = path.join(folder, "encrypted.webm");
  const encoding = element("6240", element("5033", Buffer.of(1)), element("5035", element("47e1", Buffer.of(5))));
  const track = (type: number, ...more: Buffer[]) => element("ae", element("83", Buffer.of(type)), ...more);
  const tracks = element("1654ae6b", track(1), track(2, element("6d80", encoding)), track(2));
  writeFileSync(file, Buffer.concat([element("1a45dfa3"), element("18538067", tracks)]));
  expect([0, 1].map((track) => encryptionOf(file, "matroska,webm", track))).toEqual(["WebM Encryption", undefined]);
});

test("clear files are not taken for encrypted ones", async () => {
  for (const [extension, encoder] of [
    ["mp4", "aac"],
    ["webm", "libopus"],
    ["ts", "aac"],
    ["wma", "wmav2"],
  ] as const) {
    const { decoded } = await readMedia(await written(extension, encoder));
    expect(decoded.durationSeconds).toBeCloseTo(3, 0);
    expect(decoded.warnings).toEqual([]);
  }
});

test("a file that is encrypted as a whole is refused, and the message says so", async () => {
  await expect(readMedia(randomBytes(80_000))).rejects.toMatchObject({
    code: "media.not_decodable",
    message: expect.stringMatching(/encrypted/),
  });
});

test.skipIf(!existsSync(ENCRYPTED_OPUS))("the shared encrypted recording is refused", async () => {
  await expect(readMedia(readFileSync(ENCRYPTED_OPUS))).rejects.toMatchObject({ code: "media.encrypted" });
});
