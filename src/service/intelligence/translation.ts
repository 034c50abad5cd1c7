// translation: every utterance in each target language. In this order: a LibreTranslate-compatible server, the installed translation
// models, a language model server, the speech model (into English only), a language model of this machine.

import type { AddonParameters } from "../../contract/job-parameters.ts";
import { shownLanguage } from "../../contract/languages.ts";
import type { AddonError, Transcription, Utterance, Word } from "../../contract/transcript/transcript.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { splitSentences } from "../../speech/text/sentences.ts";
import { recognizedInEnglish } from "../../speech/translation/recognized-in-english.ts";
import { spreadWords } from "../../speech/translation/spread-words.ts";
import { translateUtterances } from "../../speech/translation/translate-utterances.ts";
import { remedy } from "../models/translation-remedy.ts";
import { type Addon, type AddonInput, failed } from "./addon.ts";
import { AddonFailed, AddonUnavailable } from "./addon-error.ts";
import { unmaskedWords, withProfanityMasked } from "./profanity-filter.ts";
import { localRoute, translateLocally } from "./providers/local-translation.ts";
import { providedTranslation, type TranslateTexts } from "./providers/provided-translation.ts";
import { isLocal } from "./providers/providers.ts";
import { subtitlesOf } from "./subtitles.ts";
import { withTimeLimit } from "./turns.ts";

type TranslationConfig = NonNullable<AddonParameters["translation_config"]>;

/** Texts in one request. */
const BATCH = 40;
const ENGLISH = "en";
const NO_TARGETS: TranslationConfig = { target_languages: [] };

/** If the number of words is the same, each gets the time of the word at its place in the original. */
function matchedWords(text: string, original: Utterance, target: string): Word[] {
  const spread = spreadWords(text, original, target);
  if (spread.length !== original.words.length) return spread;
  return spread.map((word, index) => {
    const { start = word.start, end = word.end } = original.words[index] ?? {};
    return { ...word, start, end };
  });
}

async function translatedTo(
  target: string,
  utterances: Utterance[],
  config: TranslationConfig,
  translate: TranslateTexts,
): Promise<Utterance[]> {
  const texts = new Array<string>(utterances.length);
  const bySource = new Map<string, number[]>();
  for (const [index, { language }] of utterances.entries()) {
    bySource.set(language, [...(bySource.get(language) ?? []), index]);
  }
  for (const [source, indexes] of bySource) {
    for (let at = 0; at < indexes.length; at += BATCH) {
      const batch = indexes.slice(at, at + BATCH);
      const own = batch.map((index) => (utterances[index] as Utterance).text.trim());
      const translated = source === target ? own : await translate(own, source, target);
      for (const [place, index] of batch.entries()) texts[index] = translated[place] ?? "";
    }
  }
  return utterances.map((utterance, index) => {
    const space = /^\s*/.exec(utterance.text)?.[0] ?? "";
    const words = (config.lipsync === false ? matchedWords : spreadWords)(texts[index] ?? "", utterance, target);
    const [first] = words;
    if (first) first.word = space + first.word;
    return { ...utterance, language: target, words, text: words.map(({ word }) => word).join("") };
  });
}

/** Utterances as they are, or divided into sentences if `match_original_utterances` is false. */
function units(utterances: Utterance[], config: TranslationConfig): Utterance[] {
  if (config.match_original_utterances !== false) return utterances;
  return splitSentences(utterances).map(({ sentence, ...rest }) => ({ ...rest, text: sentence }));
}

type TranslatedBy = "translation models" | "the translation server" | "the speech model" | "the language model";

