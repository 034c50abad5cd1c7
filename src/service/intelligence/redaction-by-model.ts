// pii_redaction by a language model: finds the types that have no rules in the language of an utterance. A small model finds a name in one
// line and misses it in the next, or gives the number of another line. Therefore every text that it finds is replaced at each occurrence.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { UNSPACED_SCRIPT } from "../../speech/text/scripts.ts";
import type { AddonInput } from "./addon.ts";
import { namedByModel } from "./entities.ts";
import { languageModelOf } from "./providers/language-model.ts";
import { unfindableTypes } from "./redaction-types.ts";
import { wordsAt } from "./spans.ts";

/** Words that are replaced together. */
export interface Finding {
  type: string;
  text: string;
}

/** From its first letter or digit to its last one, with the combining marks behind it. */
const bare = (text: string) => /[\p{L}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su.exec(text)?.[0] ?? "";

/** Positions at which a text occurs as whole words. */
function placesOf(text: string, whole: string): number[] {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character);
  const places: number[] = [];
  for (let at = whole.indexOf(text); text !== "" && at >= 0; at = whole.indexOf(text, at + 1)) {
    const isInside = isPart(whole[at - 1]) || isPart(whole[at + text.length]);
    // In scripts without spaces, a match need not be a whole word.
    if (!isInside || UNSPACED_SCRIPT.test(text)) places.push(at);
  }
  return places;
}

function mark(utterance: Utterance, { type, text }: Finding, findings: Map<Word, Finding>): void {
  for (const from of placesOf(text, utterance.text)) {
    // One object for each position: adjacent words with the same object are replaced together.
    const finding = { type, text };
    for (const word of wordsAt(utterance, from, from + text.length)) {
      if (!findings.has(word)) findings.set(word, finding);
    }
  }
}

/**
 * Adds findings of the types that only a language model can find.
 * @throws AddonUnavailable without one, AddonFailed if it fails
 */
export async function foundByModel(
  utterances: readonly Utterance[],
  types: ReadonlySet<string>,
  { providers }: AddonInput,
  findings: Map<Word, Finding>,
): Promise<void> {
  for (const language of new Set(utterances.map((utterance) => utterance.language))) {
    const missing = unfindableTypes(types, language);
    if (missing.length === 0) continue;
    const where = language === "en" ? "" : ` in ${language}`;
    const model = languageModelOf(providers, `pii_redaction cannot find ${missing.join(", ")}${where} by rules; it`);
    const own = utterances.filter((utterance) => utterance.language === language);
    const named = (await namedByModel(own, model, missing)).map(({ type, text }) => ({ type, text: bare(text) }));
    // A longer text marks its words first: "Anna Berg" is one name, and "Berg" stands for the family elsewhere.
    const texts = named.sort((left, right) => right.text.length - left.text.length);
    for (const finding of texts) for (const utterance of utterances) mark(utterance, finding, findings);
  }
}
