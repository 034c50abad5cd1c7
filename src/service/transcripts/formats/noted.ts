// Places notes among the paragraphs of a transcript.
import type { Note } from "../../../contract/notes.ts";
import { middleOf } from "../word-middles.ts";
import type { Paragraph } from "./paragraphs.ts";

function wordCount({ words }: Paragraph, { start, end }: Note): number {
  return words.filter((word) => middleOf(word) >= start && middleOf(word) <= end).length;
}

/** Index of the paragraph of the channel that has most words of the note; without words, of the one at its time. */
function placeOf(paragraphs: readonly Paragraph[], note: Note): number {
  const own = [...paragraphs.entries()].filter(
    ([, { channel, start, end }]) => channel === note.channel && start <= note.end && note.start <= end,
  );
  let found = { at: -1, words: 0 };
  for (const [at, paragraph] of own) {
    const words = wordCount(paragraph, note);
    if (words > found.words) found = { at, words };
  }
  if (found.words > 0) return found.at;
  const [at] = own.findLast(([, { start }]) => start <= note.start) ?? [];
  return at ?? paragraphs.findLastIndex(({ start }) => start <= note.start);
}

/** All notes, if the transcript has no paragraphs because all its words were removed; else none. */
export const notesAlone = (paragraphs: readonly Paragraph[], notes: readonly Note[]): readonly Note[] =>
  paragraphs.length === 0 ? notes : [];

/** @returns the notes of each paragraph; one whose words were removed is in the paragraph at its time, or in the one before */
export function notesByParagraph(paragraphs: readonly Paragraph[], notes: readonly Note[]): Note[][] {
  const byParagraph = paragraphs.map((): Note[] => []);
  for (const note of notes) byParagraph[Math.max(0, placeOf(paragraphs, note))]?.push(note);
  return byParagraph;
}
