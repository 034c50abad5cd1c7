import { normalized } from "../../contract/normalized.ts";

/**
 * The form in which names of people are compared: names that differ only by case, width or the composition of characters are one name.
 * NFKC is applied twice, as lower case may decompose a character.
 */
export const foldedName = (name: string): string =>
  normalized(normalized(name, "NFKC").toUpperCase().toLowerCase(), "NFKC").trim();
