// Frames of Gladia's clients: JSON messages with base64 audio, and binary frames of audio.
import { beginningOf, storableText } from "../../../text/storable.ts";
import type { ClientCommand } from "../../events/client-command.ts";

const SHOWN_CHARACTERS = 50;
/** Searching for a character outside base64 takes 64 ms for the largest frame; matching the whole text took 176 ms. */
const NOT_BASE64 = /[^A-Za-z0-9+/_\s-]/;
/** RFC 2045 breaks lines after 76 characters; the last line may end with a line break too. */
const PADDING = /(?:=\s*){0,2}$/;

const isBase64 = (text: string) => !NOT_BASE64.test(text.replace(PADDING, ""));

const MOST_FIELDS = 10;

function unknownNames(value: unknown, known: readonly string[]): string[] {
  const names: string[] = [];
  if (typeof value !== "object" || value === null) return names;
  for (const name in value) {
    if (!known.includes(name)) names.push(storableText(beginningOf(name, SHOWN_CHARACTERS)));
    if (names.length >= MOST_FIELDS) break;
  }
  return names;
}

/** @param ofData  fields that the message's data may have */
function unknownFieldsOf(message: unknown, data: unknown, ofData: readonly string[]): { unknownFields?: string[] } {
  const inData = unknownNames(data, ofData).map((name) => `data.${name}`);
  const unknownFields = [...unknownNames(message, ["type", "data"]), ...inData];
  return unknownFields.length > 0 ? { unknownFields } : {};
}

const [BRACE_OPEN, BRACE_CLOSE] = [0x7b, 0x7d];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Whether the bytes are a JSON object with a type. */
function isMessage(bytes: Buffer): boolean {
  let [start, end] = [0, bytes.length];
  while (isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  if (bytes[start] !== BRACE_OPEN || bytes[end - 1] !== BRACE_CLOSE) return false;
  try {
    return typeof JSON.parse(bytes.toString("utf8"))?.type === "string";
  } catch {
    return false;
  }
}

/**
 * A binary frame from the client: audio, or a message that the client's library sent in a binary frame. Never throws.
 */
export function parseBinaryFrame(bytes: Buffer): ClientCommand {
  return isMessage(bytes) ? parseTextFrame(bytes) : { kind: "audio", bytes };
}

/** A text frame from the client. Never throws. */
export function parseTextFrame(bytes: Buffer): ClientCommand {
  let message: unknown;
  try {
    message = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { kind: "unreadable", reason: "the text frame is not JSON", isChunk: false };
  }
  const { type, data } = (message ?? {}) as { type?: unknown; data?: { chunk?: unknown } | null };
  if (type === "stop_recording") return { kind: "stop", ...unknownFieldsOf(message, data, []) };
  if (type !== "audio_chunk") {
    const given = typeof type === "string" ? storableText(beginningOf(type, SHOWN_CHARACTERS)) : typeof type;
    return {
      kind: "unreadable",
      reason: `type must be audio_chunk or stop_recording; it is ${given}`,
      isChunk: false,
    };
  }
  const chunk = data?.chunk;
  if (typeof chunk !== "string" || !isBase64(chunk)) {
    return { kind: "unreadable", reason: "data.chunk must be base64 text", isChunk: true };
  }
  return { kind: "audio", bytes: Buffer.from(chunk, "base64"), ...unknownFieldsOf(message, data, ["chunk"]) };
}
