// Questions about single lines of a transcript: the prompt has numbered lines, and the answer refers to them by number.

import type { JsonSchema } from "../../../speech/language-model/json-schema.ts";
import { jsonOverTranscript } from "./language-model.ts";
import type { LanguageModelSettings } from "./providers.ts";

interface Items {
  items: unknown[];
}

const isItems = (value: unknown): value is Items =>
  typeof value === "object" && value !== null && Array.isArray((value as Items).items);

/**
 * @param properties  JSON schemas of the fields of each item other than `line`
 * @param mostItems  of one part of the transcript
 * @returns the valid items, also those that refer to no line
 * @throws AddonFailed if the model returns no answer of that form
 */
export async function itemsOfLines<T extends { line: number }>(
  task: string,
  lines: readonly string[],
  settings: LanguageModelSettings,
  properties: Record<string, JsonSchema>,
  isRight: (item: T) => boolean,
  mostItems?: number,
): Promise<T[]> {
  const item = { type: "object", properties: { line: { type: "integer" }, ...properties } };
  const schema = {
    type: "object",
    properties: {
      items: {
        type: "array",
        items: { ...item, required: Object.keys(item.properties) },
        ...(mostItems === undefined ? {} : { maxItems: mostItems }),
      },
    },
    required: ["items"],
  };
  const transcript = lines.map((line, index) => `[${index}] ${line.trim()}`).join("\n");
  const answers = await jsonOverTranscript(
    `${task} Every line begins with its number in brackets; name lines by that number.`,
    transcript,
    settings,
    schema,
    isItems,
  );
  return answers
    .flatMap(({ items }) => items as T[])
    .filter((one) => typeof one === "object" && one !== null && isRight(one));
}

/** The same for the items that refer to a line; others are left out. */
export async function askAboutLines<T extends { line: number }>(
  ...[task, lines, ...rest]: Parameters<typeof itemsOfLines<T>>
): Promise<T[]> {
  return (await itemsOfLines<T>(task, lines, ...rest)).filter(({ line }) => lines[line] !== undefined);
}
