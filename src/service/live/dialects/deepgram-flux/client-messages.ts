// Messages of clients of Flux: audio in binary frames, and small JSON objects. Never throws.
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { unknownNames } from "../unknown-names.ts";

export interface Configure {
  thresholds?: unknown;
  keyterms?: unknown;
  language_hints?: unknown;
  numerals?: unknown;
}

export type ClientMessage =
  | { kind: "audio"; bytes: Buffer }
  /** Of Deepgram's other live interface; this one has no need of it. */
  | { kind: "keepAlive"; unknownFields: string[] }
  | { kind: "force"; unknownFields: string[] }
  | { kind: "close"; unknownFields: string[] }
  | { kind: "configure"; wanted: Configure; unknownFields: string[] }
  | { kind: "refused"; reason: string };

/** Parsing it takes about a millisecond. */
const MOST_MESSAGE_BYTES = 65_536;
const SHOWN_CHARACTERS = 80;
const TYPES = "Configure, ForceEndTurn or CloseStream";

const shown = (text: string) => storableText(beginningOf(text, SHOWN_CHARACTERS));

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

export function parseClientMessage(bytes: Buffer, isBinary: boolean): ClientMessage {
  // Some clients end the stream by an empty frame.
  if (isBinary) return bytes.length === 0 ? { kind: "close", unknownFields: [] } : { kind: "audio", bytes };
  if (bytes.length > MOST_MESSAGE_BYTES) {
    const reason = `The text message has ${bytes.length} bytes; at most ${MOST_MESSAGE_BYTES} are allowed. Send audio in binary messages`;
    return { kind: "refused", reason };
  }
  const value = parsed(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const reason = `The text message is not a JSON object with the type ${TYPES}. Send audio in binary messages`;
    return { kind: "refused", reason };
  }
  const { type } = value as { type?: unknown };
  const unknown = (...known: string[]) => unknownNames(value, ["type", ...known], shown);
  if (type === "KeepAlive") return { kind: "keepAlive", unknownFields: unknown() };
  if (type === "ForceEndTurn") return { kind: "force", unknownFields: unknown() };
  if (type === "CloseStream") return { kind: "close", unknownFields: unknown() };
  if (type === "Configure") {
    const unknownFields = unknown("thresholds", "keyterms", "language_hints", "numerals");
    return { kind: "configure", wanted: value as Configure, unknownFields };
  }
  const given = typeof type === "string" ? `"${shown(type)}"` : typeof type;
  return { kind: "refused", reason: `type must be ${TYPES}; it is ${given}` };
}
