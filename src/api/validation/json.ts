// JSON of strangers. Its depth is checked before it is parsed, because whatever walks through it later walks by recursion; its
// texts are checked afterwards, so that no route can store one that the database cannot hold.
import { errors } from "../../platform/errors.ts";
import { textProblems } from "./text.ts";

const DEEPEST = 100;

/** @returns whether brackets are nested deeper than `deepest` */
function isDeeper(text: string, deepest: number): boolean {
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

/** JSON in UTF-8 can name NUL and halves of surrogate pairs by escapes only: without these, the texts need no walk. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** @throws request.malformed; request.invalid naming every field whose text cannot be stored */
export function parseJson(text: string): unknown {
  if (isDeeper(text, DEEPEST)) throw errors.malformedBody(`it is nested deeper than ${DEEPEST} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw errors.malformedBody("it is not valid JSON");
  }
  if (!SUSPICIOUS_ESCAPE.test(text)) return value;
  const problems = textProblems(value);
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return value;
}
