// FFmpeg reads both formats as they were meant.
import "../../src/audio/decode/promise-with-resolvers.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Demuxer } from "node-av";
import { expect, test } from "vitest";
import { layoutCaptions } from "../../src/subtitles/layout.ts";
import { subtitleFile } from "../../src/subtitles/subtitles.ts";
import type { Utterance } from "../../src/transcript/transcript.ts";

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
