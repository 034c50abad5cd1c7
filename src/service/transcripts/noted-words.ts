// The words of a note.

import type { NewNote } from "../../contract/notes.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { joined } from "./spoken-parts.ts";
import { middleOf } from "./word-middles.ts";

/** Words of a channel, by the middles of the first and the last one. */
export type NotedWords = Required<Pick<NewNote, "channel" | "start" | "end">>;

const MOST_CHARACTERS = 1_000;

/** @returns the corrected text of the words, shortened if it is long; undefined without words */
export function quoteOf(
  { utterances }: Pick<Transcription, "utterances">,
  { channel, start, end }: NotedWords,
): string | undefined {
  const quotes = utterances
    .filter((one) => one.channel === channel)
    .map(({ words, language }) => ({
      text: joined(words.filter((word) => middleOf(word) >= start && middleOf(word) <= end)),
      language,
    }));
  const quote = joinedTexts(quotes);
  if (quote === "") return undefined;
  const characters = [...quote];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join("")} …` : quote;
}
