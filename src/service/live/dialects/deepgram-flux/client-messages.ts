// Messages of clients of Flux: audio in binary frames, and small JSON objects. Never throws.
import { readTextMessage, wrongType } from "../text-message.ts";

export interface Configure {
  thresholds?: unknown;
  keyterms?: unknown;
  language_hints?: unknown;
  numerals?: unknown;
  profanity_filter?: unknown;
}

export type ClientMessage =
  | { kind: "audio"; bytes: Buffer }
  /** Of Deepgram's other live interface. Here it begins the idle time again, as any message does. */
  | { kind: "keepAlive"; unknownFields: string[] }
  | { kind: "force"; unknownFields: string[] }
  | { kind: "close"; unknownFields: string[] }
  | { kind: "configure"; wanted: Configure; unknownFields: string[] }
  | { kind: "refused"; reason: string };

const TYPES = "Configure, ForceEndTurn or CloseStream";

export function parseClientMessage(bytes: Buffer, isBinary: boolean): ClientMessage {
  // Some clients end the stream by an empty frame.
  if (isBinary) return bytes.length === 0 ? { kind: "close", unknownFields: [] } : { kind: "audio", bytes };
  const text = readTextMessage(bytes, TYPES);
  if ("refused" in text) return { kind: "refused", reason: text.refused };
  const { type, fields, unknown } = text;
  if (type === "KeepAlive") return { kind: "keepAlive", unknownFields: unknown() };
  if (type === "ForceEndTurn") return { kind: "force", unknownFields: unknown() };
  if (type === "CloseStream") return { kind: "close", unknownFields: unknown() };
  if (type === "Configure") {
    const unknownFields = unknown("thresholds", "keyterms", "language_hints", "numerals", "profanity_filter");
    return { kind: "configure", wanted: fields as Configure, unknownFields };
  }
  return { kind: "refused", reason: wrongType(type, TYPES) };
}
