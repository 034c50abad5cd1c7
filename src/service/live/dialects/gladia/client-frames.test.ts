import { expect, test } from "vitest";
import { GREATEST_AUDIO_TEXTS, timeOf } from "../../../../../test/fixtures/greatest-audio-texts.ts";
import { parseBinaryFrame, parseTextFrame } from "./client-frames.ts";

const audio = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7) % 256));
const chunk = (text: string) => Buffer.from(JSON.stringify({ type: "audio_chunk", data: { chunk: text } }));

test("base64 may contain line breaks, as in mail", () => {
  const text = audio.toString("base64");
  for (const lineBreak of ["\n", "\r\n", " "]) {
    const broken = (text.match(/.{1,76}/g) as string[]).join(lineBreak);
    for (const whole of [broken, broken + lineBreak]) {
      expect(parseTextFrame(chunk(whole))).toEqual({ kind: "audio", bytes: audio });
    }
  }
  expect(parseTextFrame(chunk("AAA=\n=\n"))).toMatchObject({ kind: "audio" });
});

test("text that is not base64 is refused", () => {
  for (const text of ["***", "AA=A", "AAAA====", "data:audio/wav;base64,AAAA"]) {
    expect(parseTextFrame(chunk(text))).toMatchObject({ kind: "unreadable", isChunk: true });
  }
});

test("a message in a binary frame is a message", () => {
  const stop = JSON.stringify({ type: "stop_recording" });
  for (const text of [stop, ` ${stop}\r\n`]) expect(parseBinaryFrame(Buffer.from(text))).toEqual({ kind: "stop" });
  expect(parseTextFrame(Buffer.from('{"type":"finalize","data":{"now":1}}'))).toEqual({
    kind: "finalize",
    unknownFields: ["data.now"],
  });
  expect(parseBinaryFrame(chunk(audio.toString("base64")))).toEqual({ kind: "audio", bytes: audio });
  expect(parseBinaryFrame(Buffer.from('{"type":"sing"}'))).toMatchObject({ kind: "unreadable" });
});

test("configure names what changes; what is wrong with it is named, and unknown fields are ignored", () => {
  const parse = (data: unknown) => parseTextFrame(Buffer.from(JSON.stringify({ type: "configure", data })));
  const change = {
    ...{ endpointing: 0.3, turn_detection: { mode: "smart", threshold: 0.7 } },
    realtime_processing: {
      custom_vocabulary: true,
      custom_vocabulary_config: { vocabulary: ["Ada"] },
      numerals: false,
    },
  };
  expect(parse(change)).toEqual({ kind: "configure", change });
  expect(parse({ language_config: { languages: ["de-AT", "German", "fr"] } })).toEqual({
    ...{ kind: "configure", change: { language_config: { languages: ["de", "fr"] } } },
  });
  expect(parse({ language_config: { languages: ["auto"], code_switching: true } })).toMatchObject({
    change: { language_config: { languages: [], code_switching: true } },
  });
  // Without defaults: what is not named stays.
  expect(parse({})).toEqual({ kind: "configure", change: {} });
  expect(
    parse({ endpointing: 1, model: "x", turn_detection: { eager: 1 }, language_config: { language: "de" } }),
  ).toMatchObject({
    unknownFields: ["data.model", "data.turn_detection.eager", "data.language_config.language"],
  });
  for (const [data, name] of [
    [undefined, "data"],
    [{ endpointing: 11 }, "endpointing"],
    [{ endpointing: "fast" }, "endpointing"],
    [{ language_config: { languages: ["klingon"] } }, "language_config.languages.0 must be equal to one of"],
    [{ language_config: { languages: "de" } }, "language_config.languages must be array"],
    [{ language_config: null }, "language_config must be object"],
    [{ turn_detection: { mode: "clever" } }, "turn_detection.mode must be equal to one of the allowed values: silence"],
    [{ turn_detection: { minimum_silence: 2, maximum_silence: 1 } }, "turn_detection.minimum_silence (2)"],
    [{ realtime_processing: { custom_vocabulary_config: { vocabulary: ["x".repeat(300)] } } }, "vocabulary.0"],
    [
      { realtime_processing: { custom_vocabulary_config: { vocabulary: new Array(100).fill("y".repeat(2_000)) } } },
      "1,024 bytes",
    ],
  ] as const) {
    expect(parse(data)).toMatchObject({ kind: "unreadable", reason: expect.stringContaining(name) });
  }
});

test("audio in a binary frame is audio, whatever its first bytes", () => {
  for (const bytes of [
    audio,
    Buffer.from("{}"),
    Buffer.from("{"),
    Buffer.alloc(0),
    Buffer.from('{"type":1}'),
    Buffer.from("   "),
  ]) {
    expect(parseBinaryFrame(bytes)).toEqual({ kind: "audio", bytes });
  }
});

test.each(GREATEST_AUDIO_TEXTS)("the greatest frame of %s takes a short time", (what, literal, isAudio) => {
  const frame = Buffer.from(`{"type":"audio_chunk","data":{"chunk":"${literal}"}}`);
  const { result, milliseconds } = timeOf(() => parseTextFrame(frame));
  if (process.env["SHOW_TURNS"]) process.stderr.write(`${what} ${milliseconds}\n`);
  expect(milliseconds).toBeLessThan(120);
  if (isAudio) expect(result).toMatchObject({ kind: "audio", bytes: { length: (literal.length * 3) / 4 } });
  else expect(result).toMatchObject({ kind: "unreadable", reason: expect.stringContaining("no line breaks") });
});

test("a large frame is decoded as a whole", () => {
  const bytes = Buffer.from(Array.from({ length: 7_000_001 }, (_, at) => (at * 7919) >> 3));
  const frame = Buffer.from(`{"type":"audio_chunk","data":{"chunk":"${bytes.toString("base64")}"}}`);
  const read = parseTextFrame(frame) as { bytes: Buffer };
  expect(read.bytes.equals(bytes)).toBe(true);
});
