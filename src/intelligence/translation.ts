// translation: every utterance in each target language. By a LibreTranslate-compatible server where one is configured, else by the
// installed translation models, else by a language model, else, into English, by the speech model.

import { isPublished, translationId } from "../models/translation-catalogue.ts";
import { vocabularyOf } from "../recognition/vocabulary.ts";
import { shownLanguage } from "../text/languages.ts";
import { splitSentences } from "../text/sentences.ts";
import type { AddonError, Transcription, Utterance, Word } from "../transcript/transcript.ts";
import { spreadWords } from "../translation/spread-words.ts";
import { translateUtterances } from "../translation/translate-utterances.ts";
import { type Addon, type AddonInput, AddonUnavailable, failed } from "./addon.ts";
import { askProvider } from "./providers/ask.ts";
import { Budget, chatJson } from "./providers/language-model.ts";
import { localRoute, translateLocally } from "./providers/local-translation.ts";
import type { Providers } from "./providers/providers.ts";
import { subtitlesOf } from "./subtitles.ts";

interface TranslationConfig {
  target_languages: string[];
  model?: string;
  match_original_utterances?: boolean;
  lipsync?: boolean;
  context_adaptation?: boolean;
  context?: string;
  informal?: boolean;
}

/** Texts handed over together. */
const BATCH = 40;
const ENGLISH = "en";

type Translate = (texts: string[], source: string, target: string) => Promise<string[]>;

const areTexts =
  (count: number) =>
  (value: unknown): value is { translations: string[] } => {
    const list = (value as { translations?: unknown })?.translations;
    return Array.isArray(list) && list.length === count && list.every((text) => typeof text === "string");
  };

function translator({ translation, languageModel }: Providers, config: TranslationConfig): Translate | undefined {
  if (translation) {
    return async (texts, source, target) => {
      const body = {
        q: texts,
        source,
        target,
        format: "text",
        ...(translation.key ? { api_key: translation.key } : {}),
      };
      const url = `${translation.url.replace(/\/+$/, "")}/translate`;
      const answer = await askProvider("translation server", url, body, {
        timeoutMilliseconds: translation.timeoutSeconds * 1000,
      });
      return (answer as { translatedText: string[] }).translatedText;
    };
  }
  if (!languageModel) return undefined;
  const budget = new Budget(languageModel);
  const manner = [
    config.informal ? "Prefer familiar forms of address." : "",
    config.context_adaptation !== false && config.context ? `Context: ${config.context}` : "",
  ].join(" ");
  return async (texts, source, target) => {
    const task = `Translate each text of the list from ${source} to ${target}. ${manner} Keep their number and order.`;
    const schema = {
      type: "object",
      properties: { translations: { type: "array", items: { type: "string" } } },
      required: ["translations"],
    };
    const content = `<transcript>\n${JSON.stringify(texts)}\n</transcript>`;
    return (await chatJson(task, content, languageModel, { budget, schema, isRight: areTexts(texts.length) }))
      .translations;
  };
}

/** The same number of words: each takes the time of its place in the original. */
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
  translate: Translate,
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

/**
 * What the recogniser wrote down in English, utterance by utterance: its words belong to the utterance in whose time they
 * were said.
 */
function heardInEnglish(
  utterances: readonly Utterance[],
  english: readonly Utterance[],
  languages: ReadonlySet<string>,
): Utterance[] {
  const foreign = utterances.filter(({ language }) => languages.has(language));
  const words = new Map<Utterance, Word[]>(foreign.map((utterance) => [utterance, []]));
  const distance = ({ start, end }: Utterance, at: number) => Math.max(start - at, at - end, 0);
  for (const { channel, words: own } of english) {
    const candidates = foreign.filter((utterance) => utterance.channel === channel);
    for (const word of own) {
      const middle = (word.start + word.end) / 2;
      const [first, ...others] = candidates;
      if (!first) break;
      const nearest = others.reduce(
        (best, one) => (distance(one, middle) < distance(best, middle) ? one : best),
        first,
      );
      words.get(nearest)?.push(word);
    }
  }
  return utterances.map((utterance) => {
    const own = words.get(utterance);
    if (!own) return utterance;
    const space = /^\s*/.exec(utterance.text)?.[0] ?? "";
    const spaced = own.map((word, index) => ({ ...word, word: (index === 0 ? space : " ") + word.word.trim() }));
    return { ...utterance, language: ENGLISH, words: spaced, text: spaced.map(({ word }) => word).join("") };
  });
}

/** Utterances as they are, or joined into sentences where the caller does not want the originals matched. */
function units(utterances: Utterance[], config: TranslationConfig): Utterance[] {
  if (config.match_original_utterances !== false) return utterances;
  return splitSentences(utterances).map(({ sentence, ...rest }) => ({ ...rest, text: sentence }));
}

