// JSON of strangers: how deep it may be is judged before it is parsed, for whatever walks through it later walks by recursion.
import { errors } from "../../errors.ts";

const DEEPEST = 100;

/** @returns whether brackets are nested deeper than `deepest` */
export function isDeeper(text: string, deepest: number): boolean {
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) isInString = false;
    } else if (character === 0x22) isInString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > deepest) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}

/** The character NUL as JSON writes it; a backslash that is itself escaped begins nothing. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** What is to be stored: no text of PostgreSQL can have the character NUL. @throws request.malformed */
export function refuseNul(value: unknown): void {
  if (NUL.test(JSON.stringify(value) ?? "")) {
    throw errors.malformedBody("it has the character NUL (\\u0000), which cannot be stored");
  }
}

/** @throws request.malformed */
export function parseJson(text: string): unknown {
  if (isDeeper(text, DEEPEST)) throw errors.malformedBody(`it is nested deeper than ${DEEPEST} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw errors.malformedBody("it is not valid JSON");
  }
}
