// FFmpeg reads both formats as they were meant, and the W3C's parser accepts WebVTT.
import "../../src/speech/audio/decode/promise-with-resolvers.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { Demuxer } from "node-av";
import { expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { layoutCaptions } from "../../src/speech/subtitles/layout.ts";
import { subtitleFile } from "../../src/speech/subtitles/subtitles.ts";
import { captionFaults } from "../fixtures/caption-rules.ts";
import { utterance } from "../fixtures/utterances.ts";
import { readWebVtt } from "../fixtures/webvtt.ts";

const TEXT = "Fish & chips <now> cost 50% more, said Ada; nobody --> everybody agreed, and so on and on it went.";
const words = TEXT.split(" ").map((word, at) => ({
  word: at === 0 ? word : ` ${word}`,
  start: 3_599 + at / 3,
  end: 3_599.3 + at / 3,
  confidence: 1,
}));
const said: Utterance = {
  text: TEXT,
  language: "en",
  start: 3_599,
  end: 3_606,
  confidence: 1,
  channel: 0,
  speaker: 0,
  words,
};

async function packetsOf(file: string) {
  const input = await Demuxer.open(file);
  const packets: { start: number; end: number; text: string }[] = [];
  for await (const packet of input.packets()) {
    if (!packet?.data) continue;
    const start = Number(packet.pts) / 1000;
    packets.push({ start, end: start + Number(packet.duration) / 1000, text: packet.data.toString("utf8") });
  }
  await input.close();
  return packets;
}

test.each(["srt", "vtt"] as const)("FFmpeg reads %s: every caption, its times and its text", async (format) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-captions-"));
  try {
    const source = { utterances: [said, { ...said, speaker: 1, channel: 1 }], names: { 0: "Ada <1>" } };
    const file = path.join(folder, `captions.${format}`);
    writeFileSync(file, subtitleFile(format, source));
    const captions = layoutCaptions(source, {}, format === "srt" ? "in-text" : "beside");
    const packets = await packetsOf(file);
    expect(packets.map(({ start, end }) => ({ start, end }))).toEqual(
      captions.map(({ start, end }) => ({ start: expect.closeTo(start, 3), end: expect.closeTo(end, 3) })),
    );
    for (const [index, { text }] of packets.entries()) {
      const plain = text
        .replace(/<v [^>]*>/, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
      expect(plain).toBe(captions[index]?.rows.join("\n"));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const someWord = fc.constantFrom(
  "a",
  "word",
  "R&D",
  "<b>",
  "-->",
  "long-winded",
  "Ende.",
  "été",
  "NOTE",
  "STYLE",
  "“yes”,",
);
const someTalk = fc.array(
  fc.record({
    words: fc.array(someWord, { minLength: 1, maxLength: 60 }),
    pause: fc.constantFrom(0, 0.2, 3),
    speaker: fc.nat(2),
  }),
  { minLength: 1, maxLength: 8 },
);

test("the W3C's parser finds no fault in WebVTT, and SubRip keeps the rules, for any text and any speakers", () => {
  fc.assert(
    fc.property(someTalk, (talk) => {
      let at = 0;
      const utterances = talk.map(({ words: texts, pause, speaker }) => {
        const made = { ...utterance(texts.join(" "), at + pause), speaker };
        at = made.end;
        return made;
      });
      const source = { utterances, audioSeconds: at, names: { 0: "Ada & <Co>" } };
      const { cues, faults } = readWebVtt(subtitleFile("vtt", source));
      expect(faults).toEqual([]);
      expect(cues).toBe(layoutCaptions(source, {}, "beside").length);
      expect(captionFaults(subtitleFile("srt", source), at)).toEqual([]);
    }),
  );
});

test("the W3C's parser reports text that is not escaped", () => {
  expect(readWebVtt("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nR&D <b\n").faults).not.toEqual([]);
});