/** How to make a translation from one language into another possible. */
function remedy(source: string, target: string): string {
  const steps =
    source === ENGLISH || target === ENGLISH
      ? [[source, target]]
      : [
          [source, ENGLISH],
          [ENGLISH, target],
        ];
  const ids = steps.map(([from = "", to = ""]) => translationId(from, to));
  const pair = `${shownLanguage(source)} to ${shownLanguage(target)}`;
  const provider =
    "set PARLANCE_LLM_URL to an OpenAI-compatible server or PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible one";
  const speech =
    target === ENGLISH ? ", or a multilingual Whisper model: npx --no-install parlance models add whisper-small" : "";
  return steps.every(([from = "", to = ""]) => isPublished(from, to))
    ? `no model for ${pair} is installed. Add it: npx --no-install parlance models add ${ids.join(" && npx --no-install parlance models add ")}; or ${provider}${speech}`
    : `no translation model is published for ${pair}; ${provider}${speech}`;
}

/** What of the configuration the installed models cannot mean. */
function ignoredFields(config: TranslationConfig): string[] {
  const warnings: string[] = [];
  if (config.context) warnings.push("context has no effect with translation models; a language model takes it");
  if (config.informal) warnings.push("informal has no effect with translation models; a language model takes it");
  if (config.model !== undefined && config.model !== "base") {
    warnings.push(`model ${config.model} has no effect: there is one translation model for each direction`);
  }
  return warnings;
}

/** Terms of the vocabulary and spellings, as the caller writes them. */
function ownTerms(params: Record<string, unknown>): string[] {
  const spellings = params["custom_spelling"] === true ? params["custom_spelling_config"] : undefined;
  const { spelling_dictionary = {} } = (spellings ?? {}) as { spelling_dictionary?: Record<string, string[]> };
  return [...new Set([...vocabularyOf(params).map(({ value }) => value), ...Object.keys(spelling_dictionary)])];
}

interface TranslationResult extends Omit<Transcription, "sentences"> {
  error: AddonError | null;
  sentences?: unknown;
  /** What was left as it is, and what of the configuration has no effect, a sentence each. */
  warnings?: string[];
}

interface Translated {
  utterances: Utterance[];
  warnings: string[];
}

/** One translation at a time, each by what can do it best. */
class Translator {
  /** One for all targets: they share its budget. */
  private readonly provided: Translate | undefined;
  private readonly config: TranslationConfig;

  constructor(private readonly input: AddonInput) {
    this.config = input.params["translation_config"] as TranslationConfig;
    this.provided = translator(input.providers, this.config);
  }

  /**
   * @throws AddonUnavailable where nothing of the transcript can be translated
   */
  async into(target: string): Promise<Translated> {
    const { transcription, providers, english = [] } = this.input;
    const { utterances } = transcription;
    const foreign = new Set(utterances.map(({ language }) => language).filter((language) => language !== target));
    if (providers.translation) return this.byProvider(utterances, target);
    const local = await this.routesTo(target, foreign);
    const rest = [...foreign].filter((language) => !local.has(language));
    if (local.size === 0 && rest.length > 0 && providers.languageModel) return this.byProvider(utterances, target);
    let translated = utterances;
    const warnings = local.size > 0 ? ignoredFields(this.config) : [];
    const isHeard = target === ENGLISH && english.length > 0;
    if (rest.length > 0 && isHeard) translated = heardInEnglish(translated, english, new Set(rest));
    else if (rest.length > 0 && providers.languageModel) {
      translated = await this.byLanguageModel(translated, target, new Set(rest));
    } else if (rest.length > 0) {
      const reasons = rest.map((language) => remedy(language, target)).join("; ");
      if (local.size === 0) throw new AddonUnavailable(`translation: ${reasons}`);
      warnings.push(`Speech in ${rest.map(shownLanguage).join(", ")} was left as it is: ${reasons}`);
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
    const translated = await translatedTo(target, own, this.config, this.provided as Translate);
    const byOriginal = new Map(own.map((utterance, at) => [utterance, translated[at] as Utterance]));
    return utterances.map((utterance) => byOriginal.get(utterance) ?? utterance);
  }

  private async byProvider(utterances: Utterance[], target: string): Promise<Translated> {
    const own = units(utterances, this.config);
    return { utterances: await translatedTo(target, own, this.config, this.provided as Translate), warnings: [] };
  }
}

export const translationAddon: Addon = {
  name: "translation",
  async run(input) {
    const { audioSeconds, params } = input;
    const config = params["translation_config"] as TranslationConfig;
    const translator = new Translator(input);
    const results: TranslationResult[] = [];
    for (const target of config.target_languages) {
      try {
        const { utterances, warnings } = await translator.into(target);
        results.push({
          error: null,
          full_transcript: utterances.map(({ text }) => text.trim()).join(" "),
          languages: [target],
          utterances,
          ...(warnings.length > 0 ? { warnings } : {}),
          ...(params["sentences"] === true ? { sentences: splitSentences(utterances) } : {}),
          ...(params["subtitles"] === true ? { subtitles: subtitlesOf({ utterances, audioSeconds }, params) } : {}),
        });
      } catch (thrown) {
        // Where one target fails, the others may not.
        if (config.target_languages.length === 1) throw thrown;
        results.push({ error: failed(thrown).error, full_transcript: "", languages: [target], utterances: [] });
      }
    }
    return results;
  },
};