/** Warnings about fields that have no effect with a translator. A language model uses `context` and `informal`. */
function ignoredFields({ context, informal, model = "base" }: TranslationConfig, by: TranslatedBy): string[] {
  const manner = [...(context ? ["context"] : []), ...(informal ? ["informal"] : [])];
  const own = model === "base" ? [] : ["model"];
  if (by !== "translation models") {
    const ignored = by === "the language model" ? own : [...manner, ...own];
    return ignored.map((field) => `${field} has no effect: ${by} does not use it`);
  }
  return [
    ...manner.map((field) => `${field} has no effect with translation models; a language model takes it`),
    ...own.map(() => `model ${model} has no effect: there is one translation model for each direction`),
  ];
}

/** Terms of the vocabulary and spellings, as the caller writes them. */
function ownTerms(params: AddonParameters): string[] {
  const { custom_spelling, custom_spelling_config } = params;
  const { spelling_dictionary = {} } = (custom_spelling === true ? custom_spelling_config : undefined) ?? {};
  return [...new Set([...vocabularyOf(params).map(({ value }) => value), ...Object.keys(spelling_dictionary)])];
}

interface TranslationResult extends Omit<Transcription, "sentences"> {
  error: AddonError | null;
  sentences?: unknown;
  /** Sentences about untranslated parts and about fields without effect. */
  warnings?: string[];
}

interface Translated {
  utterances: Utterance[];
  warnings: string[];
}

/** Selects a translator for each target language. */
class Translator {
  /** Shared by all targets, which thus have one budget of tokens. */
  private readonly provided: TranslateTexts | undefined;
  private readonly config: TranslationConfig;

  constructor(private readonly input: AddonInput) {
    this.config = input.params.translation_config ?? NO_TARGETS;
    this.provided = providedTranslation(input.providers, this.config);
  }

  /** @throws AddonUnavailable if no part of the transcript can be translated */
  async into(target: string): Promise<Translated> {
    const { transcription, providers, english = [] } = this.input;
    const { utterances } = transcription;
    const foreign = new Set(utterances.map(({ language }) => language).filter((language) => language !== target));
    if (providers.translation) return this.byProvider(utterances, target, "the translation server");
    const local = await this.routesTo(target, foreign);
    const rest = [...foreign].filter((language) => !local.has(language));
    const isInEnglish = target === ENGLISH && english.length > 0;
    const isRecognizedBetter = isInEnglish && providers.languageModel && isLocal(providers.languageModel);
    if (local.size === 0 && rest.length > 0 && providers.languageModel && !isRecognizedBetter) {
      return this.byProvider(utterances, target, "the language model");
    }
    let translated = utterances;
    const warnings = local.size > 0 ? ignoredFields(this.config, "translation models") : [];
    if (rest.length > 0 && isInEnglish) {
      translated = recognizedInEnglish(translated, english, new Set(rest));
      if (local.size === 0) warnings.push(...ignoredFields(this.config, "the speech model"));
    } else if (rest.length > 0 && providers.languageModel) {
      translated = await this.byLanguageModel(translated, target, new Set(rest));
    } else if (rest.length > 0) {
      const reasons = rest.map((language) => remedy(language, target)).join("; ");
      if (local.size === 0) throw new AddonUnavailable(`translation: ${reasons}`);
      warnings.push(`Speech in ${rest.map(shownLanguage).join(", ")} was not translated: ${reasons}`);
    }
    if (local.size === 0) return { utterances: units(translated, this.config), warnings };
    return { utterances: await this.byModels(translated, target, local), warnings };
  }

  private async routesTo(target: string, languages: ReadonlySet<string>) {
    const routes = new Map<string, NonNullable<Awaited<ReturnType<typeof localRoute>>>>();
    for (const language of languages) {
      const route = await localRoute(this.input.providers, language, target);
      if (route) routes.set(language, route);
    }
    return routes;
  }

  private byModels(
    utterances: readonly Utterance[],
    target: string,
    routes: Awaited<ReturnType<Translator["routesTo"]>>,
  ): Promise<Utterance[]> {
    return translateUtterances(utterances, {
      target,
      sources: new Set(routes.keys()),
      terms: ownTerms(this.input.params),
      matchesOriginals: this.config.match_original_utterances !== false,
      followsWords: this.config.lipsync !== false,
      translate: (texts, source) => {
        const route = routes.get(source);
        if (!route) throw new Error(`no route from ${source}`);
        return translateLocally(route, texts, this.input.audioSeconds !== undefined);
      },
    });
  }

