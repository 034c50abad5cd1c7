import { languagesOf } from "../speech/text/language-choice.ts";
import { UsageError } from "./usage-error.ts";

/** @param text  languages, comma-separated @returns their codes; none for any language */
export function languagesOption(text: string, option = "--language"): string[] {
  const { codes, problem } = languagesOf(text.split(",").filter((part) => part.trim() !== ""));
  if (problem !== undefined) throw new UsageError(`${option} ${problem}`);
  return codes;
}
