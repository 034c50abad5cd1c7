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

/** The text with a space at a place inside a word, which then is two words. */
function dividedText(text: string, offset: number): string {
  const isInside = /\S/u.test(text[offset - 1] ?? "") && /\S/u.test(text[offset] ?? "");
  return isInside ? `${text.slice(0, offset)} ${text.slice(offset)}` : text;
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
    const shown = dividedText(text, offset);
    const reading = this.store.reading.peek();
    const utterance = reading?.utterances[at];
    if (!reading || !utterance) return;
    const before = placedWords(utterance, shown).filter(({ from }) => from < offset).length;
    // Nothing would be on one of the sides.
    if (normal(shown.slice(0, offset)) === "" || normal(shown.slice(offset)) === "") return;
    if (shown !== text) this.editing.write(at, shown);
    this.change([at], { at: at + 1, offset: 0 }, (typed) => {
      const word = typed.utterances[at]?.words[before];
      const index = typed.source_utterances[at];
      return word && index !== undefined ? { breaks: [{ index, start: breakBefore(word) }] } : {};
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
