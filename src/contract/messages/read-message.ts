// The forms of messages that people read: sentences of errors, warnings and reasons, each with a code. A form is the text of a message
// with {name} for a text, {name$} for one without spaces, {name#} for a number, and {name&} for a text that can be another message. The service writes messages in
// English; their forms give code and parameters, from which a page makes the sentence in another language.

import { MODEL_PROBLEMS, RECORDING_PROBLEMS, SERVICE_PROBLEMS, TRANSCRIPT_PROBLEMS } from "./problems.ts";
import { ADDON_PROBLEMS, FIELD_PROBLEMS, REASONS } from "./reasons.ts";
import { LIVE_WARNINGS, RECORDING_WARNINGS } from "./warnings.ts";

/** A list has several wordings of one message; what is between their common parameters differs. */
export const MESSAGES = {
  ...SERVICE_PROBLEMS,
  ...RECORDING_PROBLEMS,
  ...TRANSCRIPT_PROBLEMS,
  ...MODEL_PROBLEMS,
  ...REASONS,
  ...ADDON_PROBLEMS,
  ...FIELD_PROBLEMS,
  ...RECORDING_WARNINGS,
  ...LIVE_WARNINGS,
} as const satisfies Record<string, string | readonly string[]>;

export type MessageCode = keyof typeof MESSAGES;

/** The messages in another language: {name} marks the place of a parameter. */
export type MessageTexts = Readonly<Record<MessageCode, string>>;

/** Texts, numbers, and messages inside of this one. */
export type Parameter = string | number | ReadMessage;

export interface ReadMessage {
  code: MessageCode;
  parameters: Record<string, Parameter>;
}

type Kind = "text" | "name" | "number" | "message";

interface Form {
  code: MessageCode;
  /** One more than parameters. */
  literals: string[];
  parameters: { name: string; kind: Kind }[];
  /** Characters of the literals: of several forms that fit, the one with most of them is the message. */
  weight: number;
}

const PLACE = /\{(\w+)([#&$]?)\}/;
const KINDS: Readonly<Record<string, Kind>> = { "": "text", $: "name", "#": "number", "&": "message" };
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;

function formOf(code: MessageCode, text: string): Form {
  const parts = text.split(PLACE);
  const literals: string[] = [];
  const parameters: Form["parameters"] = [];
  for (let at = 0; at < parts.length; at += 3) {
    literals.push(parts[at] ?? "");
    const [name, kind] = [parts[at + 1], parts[at + 2]];
    if (name !== undefined) parameters.push({ name, kind: KINDS[kind ?? ""] ?? "text" });
  }
  return { code, literals, parameters, weight: literals.join("").length };
}

/** Heaviest first. */
const FORMS: readonly Form[] = Object.entries(MESSAGES)
  .flatMap(([code, texts]) => [texts].flat().map((text) => formOf(code as MessageCode, text)))
  .sort((left, right) => right.weight - left.weight);

/** @returns what is in the places of the parameters; undefined if the text does not fit. Linear in the text. */
function quoted(text: string, literals: readonly string[]): string[] | undefined {
  const [first = "", ...others] = literals;
  if (!text.startsWith(first)) return undefined;
  const last = others.pop();
  if (last === undefined) return text === first ? [] : undefined;
  const end = text.length - last.length;
  if (!text.endsWith(last)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const literal of others) {
    const at = text.indexOf(literal, from);
    if (at < 0 || at > end) return undefined;
    values.push(text.slice(from, at));
    from = at + literal.length;
  }
  if (from > end) return undefined;
  return [...values, text.slice(from, end)];
}

const fits = (kind: Kind, value: string) =>
  kind === "number" ? NUMBER.test(value) : kind !== "name" || !/\s/.test(value);

/** Messages are inside of messages in two levels at most; this bounds the work for any text. */
const MOST_LEVELS = 4;

/** @returns undefined if the text is of no known form */
export function readMessage(text: string, levels = MOST_LEVELS): ReadMessage | undefined {
  for (const { code, literals, parameters } of FORMS) {
    const values = quoted(text, literals);
    if (!values || values.includes("")) continue;
    if (!parameters.every(({ kind }, at) => fits(kind, values[at] ?? ""))) continue;
    const read = ({ kind }: { kind: Kind }, value: string): Parameter => {
      if (kind === "number") return Number(value);
      return (kind === "message" && levels > 1 && readMessage(value, levels - 1)) || value;
    };
    return {
      code,
      parameters: Object.fromEntries(
        parameters.map((parameter, at) => [parameter.name, read(parameter, values[at] ?? "")]),
      ),
    };
  }
  return undefined;
}
