// JSON of strangers. Its depth is checked before it is parsed, because whatever walks through it later walks by recursion; its
// texts are checked afterwards, so that no route can store one that the database cannot hold.
import { errors } from "../../platform/errors.ts";
import { textProblems } from "./text.ts";

const DEEPEST = 100;
/** Greatest number of names in all objects together. The largest vocabularies and spellings have 25,000. Preparing 50,000 takes 0.1 s. */
const MOST_NAMES = 50_000;

/** @returns why the text is not parsed */
function excessOf(text: string): string | undefined {
  if (text.length <= 2 * DEEPEST) return undefined;
  let [depth, names] = [0, 0];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) isInString = false;
    } else if (character === 0x22) isInString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > DEEPEST) return `it is nested deeper than ${DEEPEST} levels`;
    } else if (character === 0x7d || character === 0x5d) depth--;
    else if (character === 0x3a && ++names > MOST_NAMES) {
      return `its objects have more than ${MOST_NAMES} names together; remove fields that the interface does not have`;
    }
  }
  return undefined;
}

/** JSON in UTF-8 can name NUL and halves of surrogate pairs by escapes only: without these, the texts need no walk. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** @throws request.malformed; request.invalid naming every field whose text cannot be stored */
export function parseJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw errors.malformedBody(excess);
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
