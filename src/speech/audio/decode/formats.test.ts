// Files of rare formats are read: by their content, or by the extension if the content has no header.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeMedia } from "../../../../test/fixtures/media.ts";
import { hertzOf, readMedia as read } from "../../../../test/fixtures/read-media.ts";
import { tone, wav } from "../../../../test/fixtures/recordings.ts";

const SECONDS = 2;
const HERTZ = 440;
const TELEPHONE = path.resolve("../shared/cases/telephone.sph");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-formats-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** 16-bit samples of a tone, little-endian unless `isBig`. */
function pcm(rate: number, isBig = false): Buffer {
  const samples = Int16Array.from(tone(SECONDS, HERTZ, rate), (value) => Math.round(value * 20_000));
  const bytes = Buffer.from(samples.buffer);
  return isBig ? bytes.swap16() : bytes;
}

function sphere(rate: number, coding: string, content: Buffer, sampleBytes: number): Buffer {
  const lines = [
    "NIST_1A",
    "   1024",
    "channel_count -i 1",
    `sample_rate -i ${rate}`,
    `sample_n_bytes -i ${sampleBytes}`,
    `sample_count -i ${content.length / sampleBytes}`,
    "sample_byte_format -s2 01",
    `sample_coding -s${coding.length} ${coding}`,
    "end_head",
    "",
  ];
  return Buffer.concat([Buffer.from(lines.join("\n").padEnd(1_024)), content]);
}

function ircam(rate: number): Buffer {
  const header = Buffer.alloc(1_024);
  header.writeUInt32LE(0x64a30200, 0);
  header.writeFloatLE(rate, 4);
  header.writeInt32LE(1, 8);
  header.writeInt32LE(2, 12);
  return Buffer.concat([header, pcm(rate)]);
}

function amiga(rate: number): Buffer {
  const body = Buffer.from(Int8Array.from(tone(SECONDS, HERTZ, rate), (value) => Math.round(value * 100)).buffer);
  const voice = Buffer.alloc(20);
  voice.writeUInt32BE(body.length, 0);
  voice.writeUInt16BE(rate, 12);
  voice[14] = 1;
  voice.writeUInt32BE(0x10000, 16);
  const chunk = (name: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(name, 0);
    head.writeUInt32BE(content.length, 4);
    return Buffer.concat([head, content]);
  };
  return chunk("FORM", Buffer.concat([Buffer.from("8SVX"), chunk("VHDR", voice), chunk("BODY", body)]));
}

async function encoded(encoder: string, extension: string, rate: number, bitRate: number): Promise<Buffer> {
  const file = path.join(folder, `encoded.${extension}`);
  const channels = [tone(SECONDS, HERTZ, rate)];
  await writeMedia(file, { tracks: [{ channels, sampleRate: rate, encoder, bitRate }] });
  return readFileSync(file);
}

async function dv(): Promise<Buffer> {
  const file = path.join(folder, "encoded.dv");
  const sound = tone(SECONDS, HERTZ, 48_000);
  const track = { channels: [sound, sound], sampleRate: 48_000, encoder: "pcm_s16le" };
  await writeMedia(file, { videoSeconds: SECONDS, tracks: [track] });
  return readFileSync(file);
}

const BY_CONTENT: [what: string, content: () => Buffer | Promise<Buffer>, extension: string][] = [
  ["NIST SPHERE", () => sphere(8_000, "pcm", pcm(8_000), 2), "sph"],
  ["IRCAM", () => ircam(16_000), "sf"],
  ["8SVX", () => amiga(16_000), "8svx"],
  ["DV", dv, "dv"],
];

describe.each(BY_CONTENT)("%s", (_what, content, extension) => {
  test("is read by its content", async () => {
    const { probe, decoded, samples } = await read(await content());
    expect(probe).toMatchObject({ extension });
    expect(probe.durationSeconds).toBeCloseTo(SECONDS, 1);
    expect(decoded.durationSeconds).toBeCloseTo(SECONDS, 1);
    expect(hertzOf(samples)).toBeCloseTo(HERTZ, -1);
  });
});

const BY_NAME: [extension: string, content: () => Buffer | Promise<Buffer>][] = [
  ["sln", () => pcm(8_000)],
  ["sln16", () => pcm(16_000)],
  ["sln48", () => pcm(48_000)],
  ["g722", () => encoded("g722", "g722", 16_000, 64_000)],
  ["ul", () => encoded("pcm_mulaw", "ul", 8_000, 64_000)],
  ["alaw", () => encoded("pcm_alaw", "al", 8_000, 64_000)],
];

describe.each(BY_NAME)(".%s", (extension, content) => {
  test("is read by its extension, and refused without one", async () => {
    const bytes = await content();
    const { probe, decoded, samples } = await read(bytes, extension);
    expect(probe.durationSeconds).toBeCloseTo(SECONDS, 1);
    expect(decoded.durationSeconds).toBeCloseTo(SECONDS, 1);
    expect(hertzOf(samples)).toBeCloseTo(HERTZ, -1);
    await expect(read(bytes)).rejects.toMatchObject({ code: expect.stringMatching(/^media\./) });
  });
});

test.each([
  ["wmav2", "wma"],
  ["aac", "asf"],
  ["ac3", "rm"],
])("a file of %s in .%s has one duration, whether probed or decoded", async (encoder, extension) => {
  const { probe, decoded } = await read(await encoded(encoder, extension, 44_100, 64_000));
  expect(probe.durationSeconds).toBe(decoded.durationSeconds);
  expect(decoded.durationSeconds).toBeCloseTo(SECONDS, 0);
});

test("a wrong extension does not hide a known format", async () => {
  for (const extension of ["sln", "g722", "mp3", "exe"]) {
    const { probe, samples } = await read(wav([tone(SECONDS, HERTZ)]), extension);
    expect(probe.extension).toBe("wav");
    expect(hertzOf(samples)).toBeCloseTo(HERTZ, -1);
  }
});

test.each([
  ["<!DOCTYPE html><html><title>Sign in</title></html>", /a web page \(HTML\)/],
  ["\n\n  <html><body>404</body></html>", /a web page \(HTML\)/],
  ["<!-- saved from -->\n<!doctype HTML>", /a web page \(HTML\)/],
  ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', /an XML document/],
  ['{"error": "not found"}', /a JSON document/],
  ["#EXTM3U\nhttps://example.com/a.ts\n", /a playlist/],
  ["%PDF-1.7\n", /a PDF document/],
  ["PK\x03\x04\x14", /a ZIP archive/],
])("%j is named by its kind", async (content, message) => {
  await expect(read(Buffer.from(content, "latin1"), "mp3")).rejects.toMatchObject({
    code: "media.not_decodable",
    message: expect.stringMatching(message),
  });
});

test.skipIf(!existsSync(TELEPHONE))("the shared telephone recording is read", async () => {
  const { probe, decoded } = await read(readFileSync(TELEPHONE));
  expect(probe.extension).toBe("sph");
  expect(decoded.durationSeconds).toBeCloseTo(11, 0);
});
