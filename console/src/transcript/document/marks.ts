// Marks the words of the paragraphs in view: with their times, and as unsure, found, chosen or played.
import type { Node as Paragraphs } from "prosemirror-model";
import { Decoration, DecorationSet } from "prosemirror-view";
import { t } from "../../language/language.ts";
import { LOW_CONFIDENCE, type UnsureWord } from "../doubt.ts";
import { type Hit, wordsOf } from "../find-text.ts";
import type { Note } from "../note-store.ts";
import { normal, placedWords, shownText } from "../placed-words.ts";
import type { TranscriptStore } from "../store.ts";

export interface Marked {
  reading: NonNullable<TranscriptStore["reading"]["value"]>;
  /** Positions of the paragraphs in view. */
  inView: readonly number[];
  showsUnsure: boolean;
  hits: readonly Hit[];
  hit: Hit | undefined;
  unsure: UnsureWord | undefined;
  /** Seconds; undefined before anything was played. */
  time: number | undefined;
  notes: readonly Note[];
}

/** The last note on a word that was made. */
function noteOn(notes: readonly Note[], { start, end }: { start: number; end: number }): Note | undefined {
  const middle = (start + end) / 2;
  return notes.findLast((note) => note.start <= middle && middle <= note.end);
}

/** @param starts  positions of the paragraphs in the document */
export function marksOf(doc: Paragraphs, starts: readonly number[], marked: Marked): DecorationSet {
  const { reading, inView, showsUnsure, hits, hit, unsure, time, notes } = marked;
  const decorations: Decoration[] = [];
  for (const at of inView) {
    const [utterance, start] = [reading.utterances[at], starts[at]];
    if (!utterance || start === undefined || at >= doc.childCount) continue;
    const text = doc.child(at).textContent;
    const words = placedWords(utterance, text);
    const isStored = normal(text) === normal(shownText(utterance));
    const own = isStored ? hits.filter((one) => one.at === at) : [];
    const found = new Set(own.flatMap((one) => wordsOf(utterance, one)));
    const shown = new Set(isStored && hit?.at === at ? wordsOf(utterance, hit) : []);
    const ownNotes = notes.filter(
      ({ channel, start: from, end }) =>
        channel === utterance.channel && from <= utterance.end && utterance.start <= end,
    );
    for (const [position, word] of words.entries()) {
      const note = noteOn(ownNotes, word);
      const isUnsure = word.confidence < LOW_CONFIDENCE;
      const classes = [
        "word",
        isUnsure && showsUnsure ? "unsure" : "",
        found.has(position) ? "found" : "",
        shown.has(position) ? "found-now" : "",
        unsure?.at === at && unsure.start === word.start ? "unsure-now" : "",
        note ? `noted-${note.colour}` : "",
        time !== undefined && word.start <= time && time < word.end ? "heard" : "",
      ];
      decorations.push(
        Decoration.inline(start + 1 + word.from, start + 1 + word.until, {
          nodeName: "span",
          class: classes.filter((name) => name !== "").join(" "),
          "data-start": String(word.start),
          "data-end": String(word.end),
          ...(note && note.text !== "" ? { title: note.text } : {}),
          ...(isUnsure ? { title: t.transcript.sure(word.confidence) } : {}),
        }),
      );
    }
  }
  return DecorationSet.create(doc, decorations);
}
