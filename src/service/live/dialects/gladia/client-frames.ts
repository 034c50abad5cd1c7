// Frames of Gladia's clients: JSON messages with base64 audio, and binary frames of audio.

import {
  CHANGE_FIELDS,
  CHANGED_PARTS,
  changeProblems,
  type LiveChange,
  withLanguageCodes,
} from "../../../../contract/live-change.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { BASE64, decodeBase64 } from "../../../../speech/text/base64.ts";
import { isJsonSpace, type ParsedJson, parseWithLongStrings } from "../../../../speech/text/long-strings-json.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import { unknownNames } from "../unknown-names.ts";

const SHOWN_CHARACTERS = 50;
/** Length of a message without its audio. Parsing it takes about a millisecond. */
const MOST_MESSAGE_BYTES = 65_536;

const shown = (text: string) => storableText(beginningOf(text, SHOWN_CHARACTERS));

/** @param ofData  fields that the message's data may have */
function unknownFieldsOf(message: unknown, data: unknown, ofData: readonly string[]): { unknownFields?: string[] } {
  const inData = unknownNames(data, ofData, shown).map((name) => `data.${name}`);
  const unknownFields = [...unknownNames(message, ["type", "data"], shown), ...inData];
  return unknownFields.length > 0 ? { unknownFields } : {};
}

const [BRACE_OPEN, BRACE_CLOSE] = [0x7b, 0x7d];

/** Whether the bytes may be a JSON object. */
function isObjectText(bytes: Buffer): boolean {
  let [start, end] = [0, bytes.length];
  while (isJsonSpace(bytes[start])) start++;
  while (end > start && isJsonSpace(bytes[end - 1])) end--;
  return bytes[start] === BRACE_OPEN && bytes[end - 1] === BRACE_CLOSE;
}

/**
 * A binary frame from the client: audio, or a message that the client's library sent in a binary frame. Never throws.
 */
export function parseBinaryFrame(bytes: Buffer): ClientCommand {
  const found = isObjectText(bytes) ? parseWithLongStrings(bytes, MOST_MESSAGE_BYTES) : undefined;
  const isMessage =
    found?.kind === "value" && typeof (found.value as { type?: unknown } | undefined)?.type === "string";
  return isMessage ? commandOf(found) : { kind: "audio", bytes };
}

/** A text frame from the client. Never throws. Work: linear in the frame, at most about 100 ms. */
export function parseTextFrame(bytes: Buffer): ClientCommand {
  const found = parseWithLongStrings(bytes, MOST_MESSAGE_BYTES);
  if (found.kind === "value") return commandOf(found);
  const reason =
    found.kind === "malformed"
      ? "the text frame is not JSON"
      : `the text frame has ${bytes.length} bytes; beside data.chunk, a message may have ${MOST_MESSAGE_BYTES} bytes`;
  return { kind: "unreadable", reason, isChunk: false };
}

function chunkBytes(chunk: unknown, strings: ParsedMessage["strings"]): Buffer | undefined {
  if (typeof chunk !== "string") return undefined;
  try {
    return decodeBase64(strings.get(chunk)?.text() ?? chunk);
  } catch {
    return undefined;
  }
}

/** @param hasLongTexts  texts that are longer than any of a change */
function configureOf(message: unknown, given: unknown, hasLongTexts: boolean): ClientCommand {
  const data = withLanguageCodes(given);
  const problems = hasLongTexts ? ["data must not have texts of more than 1,024 bytes"] : changeProblems(data);
  if (problems.length > 0) {
    const reason = `configure was not used: ${storableText(problems.join("; "))}`;
    return { kind: "unreadable", reason, isChunk: false };
  }
  const parts = Object.entries(CHANGED_PARTS).flatMap(([part, fields]) =>
    unknownNames((data as Record<string, unknown>)[part], fields, shown).map((name) => `data.${part}.${name}`),
  );
  const { unknownFields = [] } = unknownFieldsOf(message, data, CHANGE_FIELDS);
  const unknown = [...unknownFields, ...parts];
  return { kind: "configure", change: data as LiveChange, ...(unknown.length > 0 ? { unknownFields: unknown } : {}) };
}

type ParsedMessage = ParsedJson & { kind: "value" };

function commandOf({ value: message, strings }: ParsedMessage): ClientCommand {
  const { type, data } = (message ?? {}) as { type?: unknown; data?: { chunk?: unknown } | null };
  if (type === "stop_recording") return { kind: "stop", ...unknownFieldsOf(message, data, []) };
  if (type === "finalize") return { kind: "finalize", ...unknownFieldsOf(message, data, []) };
  if (type === "configure") return configureOf(message, data, strings.size > 0);
  if (type !== "audio_chunk") {
    const given = typeof type === "string" ? shown(type) : typeof type;
    return {
      kind: "unreadable",
      reason: `type must be audio_chunk, finalize, configure or stop_recording; it is ${given}`,
      isChunk: false,
    };
  }
  const bytes = chunkBytes(data?.chunk, strings);
  if (!bytes) return { kind: "unreadable", reason: `data.chunk must be ${BASE64}`, isChunk: true };
  return { kind: "audio", bytes, ...unknownFieldsOf(message, data, ["chunk"]) };
}
