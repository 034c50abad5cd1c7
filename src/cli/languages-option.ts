import { LANGUAGE_RULE, languagesOf, unknownLanguage } from "../speech/text/language-choice.ts";
import { UsageError } from "./usage-error.ts";

/** @param text  languages, comma-separated @returns their codes; none for any language */
export function languagesOption(text: string, option = "--language"): string[] {
  const { codes, unknown } = languagesOf(text.split(",").filter((part) => part.trim() !== ""));
  const [first] = unknown;
  if (first !== undefined) throw new UsageError(`${option} ${LANGUAGE_RULE}; ${unknownLanguage(first)}`);
  return codes;
}
