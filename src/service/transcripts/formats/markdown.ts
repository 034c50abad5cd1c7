// Writes a transcript as Markdown, with the spoken text escaped.
import type { Note } from "../../../contract/notes.ts";
import type { TranscriptSource } from "./format.ts";
import { notesAlone, notesByParagraph } from "./noted.ts";
import { clock, shownParagraphs } from "./paragraphs.ts";

/** Characters with a meaning in CommonMark, including HTML. */
const SPECIAL = /[\\`*_{}[\]<>#|~&!]/g;
/** At the start of a line these are lists, headings and quotations. */
const LINE_START = /^(\s*)([-+=]|\d+[.)])/;

function escapeMarkdown(text: string): string {
  return (
    text
      // A carriage return alone ends a line, too (CommonMark 2.1).
      .replace(/(?<!\s)\s*[\n\r]\s*/g, " ")
      .replace(SPECIAL, "\\$&")
      .replace(LINE_START, (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`)
  );
}

const noteOf = ({ start, quote, text }: Note) =>
  `> **${clock(start)}** “${escapeMarkdown(quote)}”${text === "" ? "" : `: ${escapeMarkdown(text)}`}`;

export function writeMarkdown(source: TranscriptSource): string {
  const { title, createdAt, notes = [], times = true } = source;
  const all = shownParagraphs(source);
  const noted = notesByParagraph(all, notes);
  const paragraphs = all.flatMap(({ start, speaker, text }, at) => {
    const escaped = escapeMarkdown(text);
    const time = times ? clock(start) : "";
    const named = speaker === undefined ? "" : `**${escapeMarkdown(speaker)}**${time && ` (${time})`}: `;
    const spoken = `${named || (time && `**${time}** `)}${escaped}`;
    return [spoken, ...(noted[at] ?? []).map(noteOf)];
  });
  const alone = notesAlone(all, notes).map(noteOf);
  return `${[`# ${escapeMarkdown(title)}`, createdAt.slice(0, 10), ...paragraphs, ...alone].join("\n\n")}\n`;
}
