import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeMedia } from "../../../test/fixtures/media.ts";
import { HELLO_MP3, noise } from "../../../test/fixtures/recordings.ts";
import { decodeSpeech, encodeAlaw, encodePcm, encodeUlaw } from "../../../test/fixtures/speech.ts";
import { isText, streamKind, TEXT_NAME } from "./container-format.ts";

let folder: string;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-containers-"));
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["webm", "libopus", /WebM/],
  ["mkv", "pcm_s16le", /Matroska/],
  ["ogg", "libopus", /^Ogg$/],
  ["flac", "flac", /^FLAC$/],
  ["mp4", "aac", /MP4/],
  ["mov", "aac", /MP4/],
  ["ts", "mp2", /MPEG transport stream/],
  ["aac", "aac", /AAC/],
  ["mp2", "mp2", /layer 2/],
  ["aiff", "pcm_s16be", /^AIFF$/],
  ["caf", "pcm_s16be", /CAF/],
  ["au", "pcm_s16be", /^AU$/],
  ["wma", "wmav2", /ASF/],
])("%s is identified by its first bytes", async (extension, encoder, name) => {
  const file = path.join(folder, `audio.${extension}`);
  await writeMedia(file, { tracks: [{ channels: [speech], sampleRate: 16_500, encoder }] });
  expect(streamKind(readFileSync(file).subarray(0, 8_000))).toEqual({
    kind: "known",
    name: expect.stringMatching(name),
  });
});

test("MP3 is recognised with and without a tag, from any frame on", () => {
  const bytes = readFileSync(HELLO_MP3);
  expect(streamKind(bytes)).toMatchObject({ kind: "known", name: expect.stringMatching(/MP3/) });
  const sync = bytes.findIndex((byte, at) => at > 500 && byte === 0xff && ((bytes[at + 1] as number) & 0xfe) === 0xfa);
  const frames = [0, 1, 2].map((skip) => bytes.subarray(bytes.indexOf(bytes.subarray(sync, sync + 2), sync + skip)));
  expect(frames.map((frame) => streamKind(frame).kind)).toContain("known");
});

test("AVI is recognised, which has the same first bytes as WAV", () => {
  const start = Buffer.concat([Buffer.from("RIFF\0\0\0\0AVI LIST", "latin1"), Buffer.alloc(100)]);
  expect(streamKind(start)).toEqual({ kind: "known", name: "AVI" });
});

test("a shorter prefix is incomplete or recognised, and never raw", async () => {
  const file = path.join(folder, "beginning.webm");
  await writeMedia(file, { tracks: [{ channels: [speech], sampleRate: 16_500, encoder: "libopus" }] });
  const bytes = readFileSync(file);
  for (let length = 0; length < 100; length++) expect(streamKind(bytes.subarray(0, length)).kind).not.toBe("raw");
});

test("base64 is text; base64 of silence is not recognised by its first bytes", () => {
  const pcm = encodePcm([speech]);
  expect(streamKind(Buffer.from(pcm.subarray(20_000).toString("base64")))).toEqual({ kind: "known", name: TEXT_NAME });
  expect(isText(Buffer.from(Buffer.alloc(300).toString("base64")))).toBe(false);
});

test("speech and noise of every encoding are raw from any position on", () => {
  const sounds = [speech, noise(2, 0.3), noise(2, 0.002), new Float32Array(32_000)];
  for (const samples of sounds) {
    const encoded = [8, 16, 24, 32].map((bits) => encodePcm([samples], bits));
    for (const bytes of [...encoded, encodeUlaw(samples), encodeAlaw(samples)]) {
      for (let at = 0; at + 6_500 < bytes.length; at += 331) {
        expect(streamKind(bytes.subarray(at, at + 6_500)).kind).toBe("raw");
      }
    }
  }
});
