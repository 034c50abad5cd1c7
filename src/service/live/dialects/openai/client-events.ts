// Messages of clients of OpenAI's Realtime interface. Never throws; parsing is bounded: everything but audio is small.
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { BASE64, decodeBase64 } from "../../../../speech/text/base64.ts";
import { parseWithLongStrings } from "../../../../speech/text/long-strings-json.ts";
import { unknownNames } from "../unknown-names.ts";
import type { Problem } from "./problem.ts";

export type ClientEvent = {
  /** The client's own id of the message. */
  eventId: string | null;
  /** Fields that the message does not have. */
  unknownFields: string[];
} & (
  | { kind: "append"; audio: Buffer }
  | { kind: "commit" }
  | { kind: "clear" }
  /** @property isBeta  transcription_session.update */
  | { kind: "update"; isBeta: boolean; session: unknown }
  | { kind: "retrieve"; itemId: string }
  | { kind: "refused"; problem: Problem }
);

/** Of a message without its audio. Parsing it takes about a millisecond. */
const MOST_MESSAGE_BYTES = 65_536;
const SHOWN_CHARACTERS = 80;
const MOST_ID_CHARACTERS = 512;

const SUPPORTED =
  "session.update, transcription_session.update, input_audio_buffer.append, input_audio_buffer.commit, input_audio_buffer.clear and conversation.item.retrieve";

/** Messages of conversations, by what stands in for them. */
const CONVERSATION: readonly { type: RegExp; instead: string }[] = [
  {
    type: /^response\./,
    instead: "this service transcribes and makes no responses: send each completed transcript to a language model",
  },
  {
    type: /^conversation\.item\./,
    instead: "items cannot be created, changed or deleted; each commit creates one",
  },
  { type: /^output_audio_buffer\./, instead: "this service produces no audio" },
];

export const shown = (text: string) => storableText(beginningOf(text, SHOWN_CHARACTERS));

function refused(code: string, message: string, param: string | null, eventId: string | null = null): ClientEvent {
  return { kind: "refused", problem: { code, message, param }, eventId, unknownFields: [] };
}

function unknownType(type: unknown, eventId: string | null): ClientEvent {
  if (typeof type !== "string") return refused("missing_required_parameter", "type is required", "type", eventId);
  const other = CONVERSATION.find((one) => one.type.test(type));
  if (other) return refused("unsupported_event", `${shown(type)} is not supported: ${other.instead}`, "type", eventId);
  return refused("invalid_value", `type must be one of ${SUPPORTED}; it is ${shown(type)}`, "type", eventId);
}

/** @param bytes  of a frame; clients send text, and some libraries send it in binary frames */
export function parseClientEvent(bytes: Buffer): ClientEvent {
  const found = parseWithLongStrings(bytes, MOST_MESSAGE_BYTES);
  if (found.kind === "malformed") {
    return refused(
      "invalid_json",
      "the message is not valid JSON. Send audio as base64 in input_audio_buffer.append",
      null,
    );
  }
  const tooLarge = () =>
    refused(
      "message_too_large",
      `the message has ${bytes.length} bytes; without its audio, a message may have at most ${MOST_MESSAGE_BYTES} bytes`,
      null,
    );
  if (found.kind === "large") return tooLarge();
  const message = found.value;
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return refused("invalid_json", "the message must be a JSON object", null);
  }
  const { type, event_id, audio, session, item_id } = message as Record<string, unknown>;
  const eventId = typeof event_id === "string" ? storableText(beginningOf(event_id, MOST_ID_CHARACTERS)) : null;
  const common = (...fields: string[]) => ({
    eventId,
    unknownFields: unknownNames(message, ["type", "event_id", ...fields], shown),
  });
  if (type === "input_audio_buffer.append") {
    const text = found.strings.get(audio);
    const decoded = typeof audio === "string" ? decoded64(text ? () => text.text() : () => audio) : undefined;
    if (decoded === undefined) return refused("invalid_value", `audio must be ${BASE64}`, "audio", eventId);
    return { kind: "append", audio: decoded, ...common("audio") };
  }
  // A long string of another message was left out.
  if (found.strings.size > 0) return tooLarge();
  if (type === "input_audio_buffer.commit") return { kind: "commit", ...common() };
  if (type === "input_audio_buffer.clear") return { kind: "clear", ...common() };
  if (type === "session.update" || type === "transcription_session.update") {
    return { kind: "update", isBeta: type === "transcription_session.update", session, ...common("session") };
  }
  if (type === "conversation.item.retrieve") {
    if (typeof item_id === "string") return { kind: "retrieve", itemId: item_id, ...common("item_id") };
    return refused("missing_required_parameter", "item_id must be the id of an item", "item_id", eventId);
  }
  return unknownType(type, eventId);
}

function decoded64(text: () => string): Buffer | undefined {
  try {
    return decodeBase64(text());
  } catch {
    return undefined;
  }
}
