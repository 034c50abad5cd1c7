// Divides and joins paragraphs, by corrections of the interface: the document follows the transcript that results.
import { errorMessage } from "../../api.ts";
import { t } from "../../language/language.ts";
import { notice } from "../../parts/notices.tsx";
import type { Editing } from "../editing.ts";
import { normal, placedWords } from "../placed-words.ts";
import { breakBefore, targetOf } from "../speakers.ts";
import type { TranscriptChange, TranscriptStore } from "../store.ts";
import type { Place } from "./paragraphs.ts";

type Reading = NonNullable<TranscriptStore["reading"]["value"]>;

/** Why a paragraph cannot be joined to the one before it. */
function reasonOf({ utterances }: Reading, at: number): string {
  return utterances[at - 1]?.channel === utterances[at]?.channel ? t.saving.wordsBetween : t.saving.otherChannels;
}

/** The change that joins a paragraph to the one before it; undefined if that is not possible. */
function joinChange(reading: Reading, at: number): TranscriptChange | undefined {
  const { source_utterances: sources, utterances, paragraph_starts } = reading;
  const [index, into] = [sources[at], sources[at - 1]];
  const [before, own] = [utterances[at - 1], utterances[at]];
  if (index === undefined || into === undefined || !before || !own) return undefined;
  const isApart = index !== into && (sources.indexOf(index) !== at || sources.lastIndexOf(into) !== at - 1);
  if (isApart || before.channel !== own.channel || before.start > own.start) return undefined;
  const first = own.words[0];
  const isSameSpeaker = before.speaker === own.speaker;
  // A paragraph without a speaker gets that of the other one.
  const spoken =
    before.speaker === undefined
      ? { ...targetOf(reading, at - 1), speaker: own.speaker ?? 0 }
      : { ...targetOf(reading, at), speaker: before.speaker };
  return {
    ...(isSameSpeaker ? {} : { utterances: [spoken] }),
    ...(index === into ? {} : { joins: [{ index, into }] }),
    ...(first && paragraph_starts.includes(at)
      ? { breaks: [{ index: into, start: breakBefore(first), removed: true }] }
      : {}),
  };
}

/** The text with a space at each place inside a word, which then is two words, and the places in it. */
function dividedAt(text: string, offsets: readonly number[]): { text: string; offsets: number[] } {
  let divided = text;
  const places = offsets.map((offset) => {
    const place = offset + divided.length - text.length;
    const isInside = /\S/u.test(divided[place - 1] ?? "") && /\S/u.test(divided[place] ?? "");
    if (isInside) divided = `${divided.slice(0, place)} ${divided.slice(place)}`;
    return place;
  });
  return { text: divided, offsets: places };
}

export class Structure {
  constructor(
    private readonly store: TranscriptStore,
    private readonly editing: Editing,
    /** Where the caret belongs afterwards. */
    private readonly onMoved: (place: Place) => void,
  ) {}

  /** @param text  of the paragraph, as it is shown */
  divide({ at, offset }: Place, text: string): void {
    this.divideAt(at, [offset], text);
  }

  /**
   * Begins paragraphs at several places of one.
   * @param offsets  in the text, in order @param text  of the paragraph, as it is shown @param caret  offset in the text, behind the last one
   */
  divideAt(at: number, offsets: readonly number[], text: string, caret = offsets.at(-1) ?? 0): void {
    const { text: shown, offsets: places } = dividedAt(text, offsets);
    const reading = this.store.reading.peek();
    const utterance = reading?.utterances[at];
    if (!reading || !utterance) return;
    const words = placedWords(utterance, shown);
    // Nothing would be on one of the sides of the others.
    const isInside = (place: number) => normal(shown.slice(0, place)) !== "" && normal(shown.slice(place)) !== "";
    const inside = places.filter(isInside);
    const befores = [...new Set(inside.map((place) => words.filter(({ from }) => from < place).length))];
    if (befores.length === 0) return;
    const afterCaret = Math.max(0, caret + shown.length - text.length - (inside.at(-1) ?? 0));
    if (shown !== text) this.editing.write(at, shown);
    this.change([at], { at: at + befores.length, offset: afterCaret }, (typed) => {
      const index = typed.source_utterances[at];
      if (index === undefined) return {};
      const breaks = befores.flatMap((before) => {
        const word = typed.utterances[at]?.words[before];
        return word ? [{ index, start: breakBefore(word) }] : [];
      });
      return breaks.length > 0 ? { breaks } : {};
    });
  }

  /** Joins a paragraph to the one before it. */
  join(at: number): void {
    const reading = this.store.reading.peek();
    if (!reading?.utterances[at] || at === 0) return;
    if (!joinChange(reading, at)) {
      notice(reasonOf(reading, at), "bad");
      return;
    }
    const typed = this.editing.typedAt(at - 1);
    const length = normal(typed ?? reading.utterances[at - 1]?.text ?? "").length;
    this.change([at - 1, at], { at: at - 1, offset: length + 1 }, (now) => joinChange(now, at) ?? {});
  }

  private change(ats: readonly number[], caret: Place, changeOf: (reading: Reading) => TranscriptChange): void {
    this.onMoved(caret);
    this.editing.changeWith(ats, changeOf).catch((error: unknown) => notice(errorMessage(error), "bad"));
  }
}
