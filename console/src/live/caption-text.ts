// The captions as a text to copy.
import { shownSpeaker } from "../transcript/speakers.ts";
import { type Line, runsOf } from "./lines.ts";
import type { Translations } from "./translations.ts";

/** @returns a line for each caption, with its speakers, and one for each of its translations */
export function captionText(
  lines: readonly Line[],
  translations: Translations,
  names: Readonly<Record<number, string>>,
): string {
  return lines
    .flatMap(({ id, utterance }) => {
      const runs = runsOf(utterance).map(({ speaker, text }) =>
        speaker === undefined ? text : `${shownSpeaker(speaker, names)}: ${text}`,
      );
      return [runs.join(" "), ...Object.values(translations[id] ?? {}).map(({ text }) => text)];
    })
    .join("\n");
}
