// Language of a live channel if the request does not name it: the forward pass of the Viterbi search in
// language-path.ts. The change penalty is low until three seconds of speech were decided and high afterwards, so that
// neither a short word at the start nor one deviating utterance later decides the language.
import { type LanguageEvidence, LEAST_PROBABILITY, weightOf } from "./language-path.ts";
import type { LanguageBias } from "./recognizer.ts";

/** Plain data, persisted with the state of a channel. */
export interface LanguageLockState {
  /** Log-odds between each language and the most probable one; languages at the maximum distance are omitted. */
  behind: Record<string, number>;
  /** Speech so far, seconds. */
  seconds: number;
}

/** Speech that decides the language of a session. */
const DECIDING_SECONDS = 3;
/** Log-odds against a language change between utterances, before and after that. */
const UNLOCKED_CHANGE_PENALTY = 1.5;
const LOCKED_CHANGE_PENALTY = 5;

export class LanguageLock {
  private behind: Map<string, number>;
  private seconds: number;

  constructor(state: LanguageLockState = { behind: {}, seconds: 0 }) {
    this.behind = new Map(Object.entries(state.behind));
    this.seconds = state.seconds;
  }

  get state(): LanguageLockState {
    return { behind: Object.fromEntries(this.behind), seconds: this.seconds };
  }

  /** The most probable language so far; undefined before the first evidence. */
  get language(): string | undefined {
    let likeliest: [string, number] | undefined;
    for (const entry of this.behind) if (!likeliest || entry[1] < likeliest[1]) likeliest = entry;
    return likeliest?.[0];
  }

  /** Whether the language changes only on clear evidence. */
  get isLocked(): boolean {
    return this.seconds >= DECIDING_SECONDS;
  }

  private get changePenalty(): number {
    return this.isLocked ? LOCKED_CHANGE_PENALTY : UNLOCKED_CHANGE_PENALTY;
  }

  /** Bias from earlier speech for an utterance of that length, per language. */
  bias(seconds: number): LanguageBias[] {
    const weight = Math.max(0.1, weightOf(seconds));
    return [...this.behind]
      .map(([language, behind]) => ({ language, logOdds: (this.changePenalty - behind) / weight }))
      .filter(({ logOdds }) => logOdds > 0);
  }

  /** Sets the language to that of the last utterance. */
  setLanguage(language: string): void {
    this.behind = new Map([[language, 0]]);
  }

  /** Adds the evidence of an utterance. */
  add({ seconds, probabilities }: LanguageEvidence): void {
    const { changePenalty } = this;
    const languages = new Set([...this.behind.keys(), ...probabilities.map(([language]) => language)]);
    const scores = [...languages].map((language): [string, number] => {
      const [, probability = 0] = probabilities.find(([name]) => name === language) ?? [];
      const before = this.behind.size === 0 ? 0 : Math.min(changePenalty, this.behind.get(language) ?? changePenalty);
      return [language, weightOf(seconds) * Math.log(Math.max(probability, LEAST_PROBABILITY)) - before];
    });
    const best = Math.max(...scores.map(([, score]) => score));
    this.seconds += seconds;
    this.behind = new Map(
      scores
        .map(([language, score]): [string, number] => [language, best - score])
        .filter(([, behind]) => behind < this.changePenalty),
    );
  }
}
