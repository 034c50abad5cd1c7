// Which language each stretch of speech is in, where it may change: the likeliest way through all of them, on which a
// change has its price. A short "okay" does not change the language of the talk around it.

/** What was heard of one stretch. */
export interface LanguageEvidence {
  /** How long it is. */
  seconds: number;
  /** Probabilities of some languages; the others have next to none. */
  probabilities: readonly (readonly [language: string, probability: number])[];
}

/** Short stretches tell less: full weight from this length on. */
const FULL_WEIGHT_SECONDS = 2;
/** Logarithm of the odds against a change between two stretches. */
const CHANGE_PRICE = 1.5;
const LEAST_PROBABILITY = 1e-4;

/** How much a stretch of that length tells; 0 to 1. */
const weightOf = (seconds: number) => Math.min(1, seconds / FULL_WEIGHT_SECONDS);

function score({ seconds, probabilities }: LanguageEvidence, language: string): number {
  const [, probability = 0] = probabilities.find(([name]) => name === language) ?? [];
  return weightOf(seconds) * Math.log(Math.max(probability, LEAST_PROBABILITY));
}

/** Added to the odds of the language that was spoken before, where what comes after is not known. */
export function stayingOdds(seconds: number): number {
  return CHANGE_PRICE / Math.max(0.1, weightOf(seconds));
}

/**
 * @param stretches  in time order
 * @returns one language for each; empty where there is no evidence at all
 * @source Viterbi 1967
 */
export function languagePath(stretches: readonly LanguageEvidence[]): string[] {
  const languages = [...new Set(stretches.flatMap(({ probabilities }) => probabilities.map(([name]) => name)))];
  if (languages.length === 0) return [];
  const cameFrom: number[][] = [];
  let scores = languages.map(() => 0);
  for (const stretch of stretches) {
    const best = scores.indexOf(Math.max(...scores));
    const from = scores.map((value, at) => (value >= (scores[best] as number) - CHANGE_PRICE ? at : best));
    scores = languages.map((language, at) => {
      const before = Math.max(scores[at] as number, (scores[best] as number) - CHANGE_PRICE);
      return before + score(stretch, language);
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

/** The one language of all stretches. @returns undefined where there is no evidence at all */
export function commonLanguage(stretches: readonly LanguageEvidence[]): string | undefined {
  const languages = new Set(stretches.flatMap(({ probabilities }) => probabilities.map(([name]) => name)));
  let best: { language: string; total: number } | undefined;
  for (const language of languages) {
    const total = stretches.reduce((sum, stretch) => sum + score(stretch, language), 0);
    if (!best || total > best.total) best = { language, total };
  }
  return best?.language;
}
