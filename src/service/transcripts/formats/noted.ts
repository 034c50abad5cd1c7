// Places notes among the paragraphs of a transcript.
import type { Note } from "../../../contract/notes.ts";
import type { Paragraph } from "./paragraphs.ts";

/** @returns the notes of each paragraph: those that begin in it, or after it and before the next one */
export function notesByParagraph(paragraphs: readonly Paragraph[], notes: readonly Note[]): Note[][] {
  const byParagraph = paragraphs.map((): Note[] => []);
  for (const note of notes) {
    const at = paragraphs.findLastIndex(({ start }) => start <= note.start);
    byParagraph[Math.max(0, at)]?.push(note);
  }
  return byParagraph;
}
