// Translation by language: a language has one model from English and one into English, which are fetched together.
import { formats, t } from "../../language/language.ts";
import { languageName } from "../../language-name.ts";
import type { SpeechModel } from "../../shapes.ts";
import { isOffered, type ModelSet } from "./model-card.tsx";
import { SetsOfPurpose } from "./models-of-purpose.tsx";

const ENGLISH = "en";

/** What a person chooses: the language that is not English, or both names where neither is. */
function languageOf({ codes: [from = "", to = ""] }: SpeechModel): string {
  if (from === ENGLISH) return languageName(to);
  return to === ENGLISH ? languageName(from) : t.models.direction(languageName(from), languageName(to));
}

function givenBy(models: readonly SpeechModel[], language: string): string {
  const [only] = models;
  if (models.length > 1 || !only) return t.models.bothDirections(languageName(ENGLISH), language);
  const [from = "", to = ""] = only.codes;
  return t.models.oneDirection(languageName(from), languageName(to));
}

/** @returns sets by the name of their language, in its order */
function translationSets(all: readonly SpeechModel[]): ModelSet[] {
  const directions = all.filter(({ purpose }) => purpose === "translation");
  const byLanguage = new Map<string, SpeechModel[]>();
  for (const model of directions) {
    const language = languageOf(model);
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), model]);
  }
  return [...byLanguage]
    .map(([name, models]) => ({ key: name, name, gives: givenBy(models, name), models }))
    .toSorted((left, right) => formats.compare(left.name, right.name));
}

export function TranslationModels({ all, isOperator }: { all: readonly SpeechModel[]; isOperator: boolean }) {
  const sets = translationSets(all);
  const offered = sets.filter(({ models }) => models.every(isOffered));
  return (
    <SetsOfPurpose
      purpose="translation"
      shown={sets.filter((set) => !offered.includes(set))}
      offered={offered}
      label={t.models.language}
      isOperator={isOperator}
    />
  );
}
