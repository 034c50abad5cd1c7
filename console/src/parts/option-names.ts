// Names and explanations of options in plain words. The names of fields are for programs.
import { t } from "../language/language.ts";
import { languageName } from "../language-name.ts";
import type { Values } from "./schema.ts";

/** Options of a live session that the page offers. */
export const LIVE_OPTIONS: readonly string[] = [
  "language_config",
  "diarization",
  "diarization_config",
  "endpointing",
  "maximum_duration_without_endpointing",
  "pre_processing",
  "realtime_processing",
  "post_processing",
  "model",
  "custom_metadata",
  "tags",
];

const ABBREVIATIONS: Record<string, string> = { pii: "PII", llm: "LLM", url: "URL", id: "id" };

/** A field that this version of the console has no text for: a name that the service gave it. */
function wordsOf(name: string): string {
  const words = name
    .replace(/_config$/, "")
    .split("_")
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const textOf = (name: string): { label: string; hint: string } | undefined =>
  Object.hasOwn(t.options, name) ? t.options[name as keyof typeof t.options] : undefined;

/** Display name of a field such as "custom_vocabulary". */
export const labelOf = (name: string): string => textOf(name)?.label ?? wordsOf(name);

/** Display name of a value such as "bullet_points". */
export function choiceName(value: string): string {
  const names: Record<string, string> = t.choices;
  return names[value] ?? wordsOf(value);
}

/** Explanation of a field. @param description  of the interface, which marks extensions and versions for programs */
export function hintOf(name: string, description = ""): string {
  const plain = description.replace(/^\[\w+\]\s*/, "").replace(/^Extension(?:,[^:]*)?:\s*/, "");
  return textOf(name)?.hint ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The options of a request, a text for each: "German", "Speakers". Details of an option are left out. */
export function shownOptions({ language_config: language, ...others }: Values): string[] {
  const { languages = [] } = (language ?? {}) as { languages?: string[] };
  const chosen = Object.entries(others).filter(([name]) => !name.endsWith("_config"));
  const texts = [
    ...languages.map(languageName),
    ...chosen.map(([name, value]) => (value === false ? t.tasks.off(labelOf(name)) : labelOf(name))),
  ];
  return texts.length > 0 ? texts : [t.tasks.standardOptions];
}
