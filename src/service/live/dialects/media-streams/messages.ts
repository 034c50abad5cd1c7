// Messages of telephony platforms: small JSON objects with the field `event`, audio in base64. Never throws.
import { decodeBase64 } from "../../../../speech/text/base64.ts";
import { type Fields, fieldsIn, MOST_MESSAGE_BYTES, shown } from "../text-message.ts";

// The longest message holds six seconds of telephone audio; platforms send 20 to 100 ms.
const REASONS = { "too deep": "is nested too deep", "no JSON": "is not JSON", "no object": "is not a JSON object" };

export type Message = { event: string; fields: Fields } | { refused: string };

export function readMessage(bytes: Buffer, isBinary: boolean): Message {
  if (isBinary) return { refused: "binary messages are not part of this interface: audio comes in media messages" };
  if (bytes.length > MOST_MESSAGE_BYTES) {
    return { refused: `a message has ${bytes.length} bytes; at most ${MOST_MESSAGE_BYTES} are allowed` };
  }
  const fields = fieldsIn(bytes.toString());
  if (typeof fields === "string") return { refused: `a message ${REASONS[fields]}` };
  const { event } = fields;
  return typeof event === "string" ? { event, fields } : { refused: "a message has no event" };
}

/** A whole number, as a number or as text; undefined if the field is missing. @param problems  receives a sentence about another value */
export function countIn(fields: Fields, name: string, problems: string[]): number | undefined {
  const given = fields[name] ?? undefined;
  if (given === undefined) return undefined;
  const value = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : given;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  problems.push(`${name} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}; it is ${shownValue(given)}`);
  return undefined;
}

/** @returns the audio, or why it cannot be read */
export function payloadIn(media: Fields, sampleBytes: number): Buffer | string {
  const { payload } = media;
  if (typeof payload !== "string") return "media.payload must be base64 text";
  const bytes = decodeBase64(payload);
  if (!bytes) return "media.payload must be base64 text";
  return bytes.length % sampleBytes === 0
    ? bytes
    : `media.payload must have whole samples of ${sampleBytes} bytes; it has ${bytes.length} bytes`;
}

export const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** A value in a sentence: other values than texts and numbers by their type, because their own text may be anything. */
export const shownValue = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? shown(String(value)) : typeof value;

/** A number, or a text of one; NaN for any other value. */
export const numberOf = (value: unknown): number =>
  typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
