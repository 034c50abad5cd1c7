// Messages of clients of Deepgram's live interface: audio in binary frames, and small JSON objects. Never throws.
import { readTextMessage, SHOWN_CHARACTERS, shown, wrongType } from "../text-message.ts";
import type { Configure } from "./configure.ts";

export type ClientMessage =
  | { kind: "audio"; bytes: Buffer }
  | { kind: "keepAlive"; unknownFields: string[] }
  /** @property channel  undefined for all */
  | { kind: "finalize"; channel: number | undefined; unknownFields: string[] }
  | { kind: "close"; unknownFields: string[] }
  | { kind: "configure"; wanted: Configure; unknownFields: string[] }
  /** @property message  of the client, shortened */
  | { kind: "refused"; reason: string; message: string };

const TYPES = "KeepAlive, Finalize, Configure or CloseStream";

/** @param channels  of the session */
export function parseClientMessage(bytes: Buffer, isBinary: boolean, channels: number): ClientMessage {
  // Earlier clients end the stream by an empty frame.
  if (isBinary) return bytes.length === 0 ? { kind: "close", unknownFields: [] } : { kind: "audio", bytes };
  const message = shown(bytes.subarray(0, 4 * SHOWN_CHARACTERS).toString());
  const refused = (reason: string): ClientMessage => ({ kind: "refused", reason, message });
  const text = readTextMessage(bytes, TYPES);
  if ("refused" in text) return refused(text.refused);
  const { type, unknown } = text;
  const { channel } = text.fields;
  if (type === "KeepAlive") return { kind: "keepAlive", unknownFields: unknown() };
  if (type === "CloseStream") return { kind: "close", unknownFields: unknown() };
  if (type === "Configure") {
    return { kind: "configure", wanted: text.fields, unknownFields: unknown("keyterms", "features") };
  }
  if (type !== "Finalize") return refused(wrongType(type, TYPES));
  if (channel === undefined || channel === null) {
    return { kind: "finalize", channel: undefined, unknownFields: unknown("channel") };
  }
  if (Number.isInteger(channel) && (channel as number) >= 0 && (channel as number) < channels) {
    return { kind: "finalize", channel: channel as number, unknownFields: unknown("channel") };
  }
  return refused(`channel must be a whole number from 0 to ${channels - 1}`);
}
