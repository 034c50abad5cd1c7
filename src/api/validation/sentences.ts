// Validation failures as sentences that begin with the field's dotted path, as clients of this interface expect.
import type { ErrorObject } from "ajv";
import { LANGUAGE_MARK } from "../../contract/language-fields.ts";
import { CUT_CREDENTIALS, hasCutCredentials } from "../../platform/addresses/web-url.ts";
import { MOST_EXPLAINED, unknownLanguage } from "../../speech/text/language-choice.ts";
import { shownPath } from "./text.ts";

const TYPES: Record<string, string> = {
  string: "must be a string",
  boolean: "must be a boolean value",
  number: "must be a number conforming to the specified constraints",
  integer: "must be an integer number",
  object: "must be an object",
  array: "must be an array",
};
const FORMATS: Record<string, string> = {
  "web-address": "must be a URL address with http or https",
  "source-address":
    "must be a URL address with http, https, rtsp, rtsps, rtmp, rtmps or srt; for other protocols, republish the stream, for example with MediaMTX",
  uuid: "must be a UUID",
  "date-time": "must be a valid ISO 8601 date string",
};
/** Keywords that only repeat what another error says. */
const ECHOES = new Set(["if", "oneOf", "allOf", "propertyNames"]);

interface Sentence {
  path: string;
  sentence: string;
}

function typesOf(type: unknown): string {
  const names = Array.isArray(type) ? (type as string[]) : [String(type)];
  return names.map((name) => TYPES[name] ?? `must be a ${name}`).join(" or ");
}

function formatSentence(format: string, given: unknown): string {
  const isAddress = format === "web-address" || format === "source-address";
  if (isAddress && typeof given === "string" && hasCutCredentials(given)) return CUT_CREDENTIALS;
  return FORMATS[format] ?? `must be a valid ${format}`;
}

/** @param explained  what a message says about the given name of a language, with a semicolon before it */
function describe(error: ErrorObject, explained: (given: string) => string = () => ""): Sentence {
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { limit } = error.params as { limit?: number };
  // An item's fault is the list's: "languages must only contain …".
  if (error.keyword === "enum") {
    const values = (error.params as { allowedValues: unknown[] }).allowedValues.join(", ");
    const isItem = /^\d+$/.test(parts.at(-1) ?? "");
    const isLanguage = error.parentSchema?.[LANGUAGE_MARK] !== undefined && typeof error.data === "string";
    const given = isLanguage ? explained(error.data as string) : "";
    return isItem
      ? { path: shownPath(parts.slice(0, -1)), sentence: `must only contain the following values: ${values}${given}` }
      : { path: shownPath(parts), sentence: `must be one of the following values: ${values}${given}` };
  }
  if (error.keyword === "required") {
    const missing = (error.params as { missingProperty: string }).missingProperty;
    return { path: shownPath([...parts, missing]), sentence: "is required" };
  }
  if (error.keyword === "additionalProperties") {
    const { additionalProperty } = error.params as { additionalProperty: string };
    const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {}).join(", ");
    return { path: shownPath([...parts, additionalProperty]), sentence: `is unknown; the known names are ${known}` };
  }
  const path = shownPath(error.propertyName === undefined ? parts : [...parts, error.propertyName]);
  const name = error.propertyName === undefined ? "must" : "is a name that must";
  switch (error.keyword) {
    case "type":
      return { path, sentence: typesOf((error.params as { type: unknown }).type) };
    case "minimum":
      return { path, sentence: `must not be less than ${limit}` };
    case "maximum":
      return { path, sentence: `must not be greater than ${limit}` };
    case "minItems":
      return { path, sentence: `must contain at least ${limit} elements` };
    case "maxItems":
      return { path, sentence: `must contain no more than ${limit} elements` };
    case "maxProperties":
      return { path, sentence: `must have no more than ${limit} names` };
    case "minLength":
      return { path, sentence: `${name} not be empty` };
    case "maxLength":
      return { path, sentence: `${name} be shorter than or equal to ${limit} characters` };
    case "format":
      return { path, sentence: formatSentence((error.params as { format: string }).format, error.data) };
    default:
      return { path, sentence: error.message ?? "must be valid" };
  }
}

const valuesWithFaults = (failures: readonly ErrorObject[], keyword: string) =>
  new Set(failures.filter((error) => error.keyword === keyword).map(({ instancePath }) => instancePath));

/** Every value that holds one with a fault. */
function holdersOf(failures: readonly ErrorObject[]): Set<string> {
  const holders = new Set<string>();
  for (const { instancePath } of failures) {
    for (let end = instancePath.lastIndexOf("/"); end >= 0; end = instancePath.lastIndexOf("/", end - 1)) {
      const holder = instancePath.slice(0, end);
      if (holders.has(holder)) break;
      holders.add(holder);
      if (end === 0) break;
    }
  }
  return holders;
}

/** What a value may be, by its path: the types that the branches of its choice wanted. */
function allowedTypes(failures: readonly ErrorObject[]): Map<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  for (const error of failures) {
    if (error.keyword !== "type") continue;
    const types = allowed.get(error.instancePath) ?? new Set();
    allowed.set(error.instancePath, types.add(describe(error).sentence));
  }
  return allowed;
}

/** Explains the first unknown names of languages. Of the others the message has the rule alone. */
function languageExplanations(): (given: string) => string {
  let count = 0;
  return (given) => (++count > MOST_EXPLAINED ? "" : `; ${unknownLanguage(given)}`);
}

/** One sentence per fault, in order, none twice. A value that fits no branch of a choice has one. Linear in the failures. */
export function validationSentences(failures: readonly ErrorObject[]): string[] {
  const choices = valuesWithFaults(failures, "anyOf");
  const holders = holdersOf(failures);
  const allowed = choices.size === 0 ? new Map<string, Set<string>>() : allowedTypes(failures);
  const sentences = new Set<string>();
  const explained = languageExplanations();
  for (const error of failures) {
    if (ECHOES.has(error.keyword)) continue;
    if (error.keyword === "anyOf") {
      // A branch of the right type failed deeper down: that failure is more specific than the choice.
      if (holders.has(error.instancePath)) continue;
      const types = [...(allowed.get(error.instancePath) ?? [])].join(" or ");
      sentences.add(`${describe(error).path} ${types === "" ? "must be valid" : types}`);
      continue;
    }
    if (error.keyword === "type" && choices.has(error.instancePath)) continue;
    const { path, sentence } = describe(error, explained);
    sentences.add(`${path === "" ? "body" : path} ${sentence}`);
  }
  return [...sentences];
}
