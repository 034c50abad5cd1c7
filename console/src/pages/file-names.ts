// Names of the files of an export: readable, of their own, and valid on Windows, macOS and Linux.
import { normalized } from "../../../src/contract/normalized.ts";

/** Characters that change the direction of a text, controls, and halves of surrogate pairs: a name could be shown as another one. */
const MISLEADING = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;
const SEPARATORS = /[/\\:|]+/g;
const FORBIDDEN = /[<>?*]/g;
/** Windows removes them at the end of a name. At the beginning, a point hides a file. */
const EDGES = /^[\s.]+|(?<![\s.])[\s.]+$/gu;
/** Names of devices on Windows, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/iu;
/** File systems take 255. The rest is for a number and the ending. */
const MOST_BYTES = 200;
const NAMELESS = "transcript";

const encoder = new TextEncoder();

function shortened(name: string): string {
  let bytes = 0;
  let kept = "";
  for (const character of name) {
    bytes += encoder.encode(character).length;
    if (bytes > MOST_BYTES) break;
    kept += character;
  }
  return kept;
}

function safeName(name: string): string {
  const plain = normalized(name, "NFC")
    .replace(MISLEADING, " ")
    .replace(SEPARATORS, "-")
    .replaceAll('"', "'")
    .replace(FORBIDDEN, "")
    .replace(EDGES, "");
  const short = shortened(plain).replace(EDGES, "");
  if (short === "") return NAMELESS;
  return RESERVED.test(short) ? `_${short}` : short;
}

/**
 * @param names  any texts, which may be equal
 * @param ending  without the point
 * @returns a name for each, no two of which are equal on file systems that ignore the case of letters
 */
export function fileNames(names: readonly string[], ending: string): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = safeName(name);
    let own = base;
    for (let number = 2; taken.has(own.toLowerCase()); number += 1) own = `${base} (${number})`;
    taken.add(own.toLowerCase());
    return `${own}.${ending}`;
  });
}
