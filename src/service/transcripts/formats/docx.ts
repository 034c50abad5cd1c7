// Writes a transcript as a Word document.
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from "docx";
import { isRightToLeft } from "../../../speech/text/scripts.ts";
import type { TranscriptSource } from "./format.ts";
import { clock, paragraphsOf } from "./paragraphs.ts";

/** Twentieths of a point. */
const SPACE_AFTER = 120;

/** Characters that XML 1.0 cannot represent: control characters and lone surrogates. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;
const clean = (text: string) => text.replace(NOT_IN_XML, "");

export async function writeDocument({ title, createdAt, transcription }: TranscriptSource): Promise<Uint8Array> {
  const spoken = paragraphsOf(transcription).map(({ start, speaker, text }) => {
    const rightToLeft = isRightToLeft(text);
    const time = new TextRun({ text: `${clock(start)}  `, color: "666666", size: 18 });
    const who =
      speaker === undefined
        ? []
        : [new TextRun({ text: `${clean(speaker)}: `, bold: true, rightToLeft: isRightToLeft(speaker) })];
    return new Paragraph({
      children: [time, ...who, new TextRun({ text: clean(text), rightToLeft })],
      bidirectional: rightToLeft,
      spacing: { after: SPACE_AFTER },
    });
  });
  const document = new Document({
    title: clean(title),
    creator: "Parlance",
    sections: [
      {
        children: [
          new Paragraph({
            children: [new TextRun({ text: clean(title), rightToLeft: isRightToLeft(title) })],
            bidirectional: isRightToLeft(title),
            heading: HeadingLevel.HEADING_1,
          }),
          new Paragraph({ children: [new TextRun({ text: createdAt.slice(0, 10), color: "666666" })] }),
          ...spoken,
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
