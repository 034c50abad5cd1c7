// Joins texts that follow one another, with a space where their languages have spaces between words.
import { isUnspaced, spaceBetween } from "./scripts.ts";

interface Text {
  text: string;
  /** ISO 639 code; undefined where it is not known. */
  language?: string | undefined;
}

/** Space between two texts, which may be in two languages. */
export function spaceBefore(previous: Text, { text, language = "" }: Text): " " | "" {
  const isSpaced = !isUnspaced(language) || !isUnspaced(previous.language ?? "");
  return isSpaced ? " " : spaceBetween(previous.text.trimEnd(), text.trimStart(), language);
}

/**
 * The texts as one, without spaces at its ends.
 * @param before  text before the first one. If a space separates both, the result begins with it
 */
export function joinedTexts(texts: Iterable<Text>, before?: Text): string {
  let joined = "";
  let previous = before;
  for (const one of texts) {
    const text = one.text.trim();
    if (text === "") continue;
    joined += (previous ? spaceBefore(previous, one) : "") + text;
    previous = one;
  }
  return joined;
}
