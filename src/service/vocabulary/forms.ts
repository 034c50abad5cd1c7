// Words of vocabularies: how they are stored and counted.
import { tidy } from "../../speech/text/tidy.ts";

/** A word and its pronunciations. */
export const formsOf = ({ pronunciations = [] }: { pronunciations?: readonly string[] }) => 1 + pronunciations.length;

/** A letter, a digit or a sign; spaces without width are none. */
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;
export const isVisible = (text: string) => VISIBLE.test(text);

/** The pronunciations of a word as they are stored, each once. */
export const pronunciationsOf = (value: string, given: readonly string[]): string[] =>
  [...new Set(given.map(tidy))].filter((one) => isVisible(one) && one !== value);
