// translation: every utterance in each target language, with the times of the original and, within it, times spread
// over the translated words. By a LibreTranslate-compatible server or a language model.
import type { AddonError, Transcription, Utterance, Word } from "../jobs/transcript.ts";
import { isSpoken, isUnspaced, wordSegments } from "../text/scripts.ts";
import { splitSentences } from "../text/sentences.ts";
import { type Addon, AddonUnavailable, failed } from "./addon.ts";
import { askProvider } from "./providers/ask.ts";
import { Budget, chatJson } from "./providers/language-model.ts";
import type { Providers } from "./providers/providers.ts";
import { subtitlesOf } from "./subtitles.ts";

interface TranslationConfig {
  target_languages: string[];
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

const noTranslator = () =>
  new AddonUnavailable(
    "translation needs a provider: set PARLANCE_TRANSLATE_URL to a LibreTranslate-compatible server, or PARLANCE_LLM_URL to an OpenAI-compatible one. Into English a multilingual Whisper model will do: npx parlance models add whisper-small",
  );

function translator({ translation, languageModel }: Providers, config: TranslationConfig): Translate {
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
  if (!languageModel) throw noTranslator();
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

/** Words with the marks and spaces behind them. */
function dictionaryWords(text: string, language: string): string[] {
  const words: string[] = [];
  for (const { segment } of wordSegments(text.trim(), language)) {
    if (words.length > 0 && !isSpoken(segment)) words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words;
}

/** Words of a translation over the time of the original, each as long as its letters are many. */
export function spreadWords(text: string, original: Utterance, target: string): Word[] {
  const texts = isUnspaced(target) ? dictionaryWords(text, target) : text.split(/\s+/).filter((word) => word !== "");
  const letters = texts.reduce((sum, word) => sum + word.length, 0) || 1;
  const seconds = original.end - original.start;
  let before = 0;
  const at = (count: number) => Math.round((original.start + (seconds * count) / letters) * 1000) / 1000;
  return texts.map((word, index) => {
    const start = at(before);
    before += word.length;
    const spaced = index === 0 || isUnspaced(target) ? word : ` ${word}`;
    return { word: spaced, start, end: at(before), confidence: original.confidence };
  });
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
 * @throws AddonUnavailable where something is said in another language and nothing is known of it in English
 */
function heardInEnglish(utterances: readonly Utterance[], english: readonly Utterance[]): Utterance[] {
  const foreign = utterances.filter(({ language }) => language !== ENGLISH);
  if (foreign.length > 0 && english.length === 0) throw noTranslator();
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
function units(transcription: Transcription, config: TranslationConfig): Utterance[] {
  if (config.match_original_utterances !== false) return transcription.utterances;
  return splitSentences(transcription.utterances).map(({ sentence, ...rest }) => ({ ...rest, text: sentence }));
}

interface TranslationResult extends Omit<Transcription, "sentences"> {
  error: AddonError | null;
  sentences?: unknown;
}

export const translationAddon: Addon = {
  name: "translation",
  async run({ transcription, params, providers, english = [] }) {
    const config = params["translation_config"] as TranslationConfig;
    const isHeard = (target: string) => target === ENGLISH && !providers.translation && !providers.languageModel;
    const utterances = units(transcription, config);
    // One for all targets: they share its budget.
    let translate: Translate | undefined;
    const translated = async (target: string) => {
      if (isHeard(target)) return heardInEnglish(utterances, english);
      translate ??= translator(providers, config);
      return translatedTo(target, utterances, config, translate);
    };
    const results: TranslationResult[] = [];
    for (const target of config.target_languages) {
      try {
        const utterances = await translated(target);
        results.push({
          error: null,
          full_transcript: utterances.map(({ text }) => text.trim()).join(" "),
          languages: [target],
          utterances,
          ...(params["sentences"] === true ? { sentences: splitSentences(utterances) } : {}),
          ...(params["subtitles"] === true ? { subtitles: subtitlesOf(utterances, params) } : {}),
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
