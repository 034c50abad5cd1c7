// A transcript as Markdown. What was said is text and never markup.
import type { Paper } from "./format.ts";
import { clock, paragraphsOf } from "./paragraphs.ts";

/** Characters that mean something to CommonMark, HTML included. */
const SPECIAL = /[\\`*_{}[\]<>#|~&!]/g;
/** At the beginning of a line these mean lists, headings, quotations. */
const LINE_START = /^(\s*)([-+=]|\d+[.)])/;

export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s*\n\s*/g, " ")
    .replace(SPECIAL, "\\$&")
    .replace(LINE_START, (_, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`);
}

export function writeMarkdown({ title, createdAt, transcription }: Paper): string {
  const paragraphs = paragraphsOf(transcription).map(({ start, speaker, text }) => {
    const said = escapeMarkdown(text);
    return speaker === undefined
      ? `**${clock(start)}** ${said}`
      : `**${escapeMarkdown(speaker)}** (${clock(start)}): ${said}`;
  });
  return `${[`# ${escapeMarkdown(title)}`, createdAt.slice(0, 10), ...paragraphs].join("\n\n")}\n`;
}
