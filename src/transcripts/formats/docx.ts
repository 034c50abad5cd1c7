// A transcript as a document for word processors.
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from "docx";
import type { Paper } from "./format.ts";
import { clock, paragraphsOf } from "./paragraphs.ts";

/** Twentieths of a point. */
const SPACE_AFTER = 120;

/** XML 1.0 has no way to write these: control characters, halves of pairs. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;
const clean = (text: string) => text.replace(NOT_IN_XML, "");

export async function writeDocument({ title, createdAt, transcription }: Paper): Promise<Uint8Array> {
  const spoken = paragraphsOf(transcription).map(({ start, speaker, text }) => {
    const time = new TextRun({ text: `${clock(start)}  `, color: "666666", size: 18 });
    const who = speaker === undefined ? [] : [new TextRun({ text: `${clean(speaker)}: `, bold: true })];
    return new Paragraph({ children: [time, ...who, new TextRun(clean(text))], spacing: { after: SPACE_AFTER } });
  });
  const document = new Document({
    title: clean(title),
    creator: "Parlance",
    sections: [
      {
        children: [
          new Paragraph({ text: clean(title), heading: HeadingLevel.HEADING_1 }),
          new Paragraph({ children: [new TextRun({ text: createdAt.slice(0, 10), color: "666666" })] }),
          ...spoken,
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
