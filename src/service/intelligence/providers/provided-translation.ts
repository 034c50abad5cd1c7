// Translation by a server: LibreTranslate-compatible, or a language model.
import { AddonFailed } from "../addon-error.ts";
import { requestFromProvider } from "./ask.ts";
import { Budget, chatJson } from "./language-model.ts";
import { isLocal, type Providers } from "./providers.ts";

/** @returns one translation for each text @throws AddonFailed, work.aborted */
export type TranslateTexts = (texts: string[], source: string, target: string) => Promise<string[]>;

/** Options of a translation by a language model. */
export interface TranslationManner {
  context_adaptation?: boolean;
  context?: string;
  informal?: boolean;
}

const areStrings = (value: unknown, count: number): value is string[] =>
  Array.isArray(value) && value.length === count && value.every((text) => typeof text === "string");

const areTexts =
  (count: number) =>
  (value: unknown): value is { translations: string[] } =>
    areStrings((value as { translations?: unknown } | null)?.translations, count);

/** Characters of texts that a model of this machine translates in one answer. */
const LOCAL_BATCH_CHARACTERS = 1_200;

function batchesOf(texts: readonly string[], mostCharacters: number): string[][] {
  const batches: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    characters += text.length;
    if (characters > mostCharacters) {
      batches.push([]);
      characters = text.length;
    }
    batches.at(-1)?.push(text);
  }
  return batches;
}

function byServer(server: NonNullable<Providers["translation"]>): TranslateTexts {
  const url = `${server.url.replace(/(?<!\/)\/+$/, "")}/translate`;
  const key = server.key ? { api_key: server.key } : {};
  return async (texts, source, target) => {
    const body = { q: texts, source, target, format: "text", ...key };
    const answer = await requestFromProvider("translation server", url, body, {
      timeoutMilliseconds: server.timeoutSeconds * 1000,
    });
    const translated = (answer as { translatedText?: unknown } | null)?.translatedText;
    if (areStrings(translated, texts.length)) return translated;
    throw new AddonFailed(
      `The translation server failed: it must return a list of ${texts.length} texts in "translatedText", one for each text of "q"`,
    );
  };
}

function byLanguageModel(
  languageModel: NonNullable<Providers["languageModel"]>,
  manner: TranslationManner,
): TranslateTexts {
  const budget = new Budget(languageModel);
  const wishes = [
    manner.informal ? "Prefer familiar forms of address." : "",
    manner.context_adaptation !== false && manner.context ? `Context: ${manner.context}` : "",
  ].join(" ");
  const translate: TranslateTexts = async (texts, source, target) => {
    const task = `Translate each text of the list from ${source} to ${target}. ${wishes} Keep their number and order.`;
    const schema = {
      type: "object",
      properties: {
        translations: { type: "array", items: { type: "string" }, minItems: texts.length, maxItems: texts.length },
      },
      required: ["translations"],
    };
    const content = `<transcript>\n${JSON.stringify(texts)}\n</transcript>`;
    const { translations } = await chatJson(task, content, languageModel, {
      budget,
      schema,
      isRight: areTexts(texts.length),
    });
    // A truncated answer has empty texts at its end.
    const isCut = translations.some((text, at) => text.trim() === "" && texts[at]?.trim() !== "");
    if (isCut && isLocal(languageModel)) throw new AddonFailed("The language model left out a part of the translation");
    return translations;
  };
  if (!isLocal(languageModel)) return translate;
  return async (texts, source, target) => {
    const translated: string[] = [];
    for (const batch of batchesOf(texts, LOCAL_BATCH_CHARACTERS)) {
      translated.push(...(await translate(batch, source, target)));
    }
    return translated;
  };
}

/** @returns undefined if neither is configured */
export function providedTranslation(
  { translation, languageModel }: Providers,
  manner: TranslationManner,
): TranslateTexts | undefined {
  if (translation) return byServer(translation);
  return languageModel ? byLanguageModel(languageModel, manner) : undefined;
}
