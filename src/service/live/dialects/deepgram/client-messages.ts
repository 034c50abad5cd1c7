// Messages of clients of Deepgram's live interface: audio in binary frames, and small JSON objects. Never throws.
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { unknownNames } from "../unknown-names.ts";

export type ClientMessage =
  | { kind: "audio"; bytes: Buffer }
  | { kind: "keepAlive"; unknownFields: string[] }
  /** @property channel  undefined for all */
  | { kind: "finalize"; channel: number | undefined; unknownFields: string[] }
  | { kind: "close"; unknownFields: string[] }
  | { kind: "configure" }
  /** @property message  of the client, shortened */
  | { kind: "refused"; reason: string; message: string };

/** Parsing it takes about a millisecond. */
const MOST_MESSAGE_BYTES = 65_536;
const SHOWN_CHARACTERS = 80;
const TYPES = "KeepAlive, Finalize or CloseStream";

const shown = (text: string) => storableText(beginningOf(text, SHOWN_CHARACTERS));

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** @param channels  of the session */
export function parseClientMessage(bytes: Buffer, isBinary: boolean, channels: number): ClientMessage {
  // Earlier clients end the stream by an empty frame.
  if (isBinary) return bytes.length === 0 ? { kind: "close", unknownFields: [] } : { kind: "audio", bytes };
  const message = shown(bytes.subarray(0, 4 * SHOWN_CHARACTERS).toString());
  const refused = (reason: string): ClientMessage => ({ kind: "refused", reason, message });
  if (bytes.length > MOST_MESSAGE_BYTES) {
    return refused(
      `The text message has ${bytes.length} bytes; at most ${MOST_MESSAGE_BYTES} are allowed. Send audio in binary messages`,
    );
  }
  const value = parsed(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused(`The text message is not a JSON object with the type ${TYPES}. Send audio in binary messages`);
  }
  const { type, channel } = value as { type?: unknown; channel?: unknown };
  const unknown = (...known: string[]) => unknownNames(value, ["type", ...known], shown);
  if (type === "KeepAlive") return { kind: "keepAlive", unknownFields: unknown() };
  if (type === "CloseStream") return { kind: "close", unknownFields: unknown() };
  if (type === "Configure") return { kind: "configure" };
  if (type !== "Finalize") {
    const given = typeof type === "string" ? `"${shown(type)}"` : typeof type;
    return refused(`type must be ${TYPES}; it is ${given}`);
  }
  if (channel === undefined || channel === null) {
    return { kind: "finalize", channel: undefined, unknownFields: unknown("channel") };
  }
  if (Number.isInteger(channel) && (channel as number) >= 0 && (channel as number) < channels) {
    return { kind: "finalize", channel: channel as number, unknownFields: unknown("channel") };
  }
  return refused(`channel must be a whole number from 0 to ${channels - 1}`);
}
