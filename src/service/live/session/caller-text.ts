// Applies the text options of the request to partials and finals: numbers in digits, vocabulary, spellings, fillers, profanity.
import { isDeepStrictEqual } from "node:util";
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { atOnce, inTurns, type Steps } from "../../../platform/process/steps.ts";
import { type VocabularyTerm, vocabularyOf } from "../../../speech/recognition/vocabulary.ts";
import { type CallerCapitals, callerCapitals, withCallerCapitals } from "../../../speech/text/caller-capitals.ts";
import { indexingPhrases } from "../../../speech/text/numerals/kept-phrases.ts";
import { withNumerals } from "../../../speech/text/numerals/numerals.ts";
import { withoutNumerals } from "../../../speech/text/numerals/spoken-numbers.ts";
import { wordingOf } from "../../intelligence/caller-wording.ts";
import { type FillerChoice, withFillerWords } from "../../intelligence/filler-words.ts";
import { unmaskedWords, withProfanityMasked } from "../../intelligence/profanity-filter.ts";
import { respelled, spellingOf } from "../../intelligence/spelling.ts";
import { repaired } from "../../intelligence/vocabulary.ts";
import { VocabularyIndex } from "../../intelligence/vocabulary-index.ts";

type Realtime = LiveParameters["realtime_processing"];

const FIELDS = ["custom_vocabulary", "custom_vocabulary_config", "custom_spelling", "custom_spelling_config"] as const;

interface Tables {
  spelling: ReturnType<typeof spellingOf>;
  callerWords: string[];
  capitals: CallerCapitals;
  index: VocabularyIndex;
  unmasked: ReadonlySet<string>;
}

/**
 * What the vocabulary and the spellings of a request need. It is made in turns by `prepare`, otherwise on first use: a session may change
 * them a thousand times. The largest take half a second.
 */
class Wording {
  private terms: VocabularyTerm[] | undefined;
  private tables: Tables | undefined;
  private making: Steps<Tables> | undefined;

  constructor(private readonly realtime: Realtime) {}

  isFor(realtime: Realtime): boolean {
    return FIELDS.every((name) => isDeepStrictEqual(this.realtime[name], realtime[name]));
  }

  get vocabulary(): VocabularyTerm[] {
    this.terms ??= vocabularyOf(this.realtime);
    return this.terms;
  }

  private *makeTables(): Steps<Tables> {
    const { realtime, vocabulary } = this;
    yield;
    const spelling = spellingOf(realtime);
    yield;
    const callerWords = wordingOf(vocabulary, spelling);
    yield;
    yield* indexingPhrases(callerWords);
    const capitals = callerCapitals(vocabulary.map(({ value }) => value));
    const index = yield* VocabularyIndex.making(vocabulary);
    const tables = { spelling, callerWords, capitals, index, unmasked: unmaskedWords(realtime) };
    this.tables = tables;
    return tables;
  }

  /** The rest of it may be made by `inUse` meanwhile. */
  async prepare(): Promise<void> {
    this.making ??= this.makeTables();
    await inTurns(this.making);
  }

  get inUse(): Tables {
    if (this.tables) return this.tables;
    this.making ??= this.makeTables();
    return atOnce(this.making);
  }
}

export class CallerText {
  private readonly wording: Wording;
  private readonly hasNumerals: boolean;
  private readonly fillers: FillerChoice | undefined;
  private readonly masksProfanity: boolean;

  /** @param former  may have the same vocabulary and spellings */
  constructor(
    { realtime_processing: realtime }: Pick<LiveParameters, "realtime_processing">,
    former: readonly CallerText[] = [],
  ) {
    this.wording = former.find(({ wording }) => wording.isFor(realtime))?.wording ?? new Wording(realtime);
    this.hasNumerals = realtime.numerals !== false;
    this.fillers = realtime.filler_words;
    this.masksProfanity = realtime.profanity_filter === true;
  }

  hasWordingOf({ wording }: CallerText): boolean {
    return this.wording === wording;
  }

  get vocabulary(): VocabularyTerm[] {
    return this.wording.vocabulary;
  }

  /** Makes what `applyTo` needs, in turns. */
  prepare(): Promise<void> {
    return this.wording.prepare();
  }

  /**
   * Writes numbers in digits, or in words, and applies vocabulary, spellings and the choices about fillers and profanity; partials and finals alike.
   * @param isContinued  whether the utterance continues a sentence
   * @returns an utterance without words if it has only fillers, and they are removed
   */
  applyTo(recognized: Utterance, isContinued = false): Utterance {
    const { index, capitals, spelling, unmasked } = this.wording.inUse;
    const repairedWords = withCallerCapitals(repaired(this.withNumerals(recognized, isContinued), index), capitals);
    const spelled = withFillerWords(respelled(repairedWords, spelling), this.fillers);
    return this.masksProfanity ? withProfanityMasked(spelled, unmasked) : spelled;
  }

  withNumerals(utterance: Utterance, isContinued = false): Utterance {
    const { callerWords } = this.wording.inUse;
    if (this.hasNumerals) return withNumerals(utterance, callerWords);
    return withoutNumerals(utterance, callerWords, isContinued);
  }
}
