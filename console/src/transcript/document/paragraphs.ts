// The document as the editor holds it: one paragraph of plain text for each utterance. Speakers and the times of words
// come from the transcript.
import { type Node as Paragraphs, Schema } from "prosemirror-model";
import { type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import type { CorrectedTranscription } from "../../../../src/service/transcripts/corrections.ts";

const schema = new Schema({
  nodes: {
    doc: { content: "paragraph*" },
    paragraph: { content: "text*", toDOM: () => ["p", 0], parseDOM: [{ tag: "p" }], whitespace: "pre" },
    text: {},
  },
});

const paragraphOf = (text: string) => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)]);

export const documentOf = (texts: readonly string[]): Paragraphs => schema.node("doc", null, texts.map(paragraphOf));

/** Identities of the paragraphs of a transcript. */
export const idsOf = ({ utterances, source_utterances }: CorrectedTranscription) =>
  utterances.map(({ words, start, channel }, at) => `${source_utterances[at]} ${channel} ${words[0]?.start ?? start}`);

/** A place in the text. */
export interface Place {
  at: number;
  offset: number;
}

/** A stretch of the text of one paragraph. */
export interface Stretch {
  at: number;
  from: number;
  until: number;
}

/** Positions of the paragraphs in the document. */
export function startsOf(doc: Paragraphs): number[] {
  const starts: number[] = [];
  doc.forEach((_, offset) => {
    starts.push(offset);
  });
  return starts;
}

/** @param position  in the document */
export function placeOf(doc: Paragraphs, position: number): Place {
  const found = doc.resolve(Math.min(position, doc.content.size));
  const at = Math.min(found.index(0), doc.childCount - 1);
  return { at, offset: found.depth === 0 ? 0 : found.parentOffset };
}

export function positionOf(doc: Paragraphs, { at, offset }: Place): number {
  let start = 0;
  for (let before = 0; before < at; before++) start += doc.child(before).nodeSize;
  return start + 1 + Math.min(offset, doc.child(at).content.size);
}

export const textAt = (doc: Paragraphs, at: number): string => doc.maybeChild(at)?.textContent ?? "";

/** The stretches of a part of the document. */
export function stretchesOf(doc: Paragraphs, from: number, until: number): Stretch[] {
  const stretches: Stretch[] = [];
  doc.forEach((paragraph, offset, at) => {
    const [first, last] = [Math.max(from - offset - 1, 0), Math.min(until - offset - 1, paragraph.content.size)];
    if (first < last) stretches.push({ at, from: first, until: last });
  });
  return stretches;
}

/** Replaces a selection of any paragraphs by a text. The paragraphs stay: what divides them is not text. */
export function replaceText(state: EditorState, from: number, until: number, text: string): Transaction {
  const { tr } = state;
  const starts = startsOf(state.doc);
  for (const { at, ...stretch } of stretchesOf(state.doc, from, until).reverse()) {
    const start = (starts[at] ?? 0) + 1;
    tr.delete(start + stretch.from, start + stretch.until);
  }
  if (text !== "") tr.insertText(text, from, from);
  return tr.setSelection(TextSelection.create(tr.doc, from + text.length)).scrollIntoView();
}

/** Replaces the text of a paragraph where it differs, so that the caret stays where it is. */
function replaceDifference(tr: Transaction, start: number, before: string, now: string): void {
  const most = Math.min(before.length, now.length);
  let front = 0;
  while (front < most && before[front] === now[front]) front++;
  let back = 0;
  while (back < most - front && before.at(-1 - back) === now.at(-1 - back)) back++;
  const [from, until] = [start + 1 + front, start + 1 + before.length - back];
  tr.replaceWith(from, until, now.length - back > front ? schema.text(now.slice(front, now.length - back)) : []);
}

/** Identities and texts of paragraphs, in order. */
export interface Shown {
  ids: readonly string[];
  texts: readonly string[];
}

/**
 * Makes the document read as the transcript does.
 * @param isEqual  whether two texts differ in nothing that is stored
 * @returns undefined if it does already
 */
export function follow(
  state: EditorState,
  formerIds: readonly string[],
  { ids, texts }: Shown,
  isEqual: (left: string, right: string) => boolean,
): Transaction | undefined {
  const { tr, doc } = state;
  const count = doc.childCount;
  const most = Math.min(count, ids.length);
  let front = 0;
  while (front < most && formerIds[front] === ids[front]) front++;
  let back = 0;
  while (back < most - front && formerIds.at(-1 - back) === ids.at(-1 - back)) back++;
  // The first word of a paragraph may have changed: it is the same paragraph.
  if (count === ids.length) [front, back] = [count, 0];
  const starts = startsOf(doc);
  const replaceTexts = (from: number, until: number, shift: number) => {
    for (let at = until - 1; at >= from; at--) {
      const [before, now] = [textAt(doc, at), texts[at + shift] ?? ""];
      if (!isEqual(before, now)) replaceDifference(tr, starts[at] as number, before, now);
    }
  };
  replaceTexts(count - back, count, ids.length - count);
  if (count - back > front || ids.length - back > front) {
    const until = count - back === count ? doc.content.size : (starts[count - back] as number);
    const from = front === count ? doc.content.size : (starts[front] as number);
    tr.replaceWith(from, until, texts.slice(front, ids.length - back).map(paragraphOf));
  }
  replaceTexts(0, front, 0);
  return tr.docChanged ? tr : undefined;
}

/** A text that is pasted, in one line. Space at its edges stays one space. @returns also the offsets in it at which a blank line began a paragraph */
export function pastedText(text: string): { text: string; offsets: number[] } {
  const isEdge = (space: string, at: number) => at === 0 || at + space.length === text.length;
  const paragraphs = text
    .replace(/\s+/gu, (space, at: number) => (isBlankLine(space) && !isEdge(space, at) ? "\n" : " "))
    .split("\n");
  const offsets: number[] = [];
  let length = 0;
  for (const paragraph of paragraphs.slice(0, -1)) {
    length += paragraph.length + 1;
    offsets.push(length);
  }
  return { text: paragraphs.join(" "), offsets };
}

const isBlankLine = (space: string) => space.replace(/\r\n?/gu, "\n").split("\n").length > 2;
