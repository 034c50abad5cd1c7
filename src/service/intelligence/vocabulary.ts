// custom_vocabulary after recognition, which already favours the terms and their pronunciations: words with a low confidence that sound like
// a term are replaced by it, and pronunciations whatever their confidence. Bounds by `npm run bench -- vocabulary`.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { bareWord, LAST_MARKS, wordParts } from "../../speech/text/bare-word.ts";
import { callerCapitals, withCallerCapitals } from "../../speech/text/caller-capitals.ts";
import { lettersOf } from "../../speech/text/sound.ts";
import type { Addon } from "./addon.ts";
import { foldedLetters, type Said, SIGNS_BEFORE, SIGNS_BEHIND } from "./sign-forms.ts";
import { type SoundMatch, VocabularyIndex, type VocabularySearch } from "./vocabulary-index.ts";

/** Words with a mean confidence of at least this are kept, unless they are a pronunciation. */
const SURE = 0.8;
/** A pronunciation is preferred to terms that merely sound alike. */
const PRONOUNCED = 1e-6;

const POSSESSIVE = /['’]s(?=[^\p{L}\p{M}\p{N}]*$)/u;
const CLAUSE_END = /[.!?,;:]\s*$/;

/** The word that replaces a stretch of words: the term with the marks around them, without those that it has itself. */
function replacement(words: readonly Word[], { value, difference }: Match): string {
  const [first, last] = [words[0]?.word ?? "", words.at(-1)?.word ?? ""];
  let before = wordParts(first).before;
  let after = wordParts(last).behind;
  if (POSSESSIVE.test(value)) after = after.replace(POSSESSIVE, "");
  // Signs of the words belong to the pronunciation: "C#" as that of "C sharp".
  if (difference === PRONOUNCED) [before, after] = [before.replace(SIGNS_BEFORE, ""), after.replace(SIGNS_BEHIND, "")];
  const leading = wordParts(value).before;
  const trailing = LAST_MARKS.exec(value)?.[0] ?? "";
  if (before.endsWith(leading)) before = before.slice(0, before.length - leading.length);
  if (after.startsWith(trailing)) after = after.slice(trailing.length);
  else if (/[.!?]$/.test(trailing)) after = after.replace(/^\./, "");
  return before + value + after;
}

/** Whether the words are the plural of a term, which is another word. */
const isPluralOf = (term: string, words: readonly Word[]): boolean => {
  const letters = lettersOf(words.map(({ word }) => word.replace(POSSESSIVE, "")).join(""));
  return ["s", "es"].some((ending) => letters === lettersOf(term) + ending);
};

interface Match extends SoundMatch {
  from: number;
  count: number;
}

interface Vocabulary {
  index: VocabularyIndex;
  language: string;
  /** Missing in languages whose sounds are not compared. */
  search: VocabularySearch | undefined;
  /** Words of the longest stretch that is compared. */
  longest: number;
  /** Letters of the longest stretch that is compared. */
  mostLetters: number;
}

/** A word with its letters in the two forms in which they are compared. */
interface Compared {
  word: string;
  confidence: number;
  letters: string;
  folded: string;
  /** The same without a possessive: "dot net's". */
  ending: string;
}

const comparedOf = ({ word, confidence }: Word): Compared => ({
  ...{ word, confidence },
  ...{ letters: lettersOf(word), folded: foldedLetters(word), ending: foldedLetters(word.replace(POSSESSIVE, "")) },
});

function saidAt(words: readonly Compared[], from: number, count: number): Said {
  const said = words.slice(from, from + count).map(({ word }) => word);
  const isEnd = CLAUSE_END.test(said.at(-1) ?? "");
  return { words: said, next: isEnd ? "" : bareWord(words[from + count]?.word ?? "") };
}

/** The best term for each stretch of words that begins at a place. Each stretch extends the one before by a word, and reuses its letters. */
function matchesAt(
  words: readonly Compared[],
  from: number,
  { index, language, search, longest, mostLetters }: Vocabulary,
): Match[] {
  const found: Match[] = [];
  let [letters, folded, confidence] = ["", "", 0];
  for (let count = 1; count <= longest && from + count <= words.length; count++) {
    // A stretch ends with the first word that ends a clause.
    if (count > 1 && CLAUSE_END.test(words[from + count - 2]?.word ?? "")) break;
    const last = words[from + count - 1] as Compared;
    letters += last.letters;
    const [whole, ending] = [folded + last.folded, folded + last.ending];
    folded = whole;
    confidence += last.confidence;
    if (letters.length > mostLetters && ending.length > mostLetters) break;
    // The decoder favours pronunciations, too: their words are confident.
    const said = () => saidAt(words, from, count);
    const value = index.pronounced(whole, language, said) ?? index.pronounced(ending, language, said);
    if (value !== undefined) found.push({ from, count, value, difference: PRONOUNCED });
    if (value !== undefined || confidence / count >= SURE) continue;
    const best = search?.best(count, letters);
    // "handle" has the letters of "@handle", and is another word.
    const isOther = best?.difference === 0 && foldedLetters(best.value) !== folded;
    if (best && !isOther) found.push({ from, count, ...best });
  }
  return found;
}

/** @returns the utterance with words that sound like a term, or are a pronunciation of it, replaced by the term */
export function repaired(utterance: Utterance, vocabulary: VocabularyIndex): Utterance {
  if (vocabulary.isEmpty) return utterance;
  const { language, words } = utterance;
  const search = vocabulary.comparesSounds(language) ? vocabulary.search() : undefined;
  const compared = words.map(comparedOf);
  const longest = vocabulary.longestIn(language);
  const mostLetters = vocabulary.mostLettersIn(language);
  const given = { index: vocabulary, language, search, longest, mostLetters };
  const matches = words.flatMap((_, from) => matchesAt(compared, from, given));
  const taken = new Set<number>();
  const chosen = new Map<number, Match>();
  for (const match of matches.sort((left, right) => left.difference - right.difference)) {
    const places = Array.from({ length: match.count }, (_, index) => match.from + index);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    // An exact term is unchanged. It reserves its words, so that no other term replaces them.
    const { from, count, value } = match;
    if (match.difference > 0 && !isPluralOf(value, words.slice(from, from + count))) chosen.set(from, match);
  }
  if (chosen.size === 0) return utterance;
  const out: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const match = chosen.get(at);
    const window = words.slice(at, at + (match?.count ?? 1));
    const [first] = window;
    const last = window.at(-1);
    const written = match ? replacement(window, match) : "";
    // Words that are the term already keep their times.
    const isSame = written === window.map(({ word }) => word).join("");
    if (match && first && last && !isSame) out.push({ ...first, word: written, end: last.end });
    else out.push(...window);
    at += window.length;
  }
  return { ...utterance, words: out, text: out.map(({ word }) => word).join("") };
}

export const vocabularyAddon: Addon = {
  name: "custom_vocabulary",
  changesTranscript: true,
  async run({ transcription, params }) {
    const terms = vocabularyOf(params);
    const vocabulary = new VocabularyIndex(terms);
    const capitals = callerCapitals(terms.map(({ value }) => value));
    transcription.utterances = transcription.utterances.map((utterance) =>
      withCallerCapitals(repaired(utterance, vocabulary), capitals),
    );
  },
  // Its result is the changed transcript.
  place(result, _, answer) {
    if (!answer.success) result["custom_vocabulary"] = answer;
  },
};
