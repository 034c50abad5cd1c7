// Which text PostgreSQL and JSON can hold: neither the character NUL nor half of a surrogate pair. Text of requests is refused
// where it has them (`api/validation/text.ts`); text that no client can correct (file names, answers of other programs) is cleaned
// here, where it enters the service.

const NUL_OR_SURROGATE = /[\0\uD800-\uDFFF]/;
/** With the flag `u`, a surrogate of a whole pair does not match. */
const UNSTORABLE = /[\0\p{Cs}]/gu;
const REPLACEMENT = "\uFFFD";

/** @returns why the database cannot hold `text`; undefined where it can */
export function textFault(text: string): string | undefined {
  if (!NUL_OR_SURROGATE.test(text)) return undefined;
  if (text.includes("\0")) return "must not contain the character NUL (\\u0000)";
  UNSTORABLE.lastIndex = 0;
  return UNSTORABLE.test(text) ? "must not contain half of a surrogate pair (\\ud800 to \\udfff)" : undefined;
}

/** `text` with U+FFFD in place of each character that the database cannot hold. */
export function storableText(text: string): string {
  return NUL_OR_SURROGATE.test(text) ? text.replace(UNSTORABLE, REPLACEMENT) : text;
}

/** The first `characters` UTF-16 units of a text, one fewer where the cut would divide a surrogate pair. */
export function beginningOf(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  const dividesPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, dividesPair ? characters - 1 : characters);
}

/** A JSON value whose texts and keys are all storable. The value must be a tree. */
export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storableValue(inner)]));
}
