// Texts in headers of answers to an upgrade.
import { listed } from "../../../contract/first-of.ts";

const LONGEST_CHARACTERS = 1_000;
const SEPARATOR = "; ";
const CUT = "...";

/** Headers are limited to ASCII, and a text of the client may be part of them. */
function plainText(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, "?");
  return plain.length > LONGEST_CHARACTERS ? `${plain.slice(0, LONGEST_CHARACTERS - CUT.length)}${CUT}` : plain;
}

/** One text for a header: as many of the texts as fit, and the number of the others. */
export function headerText(...texts: readonly string[]): string {
  const plain = texts.map(plainText);
  let length = 0;
  const fitting = plain.filter((text) => {
    length += text.length + SEPARATOR.length;
    return length <= LONGEST_CHARACTERS + SEPARATOR.length;
  });
  return listed(plain, fitting.length, SEPARATOR);
}
