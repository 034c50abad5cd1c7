// Validation failures as sentences that begin with the field's dotted path, as clients of this interface expect.
import type { ErrorObject } from "ajv";

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
  uuid: "must be a UUID",
  "date-time": "must be a valid ISO 8601 date string",
};
/** Keywords that only repeat what another error says. */
const ECHOES = new Set(["if", "oneOf", "allOf"]);

interface Sentence {
  path: string;
  sentence: string;
}

function typesOf(type: unknown): string {
  const names = Array.isArray(type) ? (type as string[]) : [String(type)];
  return names.map((name) => TYPES[name] ?? `must be a ${name}`).join(" or ");
}

function describe(error: ErrorObject): Sentence {
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const limit = (error.params as { limit?: number }).limit;
  // An item's fault is told as the list's: "languages must only contain …".
  if (error.keyword === "enum") {
    const values = (error.params as { allowedValues: unknown[] }).allowedValues.join(", ");
    const isItem = /^\d+$/.test(parts.at(-1) ?? "");
    return isItem
      ? { path: parts.slice(0, -1).join("."), sentence: `must only contain the following values: ${values}` }
      : { path: parts.join("."), sentence: `must be one of the following values: ${values}` };
  }
  if (error.keyword === "required") {
    const missing = (error.params as { missingProperty: string }).missingProperty;
    return { path: [...parts, missing].join("."), sentence: "is required" };
  }
  const path = parts.join(".");
  switch (error.keyword) {
    case "type":
      return { path, sentence: typesOf((error.params as { type: unknown }).type) };
    case "minimum":
      return { path, sentence: `must not be less than ${limit}` };
    case "maximum":
      return { path, sentence: `must not be greater than ${limit}` };
    case "minItems":
      return { path, sentence: `must contain at least ${limit} elements` };
    case "minLength":
      return { path, sentence: "must not be empty" };
    case "format":
      return {
        path,
        sentence: FORMATS[(error.params as { format: string }).format] ?? `must be a valid ${error.params["format"]}`,
      };
    default:
      return { path, sentence: error.message ?? "must be valid" };
  }
}

/** One sentence per fault, in order, none twice. A value that fits no branch of a choice is told once. */
export function validationSentences(failures: readonly ErrorObject[]): string[] {
  const choices = failures.filter((error) => error.keyword === "anyOf");
  const sentences: string[] = [];
  for (const error of failures) {
    if (ECHOES.has(error.keyword)) continue;
    if (error.keyword === "anyOf") {
      const branches = failures.filter(
        (other) => other.keyword === "type" && other.instancePath === error.instancePath,
      );
      const allowed = [...new Set(branches.map((branch) => describe(branch).sentence))].join(" or ");
      // A branch of the right type failed deeper down: that failure tells more than the choice does.
      const deeper = failures.some(
        (other) => other !== error && other.instancePath.startsWith(`${error.instancePath}/`),
      );
      const { path } = describe(error);
      if (!deeper) sentences.push(`${path} ${allowed === "" ? "must be valid" : allowed}`);
      continue;
    }
    const insideChoice = choices.some(
      (choice) => choice.instancePath === error.instancePath && error.keyword === "type",
    );
    if (insideChoice) continue;
    const { path, sentence } = describe(error);
    sentences.push(`${path === "" ? "body" : path} ${sentence}`);
  }
  return [...new Set(sentences)];
}
