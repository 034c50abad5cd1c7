// The language of the interface, its texts, and its formats of dates and numbers. The browser chooses the language unless a
// person does. Each language has its table in a separate file, and a page loads the table that it shows.
import { computed, effect, signal } from "@preact/signals";
import { readChoice, storeChoice, whenStoredElsewhere } from "../memory.ts";
import { isLanguage, LANGUAGES, type LanguageCode, languageOf } from "./languages.ts";
import type { Texts } from "./tables/en.ts";
import { type Tools, toolsOf } from "./tools.ts";

const TABLES: Record<LanguageCode, () => Promise<{ texts: Texts }>> = {
  en: () => import("./tables/en.ts"),
  de: () => import("./tables/de.ts"),
  fr: () => import("./tables/fr.ts"),
  es: () => import("./tables/es.ts"),
  pt: () => import("./tables/pt.ts"),
  ja: () => import("./tables/ja.ts"),
  ar: () => import("./tables/ar.ts"),
};

const CHOICE = "language";

interface Shown {
  code: LanguageCode;
  texts: Texts;
  tools: Tools;
}

const shown = signal<Shown | undefined>(undefined);

function current(): Shown {
  if (!shown.value) throw new Error("no language is loaded yet");
  return shown.value;
}

/** Code of the language that is shown. */
export const language = computed(() => current().code);

/**
 * The texts of the interface: `t.group.name`. A component, an effect or a computed value that reads one runs again when another
 * language is chosen. Read them inside functions: a constant of a module would keep those of the first language.
 */
export const t: Texts = new Proxy({} as Texts, {
  get: (_, group) => current().texts[group as keyof Texts],
});

/** Formats of dates, numbers and lists in the language of the interface. */
export const formats: Tools = new Proxy({} as Tools, {
  get: (_, name) => current().tools[name as keyof Tools],
});

/** Number of requests for a language so far. */
let requests = 0;

/** Shows the interface in a language. Of several calls, the last one counts. @throws where its table cannot be loaded */
export async function showLanguage(code: LanguageCode): Promise<void> {
  const request = ++requests;
  const { texts } = await TABLES[code]();
  if (request === requests) shown.value = { code, texts, tools: toolsOf(code) };
}

/** Shows the interface in a language from now on, also in other windows of this browser. @throws as showLanguage */
export async function chooseLanguage(code: LanguageCode): Promise<void> {
  await showLanguage(code);
  if (language.peek() === code) storeChoice(CHOICE, code);
}

function chosenLanguage(): LanguageCode {
  const stored = readChoice<unknown>(CHOICE, undefined);
  return isLanguage(stored) ? stored : languageOf(navigator.languages);
}

/** Before anything is shown. @throws where no table can be loaded */
export async function loadLanguage(): Promise<void> {
  await showLanguage(chosenLanguage()).catch(() => showLanguage("en"));
  effect(() => {
    const { documentElement: page } = document;
    page.lang = language.value;
    page.dir = LANGUAGES[language.value].direction;
  });
  whenStoredElsewhere(CHOICE, () => void showLanguage(chosenLanguage()).catch(() => undefined));
}