  /** Utterances in some of the languages only. */
  private async byLanguageModel(
    utterances: readonly Utterance[],
    target: string,
    languages: ReadonlySet<string>,
  ): Promise<Utterance[]> {
    const own = utterances.filter(({ language }) => languages.has(language));
    const translated = await translatedTo(target, own, this.config, this.provided as TranslateTexts);
    const byOriginal = new Map(own.map((utterance, at) => [utterance, translated[at] as Utterance]));
    return utterances.map((utterance) => byOriginal.get(utterance) ?? utterance);
  }

  private async byProvider(utterances: Utterance[], target: string, by: TranslatedBy): Promise<Translated> {
    const own = units(utterances, this.config);
    const isTranslated = own.some(({ language }) => language !== target);
    return {
      utterances: await translatedTo(target, own, this.config, this.provided as TranslateTexts),
      warnings: isTranslated ? ignoredFields(this.config, by) : [],
    };
  }
}

/** @throws AddonFailed if one target takes longer than the limit */
function inTime<Result>(translate: () => Promise<Result>, limitMilliseconds?: number): Promise<Result> {
  if (limitMilliseconds === undefined) return translate();
  const late = () => new AddonFailed(`translation did not end within ${limitMilliseconds / 1000} s`);
  return withTimeLimit(limitMilliseconds, late, translate);
}

/** One error for all targets. A reason that several targets share is named once. */
function failureOfAll(failures: readonly unknown[]): unknown {
  const reasons = new Set(failures.map((thrown) => failed(thrown).error?.message));
  if (reasons.size === 1) return failures[0];
  const message = [...reasons].join("; ");
  const isUnavailable = failures.every((thrown) => thrown instanceof AddonUnavailable);
  return isUnavailable ? new AddonUnavailable(message) : new AddonFailed(message);
}

const resultsIn = (value: unknown): TranslationResult[] => (Array.isArray(value) ? value : []);

export const translationAddon: Addon = {
  name: "translation",
  /** Other languages stay. */
  joinResults(before, made) {
    const results = resultsIn(made);
    const languages = new Set(results.flatMap((one) => one.languages));
    return [...resultsIn(before).filter((one) => !one.languages.some((code) => languages.has(code))), ...results];
  },
  parts: ({ translation_config }) => translation_config?.target_languages.length ?? 0,
  async run(input, timeoutMilliseconds) {
    const { audioSeconds, params } = input;
    const config = params.translation_config ?? NO_TARGETS;
    const translator = new Translator(input);
    const kept = params.profanity_filter === true ? unmaskedWords(params) : undefined;
    const results: TranslationResult[] = [];
    const failures: unknown[] = [];
    for (const target of config.target_languages) {
      try {
        const { utterances: translated, warnings } = await inTime(() => translator.into(target), timeoutMilliseconds);
        const utterances = kept ? translated.map((one) => withProfanityMasked(one, kept)) : translated;
        results.push({
          error: null,
          full_transcript: joinedTexts(utterances),
          languages: [target],
          utterances,
          ...(warnings.length > 0 ? { warnings } : {}),
          ...(params.sentences === true ? { sentences: splitSentences(utterances) } : {}),
          ...(params.subtitles === true ? { subtitles: subtitlesOf({ utterances, audioSeconds }, params) } : {}),
        });
      } catch (thrown) {
        // A failure of one target does not affect the others.
        failures.push(thrown);
        results.push({ error: failed(thrown).error, full_transcript: "", languages: [target], utterances: [] });
      }
    }
    if (failures.length > 0 && failures.length === results.length) throw failureOfAll(failures);
    return results;
  },
};
