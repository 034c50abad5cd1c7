// Applies the text options of the request to partials and finals: numbers in digits, vocabulary, spellings.
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { type VocabularyTerm, vocabularyOf } from "../../../speech/recognition/vocabulary.ts";
import { type CallerCapitals, callerCapitals, withCallerCapitals } from "../../../speech/text/caller-capitals.ts";
import { withNumerals } from "../../../speech/text/numerals/numerals.ts";
import { withoutNumerals } from "../../../speech/text/numerals/spoken-numbers.ts";
import { callerWording } from "../../intelligence/caller-wording.ts";
import { respelled, spellingOf } from "../../intelligence/spelling.ts";
import { repaired } from "../../intelligence/vocabulary.ts";
import { VocabularyIndex } from "../../intelligence/vocabulary-index.ts";

export class CallerText {
  readonly vocabulary: VocabularyTerm[];
  private readonly spelling: ReturnType<typeof spellingOf>;
  private readonly callerWords: string[];
  private readonly capitals: CallerCapitals;
  private readonly hasNumerals: boolean;
  private readonly index: VocabularyIndex;

  constructor({ realtime_processing: realtime }: Pick<LiveParameters, "realtime_processing">) {
    this.spelling = spellingOf(realtime);
    this.vocabulary = vocabularyOf(realtime);
    this.capitals = callerCapitals(this.vocabulary.map(({ value }) => value));
    this.callerWords = callerWording(realtime);
    this.hasNumerals = realtime.numerals !== false;
    this.index = new VocabularyIndex(this.vocabulary);
  }

  /** Writes numbers in digits and applies vocabulary and spellings; partials and finals alike. */
  applyTo(recognized: Utterance): Utterance {
    const repairedWords = withCallerCapitals(repaired(this.withNumerals(recognized), this.index), this.capitals);
    const spelled = respelled(repairedWords, this.spelling);
    // A final must have words: if all of them would be removed, it is sent as recognised.
    return spelled.words.length > 0 ? spelled : repairedWords;
  }

  withNumerals(utterance: Utterance): Utterance {
    return this.hasNumerals ? withNumerals(utterance, this.callerWords) : withoutNumerals(utterance, this.callerWords);
  }
}
