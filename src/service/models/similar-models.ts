// Names of models that a wrong name may mean: "base" is whisper-base.
import { similarNames } from "../../speech/text/similar.ts";
import { CATALOGUE } from "./catalogue.ts";
import { LANGUAGE_MODELS } from "./language-model-catalogue.ts";

const MOST_SHOWN = 5;

/** @param known  default: the models that can be added by their name */
export function similarModels(given: string, known: readonly string[] = addable()): string[] {
  const wanted = given.trim().toLowerCase();
  // People leave the family out: "base", "large-v3", "tiny.en".
  const inFamily = known.filter((id) => wanted.length > 1 && `${id}-`.toLowerCase().includes(`-${wanted}-`));
  const within = known.filter((id) => wanted.length > 2 && id.toLowerCase().includes(wanted));
  return [...new Set([...inFamily, ...similarNames(wanted, known), ...within])].slice(0, MOST_SHOWN);
}

const addable = () => [...CATALOGUE, ...LANGUAGE_MODELS].map(({ id }) => id);
