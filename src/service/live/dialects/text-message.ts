// Text messages of clients that send small JSON objects with a type. Never throws.
import { beginningOf, storableText } from "../../../platform/storable.ts";
import { unknownNames } from "./unknown-names.ts";

/** Parsing it takes about a millisecond. */
const MOST_MESSAGE_BYTES = 65_536;
export const SHOWN_CHARACTERS = 80;

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

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** @param types  that the interface has, as a sentence lists them */
export function readTextMessage(bytes: Buffer, types: string): TextMessage {
  if (bytes.length > MOST_MESSAGE_BYTES) {
    return {
      refused: `The text message has ${bytes.length} bytes; at most ${MOST_MESSAGE_BYTES} are allowed. Send audio in binary messages`,
    };
  }
  const value = parsed(bytes);
  if (!isFields(value)) {
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
