// What the console says about corrections that teach.
import type { RepeatedCorrection } from "../shapes.ts";

const quoted = (text: string) => `“${text}”`;
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const TEACHING = {
  offer: "Repeated correction",
  wasCorrected: ({ before, after, utterances }: Pick<RepeatedCorrection, "before" | "after" | "utterances">) =>
    `${quoted(before)} was corrected to ${quoted(after)} in ${counted(utterances, "place", "places")}.`,
  alsoCorrected: (others: readonly string[], further: number) =>
    `Elsewhere it became ${others.map(quoted).join(", ")}${further > 0 ? ` and ${further} more` : ""}.`,
  add: "Add to vocabulary",
  added: (word: string) => `${quoted(word)} is in the vocabulary. New recordings use it.`,
  addedWhileOff: (word: string) => `${quoted(word)} is in the vocabulary, which is off. Setup turns it on.`,
  inVocabulary: "In the vocabulary",
  show: (count: number, hasMore: boolean) =>
    hasMore ? `Show ${count} or more other places` : `Show ${counted(count, "other place", "other places")}`,
  showAny: "Show other places",
  dismiss: "Dismiss",
  dismissFor: (before: string) => `Dismiss the correction of ${before}`,
  dialog: "Correct other places",
  close: "Close",
  looking: "Looking through the transcripts…",
  noPlaces: "No transcript has these words any more.",
  more: "Look for more",
  unread: (count: number) => `${counted(count, "transcript", "transcripts")} could not be read.`,
  all: "All",
  play: (text: string) => `Play ${text}`,
  choose: (text: string) => `Correct ${text}`,
  correct: (count: number) => `Correct ${counted(count, "place", "places")}`,
  correcting: "Correcting…",
  corrected: (count: number) => `${counted(count, "place is", "places are")} corrected.`,
  changed: (count: number) =>
    `${counted(count, "place reads", "places read")} otherwise by now and ${count === 1 ? "was" : "were"} left as ${count === 1 ? "it is" : "they are"}.`,
  deleted: (count: number) => `${counted(count, "place was", "places were")} in a recording that was deleted.`,
  refused: (message: string) => `Some places could not be corrected: ${message}`,
  undo: "Undo",
  undone: "The corrections are undone.",
  vocabulary: "Vocabulary",
  explanation:
    "Names and terms that recordings and live sessions recognise better. A job shows the words that it used.",
  enabled: "Use it for new recordings and live sessions",
  noWords: "The vocabulary is empty.",
  pronounced: (texts: readonly string[]) => `recognised as ${texts.map(quoted).join(", ")}`,
  word: "A name or term",
  pronunciation: "What is recognised instead (optional)",
  addWord: "Add",
  remove: (word: string) => `Remove ${word}`,
  removeShort: "Remove",
  repeated: "Corrections made several times",
  noneRepeated: "None yet. A word that is corrected in the same way twice is offered here.",
  showMore: "Show more",
  showDismissed: "Show dismissed ones",
  restore: "Take back",
};
