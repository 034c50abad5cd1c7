// Messages of clients of AssemblyAI's streaming interface: audio in binary frames, and small JSON objects. Never throws.
import { readTextMessage, wrongType } from "../text-message.ts";
import { CODES } from "./problem.ts";
import { TURN_FIELDS } from "./turn-settings.ts";
import { FIELDS_WITHOUT_EFFECT } from "./without-effect.ts";

export type Update = Readonly<Record<string, unknown>>;

export type ClientMessage =
  | { kind: "audio"; bytes: Buffer }
  | { kind: "keepAlive"; unknownFields: string[] }
  | { kind: "force"; unknownFields: string[] }
  | { kind: "close"; unknownFields: string[] }
  | { kind: "update"; wanted: Update; unknownFields: string[] }
  | { kind: "refused"; code: number; reason: string };

const TYPES = "UpdateConfiguration, ForceEndpoint, KeepAlive or Terminate";
const UPDATE_FIELDS = [
  ...TURN_FIELDS,
  "format_turns",
  "keyterms_prompt",
  "language_codes",
  "vad_threshold",
  "filter_profanity",
  ...FIELDS_WITHOUT_EFFECT,
];

export function parseClientMessage(bytes: Buffer, isBinary: boolean): ClientMessage {
  if (isBinary) return { kind: "audio", bytes };
  const text = readTextMessage(bytes, TYPES);
  if ("refused" in text) return { kind: "refused", code: CODES.invalidJson, reason: text.refused };
  const { type, fields, unknown } = text;
  if (type === "KeepAlive") return { kind: "keepAlive", unknownFields: unknown() };
  if (type === "ForceEndpoint") return { kind: "force", unknownFields: unknown() };
  if (type === "Terminate") return { kind: "close", unknownFields: unknown() };
  if (type === "UpdateConfiguration") {
    return { kind: "update", wanted: fields, unknownFields: unknown(...UPDATE_FIELDS) };
  }
  return { kind: "refused", code: CODES.invalidMessage, reason: wrongType(type, TYPES) };
}
