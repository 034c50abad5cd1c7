// Marks each source word as an HTML element. The runtime transfers the elements to the translation, which aligns translated words with
// source words. The runtime puts spaces around inline elements, which splits words that are written without a space between them
// (Chinese, Japanese, Thai, parts of one English word). In a sentence with such words, each word follows an empty wbr instead, around
// which the runtime adds no space.
import { dictionaryWords, isUnspaced, spaceBetween } from "../text/scripts.ts";

export interface TargetWord {
  /** With its punctuation, without white space around it. */
  text: string;
  /** Indexes of the source words aligned with it, ascending; empty if there are none. */
  sources: number[];
  /** Whether the translation has a space before it. Set in languages without spaces only, where names have them. */
  isSpaced?: boolean | undefined;
}

/** Space before a word of a translation. @param previous  text of the word before it */
export function spaceBefore(word: Pick<TargetWord, "text" | "isSpaced">, previous: string, language: string): string {
  if (word.isSpaced === undefined) return spaceBetween(previous, word.text, language);
  return word.isSpaced ? " " : "";
}

export const textOfWords = (words: readonly TargetWord[], language: string): string =>
  words
    .map((word, at) => (at === 0 ? "" : spaceBefore(word, words[at - 1]?.text ?? "", language)) + word.text)
    .join("");

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const TOKEN = /<(b|wbr) id="(\d+)">|<(?:\/|[a-z])[^>]*>|&(#?\w+);|[^<&]|[<&]/gu;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param words  in order, including the white space before each */
export function markedUp(words: readonly string[]): string {
  const isSpaced = words.every((word, at) => at === 0 || /^\s/.test(word));
  return words
    .map((word, at) => {
      const space = at > 0 && /^\s/.test(word) ? " " : "";
      const text = escaped(word.trim());
      return space + (isSpaced ? `<b id="${at}">${text}</b>` : `<wbr id="${at}">${text}`);
    })
    .join("");
}

function unescaped(name: string, whole: string): string {
  if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)));
  return ENTITIES[name] ?? whole;
}

/** A part of the translated text that belongs to the same source words. */
interface Run {
  from: number;
  to: number;
  sources: number[];
}

/** The text of a translation, and its parts in order. @param isWithoutSpaces  whether empty elements belong to the next part */
function runsIn(html: string, isWithoutSpaces: boolean): { text: string; runs: Run[] } {
  let text = "";
  const runs: Run[] = [];
  /** Elements before the next part, and the part's own element. */
  let preceding: number[] = [];
  let enclosing: number | undefined;
  let run: Run | undefined;
  for (const { 0: token, 1: element, 2: id, 3: entity } of html.matchAll(TOKEN)) {
    const isTag = token.startsWith("<") && token.length > 1;
    if (isTag) {
      // In characters without spaces, the runtime fills one element and leaves those of the other words empty before it.
      if (enclosing !== undefined && !run && isWithoutSpaces) preceding.push(enclosing);
      run = undefined;
      enclosing = element === "b" ? Number(id) : undefined;
      if (element === "wbr") preceding.push(Number(id));
      continue;
    }
    const characters = entity === undefined ? token : unescaped(entity, token);
    const isSpace = characters.trim() === "";
    if (isSpace && enclosing === undefined) run = undefined;
    else if (!run) {
      run = {
        from: text.length,
        to: text.length,
        sources: [...preceding, ...(enclosing === undefined ? [] : [enclosing])],
      };
      preceding = [];
      runs.push(run);
    }
    text += characters;
    if (run) run.to = text.length;
  }
  runs.at(-1)?.sources.push(...preceding);
  for (const { sources } of runs) sources.sort((left, right) => left - right);
  return { text, runs };
}

/** Source words of characters of a run, whose sources are spread over its length in order. */
function sourcesWithin({ from, to, sources }: Run, start: number, end: number): number[] {
  const share = (at: number) => ((at - from) / (to - from)) * sources.length;
  const first = Math.floor(share(Math.max(from, start)));
  return sources.slice(first, Math.max(first + 1, Math.round(share(Math.min(to, end)))));
}

/**
 * @param html      translation of the output of `markedUp`
 * @param language  of the translation
 */
export function alignedWords(html: string, language: string): TargetWord[] {
  const isWithoutSpaces = isUnspaced(language);
  const { text, runs } = runsIn(html, isWithoutSpaces);
  const words: TargetWord[] = [];
  let end = 0;
  for (const piece of isWithoutSpaces ? dictionaryWords(text, language) : (text.match(/\s+|\S+/g) ?? [])) {
    const start = end;
    end += piece.length;
    const word = piece.trim();
    if (word === "") continue;
    const own = runs.filter(({ from, to }) => from < start + piece.trimEnd().length && to > start);
    const sources = own.flatMap((run) => (isWithoutSpaces ? sourcesWithin(run, start, end) : run.sources));
    words.push({
      text: word,
      sources: [...new Set(sources)].sort((left, right) => left - right),
      ...(isWithoutSpaces ? { isSpaced: /\s/.test(text.charAt(start - 1)) || /^\s/.test(piece) } : {}),
    });
  }
  return words;
}
