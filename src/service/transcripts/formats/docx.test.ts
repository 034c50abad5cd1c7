import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { writeDocument } from "./docx.ts";
import type { TranscriptSource } from "./format.ts";

const CENTRAL_HEADER = "PK\u0001\u0002";

/** One entry of a ZIP archive, by its central directory. */
function entry(archive: Uint8Array, name: string): string {
  const bytes = Buffer.from(archive);
  for (
    let at = bytes.indexOf(CENTRAL_HEADER, 0, "latin1");
    at >= 0;
    at = bytes.indexOf(CENTRAL_HEADER, at + 1, "latin1")
  ) {
    const [compressed, nameBytes, local] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    if (bytes.toString("utf8", at + 46, at + 46 + nameBytes) !== name) continue;
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(from, from + compressed);
    return (bytes.readUInt16LE(local + 8) === 0 ? content : inflateRawSync(content)).toString("utf8");
  }
  throw new Error(`no ${name}`);
}

async function documentOf(text: string, notes: object[] = []): Promise<string> {
  const utterances = text === "" ? [] : [utterance(text)];
  const paper = {
    title: "audio",
    createdAt: "2026-11-25",
    transcription: { utterances, speaker_names: {}, paragraph_starts: [] },
    notes,
  } as unknown as TranscriptSource;
  return entry(await writeDocument(paper), "word/document.xml");
}

test.each(["مرحبا بالعالم", "שלום עולם"])("%s runs from right to left", async (text) => {
  const document = await documentOf(text);
  expect(document).toMatch(/<w:bidi\/>/);
  expect(document).toMatch(/<w:rtl\/>/);
});

test("other text does not", async () => {
  expect(await documentOf("hello")).not.toMatch(/<w:bidi\/>|<w:rtl\/>/);
});

test("a note stands alone where all words were removed", async () => {
  const note = { start: 2, end: 3, channel: 0, colour: "yellow", quote: "eight nine", text: "" };
  expect(await documentOf("", [note])).toContain("eight nine");
});
