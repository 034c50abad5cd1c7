// The files of a translation direction under their published names: model.enpt.intgemm.alphas.bin, vocab.enpt.spm (or srcvocab and
// trgvocab where the vocabularies differ), lex.50.50.enpt.s2t.bin.

export interface DirectionFiles {
  source: string;
  target: string;
  model: string;
  /** One, or those of the source and of the target language. */
  vocabularies: readonly [string] | readonly [string, string];
  /** Candidate words of the target language by word of the source language. */
  shortlist: string;
}

const MODEL = /^model\.([a-z_]+)\.(?:.*\.)?bin$/i;
const SHORTLIST = /^lex\..+\.bin$/i;
const ENGLISH = "en";

/** ISO 639 codes as the service has them. The publisher names Norwegian Bokmål nb. */
const OTHER_CODES: Readonly<Record<string, string>> = { nb: "no" };
export const serviceCode = (code: string): string => OTHER_CODES[code] ?? code;

/** "enpt" → en, pt. One side of every published direction is English. */
function directionIn(joined: string): [source: string, target: string] | undefined {
  const [, first, second] = /^([a-z]{2,3})[-_]([a-z]{2,3})$/.exec(joined) ?? [];
  if (first && second) return [first, second];
  const letters = joined.replace(/[-_]/g, "");
  if (!/^[a-z]{4,5}$/.test(letters)) return undefined;
  if (letters.startsWith(ENGLISH)) return [ENGLISH, letters.slice(ENGLISH.length)];
  if (letters.endsWith(ENGLISH)) return [letters.slice(0, -ENGLISH.length), ENGLISH];
  return letters.length === 4 ? [letters.slice(0, 2), letters.slice(2)] : undefined;
}

/**
 * @param names  of all files of a folder
 * @returns undefined where they are none of a translation direction
 * @throws Error naming what is missing where they are
 */
export function directionFiles(names: readonly string[]): DirectionFiles | undefined {
  const models = names.filter((name) => MODEL.test(name) && /intgemm|int8/i.test(name));
  const [model] = models;
  if (model === undefined) return undefined;
  if (models.length > 1)
    throw new Error(`it holds ${models.length} translation models; add the folder of one direction`);
  const direction = directionIn(MODEL.exec(model)?.[1]?.toLowerCase() ?? "");
  if (!direction) throw new Error(`the name ${model} does not state the languages as in model.enpt.intgemm.alphas.bin`);
  const find = (matches: RegExp) => names.find((name) => matches.test(name));
  const shared = find(/^vocab\..+\.spm$/i);
  const source = find(/^srcvocab\..+\.spm$/i);
  // Of some directions the vocabulary of the target language is named as a shared one is.
  const target = find(/^trgvocab\..+\.spm$/i) ?? shared;
  const shortlist = find(SHORTLIST);
  if (shortlist === undefined) throw new Error("it lacks the shortlist (lex.50.50.….bin)");
  if (source !== undefined && target !== undefined) return of(direction, model, [source, target], shortlist);
  if (shared === undefined)
    throw new Error("it lacks a vocabulary (vocab.….spm, or srcvocab.….spm and trgvocab.….spm)");
  return of(direction, model, [shared], shortlist);
}

function of(
  [source, target]: [string, string],
  model: string,
  vocabularies: DirectionFiles["vocabularies"],
  shortlist: string,
): DirectionFiles {
  return { source: serviceCode(source), target: serviceCode(target), model, vocabularies, shortlist };
}

export const namesOf = ({ model, vocabularies, shortlist }: DirectionFiles): string[] => [
  model,
  ...vocabularies,
  shortlist,
];
