// Text messages of clients that send small JSON objects with a type. Never throws.
import { beginningOf, storableText } from "../../../platform/storable.ts";
import { unknownNames } from "./unknown-names.ts";

/** Parsing it takes about a millisecond. */
export const MOST_MESSAGE_BYTES = 65_536;
export const SHOWN_CHARACTERS = 80;
const DEEPEST = 20;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/** A text of the client in a message to it. */
export const shown = (text: string) => storableText(beginningOf(text, SHOWN_CHARACTERS));

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and not a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type TextMessage =
  | {
      fields: Fields;
      type: unknown;
      /** @returns names of fields other than the type and these */
      unknown(...known: string[]): string[];
    }
  | { refused: string };

/** Validators and printers of a value recurse, so that deep nesting would overflow the stack. @param text  JSON */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInString) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (OPENING.includes(character)) depth++;
    else if (CLOSING.includes(character)) depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** @returns the fields of a JSON object, or why the text is none */
export function fieldsIn(text: string): Fields | "too deep" | "no JSON" | "no object" {
  if (isTooDeep(text)) return "too deep";
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : "no object";
  } catch {
    return "no JSON";
  }
}

/** @param types  that the interface has, as a sentence lists them */
export function readTextMessage(bytes: Buffer, types: string): TextMessage {
  if (bytes.length > MOST_MESSAGE_BYTES) {
    return {
      refused: `The text message has ${bytes.length} bytes; at most ${MOST_MESSAGE_BYTES} are allowed. Send audio in binary messages`,
    };
  }
  const value = fieldsIn(bytes.toString());
  if (value === "too deep") return { refused: "The text message is nested too deep" };
  if (typeof value === "string") {
    return { refused: `The text message is not a JSON object with the type ${types}. Send audio in binary messages` };
  }
  return {
    fields: value,
    type: value["type"],
    unknown: (...known) => unknownNames(value, ["type", ...known], shown),
  };
}

/** @returns why a type is refused */
export function wrongType(type: unknown, types: string): string {
  return `type must be ${types}; it is ${typeof type === "string" ? `"${shown(type)}"` : typeof type}`;
}
