// Finds the language of each section of speech by a Viterbi search with a penalty for changes: a short "okay" does not
// change the language of the speech around it.

/** Evidence for the language of one section. */
export interface LanguageEvidence {
  /** Length of the section. */
  seconds: number;
  /** Probabilities of some languages; those of the others are negligible. */
  probabilities: readonly (readonly [language: string, probability: number])[];
}

/** Sections of at least this length have full weight; shorter ones less. */
const FULL_WEIGHT_SECONDS = 2;
/** Log-odds against a language change between two sections. */
const CHANGE_PENALTY = 1.5;
/** Assumed for languages that are not listed. */
export const LEAST_PROBABILITY = 1e-4;

/** Weight of a section of that length; 0 to 1. */
export const weightOf = (seconds: number) => Math.min(1, seconds / FULL_WEIGHT_SECONDS);

function score({ seconds, probabilities }: LanguageEvidence, language: string): number {
  const [, probability = 0] = probabilities.find(([name]) => name === language) ?? [];
  return weightOf(seconds) * Math.log(Math.max(probability, LEAST_PROBABILITY));
}

/** Log-odds in favour of the previous language, if the next section is not known yet. */
export function stayingOdds(seconds: number): number {
  return CHANGE_PENALTY / Math.max(0.1, weightOf(seconds));
}

/**
 * @param sections  in time order
 * @returns one language for each; empty without any evidence
 * @source Viterbi 1967
 */
export function languagePath(sections: readonly LanguageEvidence[]): string[] {
  const languages = [...new Set(sections.flatMap(({ probabilities }) => probabilities.map(([name]) => name)))];
  if (languages.length === 0) return [];
  const cameFrom: number[][] = [];
  let scores = languages.map(() => 0);
  for (const section of sections) {
    const best = scores.indexOf(Math.max(...scores));
    const from = scores.map((value, at) => (value >= (scores[best] as number) - CHANGE_PENALTY ? at : best));
    scores = languages.map((language, at) => {
      const before = Math.max(scores[at] as number, (scores[best] as number) - CHANGE_PENALTY);
      return before + score(section, language);
    });
    cameFrom.push(from);
  }
  let at = scores.indexOf(Math.max(...scores));
  const path: string[] = [];
  for (const from of cameFrom.reverse()) {
    path.unshift(languages[at] as string);
    at = from[at] as number;
  }
  return path;
}

/** The language of all sections together. @returns undefined without any evidence */
export function commonLanguage(sections: readonly LanguageEvidence[]): string | undefined {
  const languages = new Set(sections.flatMap(({ probabilities }) => probabilities.map(([name]) => name)));
  let best: { language: string; total: number } | undefined;
  for (const language of languages) {
    const total = sections.reduce((sum, stretch) => sum + score(stretch, language), 0);
    if (!best || total > best.total) best = { language, total };
  }
  return best?.language;
}
