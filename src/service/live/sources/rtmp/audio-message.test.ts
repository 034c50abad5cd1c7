// Audio in messages of FLV and of Enhanced RTMP.
import { expect, test } from "vitest";
import { readAudio } from "./audio-message.ts";

const read = (hex: string, rest = "") =>
  readAudio(Buffer.concat([Buffer.from(hex, "hex"), Buffer.from(rest, "latin1")]));
const body = Buffer.from("xyz");

test("AAC has a description, then frames", () => {
  expect(read("af001190")).toEqual({ setup: { codec: "aac", head: Buffer.from("1190", "hex") } });
  expect(read("af01", "xyz")).toEqual({ packet: body });
  expect(read("af00")).toEqual({});
  expect(read(`af00${"00".repeat(65)}`)).toEqual({});
});

test("MP3, G.711 and PCM describe themselves", () => {
  expect(read("2f", "xyz")).toEqual({ setup: { codec: "mp3" }, packet: body });
  expect(read("72", "xyz")).toEqual({ setup: { codec: "a-law", sampleRate: 8_000, channels: 1 }, packet: body });
  expect(read("83", "xyz")).toEqual({ setup: { codec: "mu-law", sampleRate: 8_000, channels: 2 }, packet: body });
  expect(read("3f", "xyz")).toEqual({ setup: { codec: "s16le", sampleRate: 44_100, channels: 2 }, packet: body });
});

test("Enhanced RTMP: AAC, Opus and MP3; other tracks are passed over", () => {
  const head = `OpusHead\u0001\u0001${"\0".repeat(9)}`;
  expect(read("90", `Opus${head}`)).toEqual({ setup: { codec: "opus", channels: 1 } });
  expect(read("90", "Opus")).toEqual({ setup: { codec: "opus", channels: 2 } });
  expect(read("91", "Opusxyz")).toEqual({ packet: body });
  expect(read("90", "mp4a\u0011\u0090")).toEqual({ setup: { codec: "aac", head: Buffer.from("1190", "hex") } });
  expect(read("91", ".mp3xyz")).toEqual({ setup: { codec: "mp3" }, packet: body });
  expect(read("95", "\u0001Opus\u0001xyz")).toEqual({});
  expect(read("94", "Opus\u0001\u0002")).toEqual({});
  // A modifier of three bytes, and one of 300.
  expect(read("970200000001", "Opusxyz")).toEqual({ packet: body });
  expect(read(`97ff012b${"00".repeat(300)}01`, "Opusxyz")).toEqual({ packet: body });
  expect(read("97ffffff07")).toEqual({});
});

test.each([
  ["1f00", "ADPCM"],
  ["6f00", "Nellymoser"],
  ["bf00", "Speex"],
  ["df00", "format 13"],
  ["3c00", "PCM of 8 bits"],
  [`91${Buffer.from("fLaCx").toString("hex")}`, "fLaC"],
  [`91${Buffer.from("ac-3x").toString("hex")}`, "ac-3"],
])("%s is refused with the name of its format: %s", (hex, name) => {
  expect(() => read(hex)).toThrow(`its audio is ${name}`);
});

test("empty messages have no audio", () => {
  expect(read("")).toEqual({});
  expect(read("af")).toEqual({});
});
