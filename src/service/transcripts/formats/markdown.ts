// Writes a transcript as Markdown, with the spoken text escaped.
import type { TranscriptSource } from "./format.ts";
import { clock, paragraphsOf } from "./paragraphs.ts";

/** Characters with a meaning in CommonMark, including HTML. */
const SPECIAL = /[\\`*_{}[\]<>#|~&!]/g;
/** At the start of a line these are lists, headings and quotations. */
const LINE_START = /^(\s*)([-+=]|\d+[.)])/;

function escapeMarkdown(text: string): string {
  return text
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(SPECIAL, "\\$&")
    .replace(LINE_START, (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`);
}

export function writeMarkdown({ title, createdAt, transcription }: TranscriptSource): string {
  const paragraphs = paragraphsOf(transcription).map(({ start, speaker, text }) => {
    const escaped = escapeMarkdown(text);
    return speaker === undefined
      ? `**${clock(start)}** ${escaped}`
      : `**${escapeMarkdown(speaker)}** (${clock(start)}): ${escaped}`;
  });
  return `${[`# ${escapeMarkdown(title)}`, createdAt.slice(0, 10), ...paragraphs].join("\n\n")}\n`;
}
