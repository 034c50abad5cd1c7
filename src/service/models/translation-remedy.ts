// What an operator can do where a translation is not possible.

import { shownLanguage } from "../../contract/languages.ts";
import { PARLANCE } from "../../platform/command-prefix.ts";
import { isPublished, translationId } from "./translation-catalogue.ts";

const ENGLISH = "en";

/** How to make a translation from one language into another possible. */
export function remedy(source: string, target: string): string {
  const steps =
    source === ENGLISH || target === ENGLISH
      ? [[source, target]]
      : [
          [source, ENGLISH],
          [ENGLISH, target],
        ];
  const ids = steps.map(([from = "", to = ""]) => translationId(from, to));
  const pair = `${shownLanguage(source)} to ${shownLanguage(target)}`;
  const provider =
    "set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one";
  const speech = target === ENGLISH ? `, or a multilingual Whisper model: ${PARLANCE} models add whisper-small` : "";
  return steps.every(([from = "", to = ""]) => isPublished(from, to))
    ? `no model for ${pair} is installed. Add it: ${PARLANCE} models add ${ids.join(` && ${PARLANCE} models add `)}; or ${provider}${speech}`
    : `no translation model is published for ${pair}; ${provider}${speech}`;
}
