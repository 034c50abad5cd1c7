// Marks each source word as an HTML element. The runtime transfers the elements to the translation, which aligns translated words with
// source words.
import { dictionaryWords, isUnspaced } from "../text/scripts.ts";

export interface TargetWord {
  /** With its punctuation, without white space around it. */
  text: string;
  /** Indexes of the source words aligned with it, ascending; empty if there are none. */
  sources: number[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const TOKEN = /<b id="(\d+)">|<(?:\/|[a-z])[^>]*>|&(#?\w+);|[^<&]|[<&]/gu;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param words  in order, including the white space before each */
export function markedUp(words: readonly string[]): string {
  return words
    .map((word, at) => {
      const space = at === 0 ? "" : (/^\s+/.exec(word)?.[0] ?? "");
      return `${space && " "}<b id="${at}">${escaped(word.trim())}</b>`;
    })
    .join("");
}

function unescaped(name: string, whole: string): string {
  if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)));
  return ENTITIES[name] ?? whole;
}

/**
 * @param html      translation of the output of `markedUp`
 * @param language  of the translation
 */
export function alignedWords(html: string, language: string): TargetWord[] {
  let text = "";
  const owners: (number | undefined)[] = [];
  let owner: number | undefined;
  for (const { 0: token, 1: id, 2: entity } of html.matchAll(TOKEN)) {
    if (id !== undefined) owner = Number(id);
    else if (token.startsWith("<") && token.length > 1) owner = undefined;
    else {
      const characters = entity === undefined ? token : unescaped(entity, token);
      text += characters;
      for (let unit = 0; unit < characters.length; unit++) owners.push(owner);
    }
  }
  const words: TargetWord[] = [];
  let at = 0;
  const pieces = isUnspaced(language) ? dictionaryWords(text, language) : (text.match(/\s+|\S+/g) ?? []);
  for (const piece of pieces) {
    const own = owners.slice(at, at + piece.length).filter((one) => one !== undefined);
    at += piece.length;
    if (piece.trim() === "") continue;
    words.push({ text: piece.trim(), sources: [...new Set(own)].sort((left, right) => left - right) });
  }
  return words;
}
