// Writes a transcript as a Word document.
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from "docx";
import type { Note } from "../../../contract/notes.ts";
import { isRightToLeft } from "../../../speech/text/scripts.ts";
import type { TranscriptSource } from "./format.ts";
import { notesAlone, notesByParagraph } from "./noted.ts";
import { clock, shownParagraphs } from "./paragraphs.ts";

/** Twentieths of a point. */
const SPACE_AFTER = 120;
const NOTE_INDENT = 400;

/** Characters that XML 1.0 cannot represent: control characters and lone surrogates. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;
const clean = (text: string) => text.replace(NOT_IN_XML, "");

/** Colours that word processors have for highlighted text. */
const HIGHLIGHTS = { yellow: "yellow", green: "green", blue: "cyan", pink: "magenta" } as const;

function noteOf({ start, quote, text, colour }: Note): Paragraph {
  const rightToLeft = isRightToLeft(quote);
  return new Paragraph({
    children: [
      new TextRun({ text: `${clock(start)}  `, color: "666666", size: 18 }),
      new TextRun({ text: clean(quote), highlight: HIGHLIGHTS[colour], rightToLeft }),
      ...(text === ""
        ? []
        : [new TextRun({ text: `  ${clean(text)}`, italics: true, rightToLeft: isRightToLeft(text) })]),
    ],
    bidirectional: rightToLeft,
    indent: { left: NOTE_INDENT },
    spacing: { after: SPACE_AFTER },
  });
}

export async function writeDocument(source: TranscriptSource): Promise<Uint8Array> {
  const { title, createdAt, notes = [], times = true } = source;
  const paragraphs = shownParagraphs(source);
  const noted = notesByParagraph(paragraphs, notes);
  const spoken = paragraphs.flatMap(({ start, speaker, text }, at) => {
    const rightToLeft = isRightToLeft(text);
    const time = times ? [new TextRun({ text: `${clock(start)}  `, color: "666666", size: 18 })] : [];
    const who =
      speaker === undefined
        ? []
        : [new TextRun({ text: `${clean(speaker)}: `, bold: true, rightToLeft: isRightToLeft(speaker) })];
    const paragraph = new Paragraph({
      children: [...time, ...who, new TextRun({ text: clean(text), rightToLeft })],
      bidirectional: rightToLeft,
      spacing: { after: SPACE_AFTER },
    });
    return [paragraph, ...(noted[at] ?? []).map(noteOf)];
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
          ...notesAlone(paragraphs, notes).map(noteOf),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
