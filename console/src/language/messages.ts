// Messages of the service in the language of the interface. The service writes them in English; src/contract/messages reads code and
// parameters from them. In English, nothing is loaded; in other languages, the first message loads their table.
import { signal } from "@preact/signals";
import type { MessageCode, MessageTexts, Parameter, ReadMessage } from "../../../src/contract/messages/read-message.ts";
import { formats, language } from "./language.ts";
import type { LanguageCode } from "./languages.ts";

/** A new language of the interface does not compile without its table. */
const TABLES: Record<Exclude<LanguageCode, "en">, () => Promise<{ messages: MessageTexts }>> = {
  de: () => import("./messages/de.ts"),
  fr: () => import("./messages/fr.ts"),
  es: () => import("./messages/es.ts"),
  pt: () => import("./messages/pt.ts"),
  ja: () => import("./messages/ja.ts"),
  ar: () => import("./messages/ar.ts"),
};

interface Loaded {
  code: LanguageCode;
  texts: MessageTexts;
  read(text: string): ReadMessage | undefined;
}

const loaded = signal<Loaded | undefined>(undefined);
let loading: { code: LanguageCode; done: Promise<void> } | undefined;

async function load(code: Exclude<LanguageCode, "en">): Promise<void> {
  try {
    const [{ messages }, { readMessage }] = await Promise.all([
      TABLES[code](),
      import("../../../src/contract/messages/read-message.ts"),
    ]);
    loaded.value = { code, texts: messages, read: readMessage };
  } catch {
    // The English text stays, and the next message tries again.
    loading = undefined;
  }
}

/** Resolves when messages can be shown in the language of the interface, or when their table could not be loaded. */
export async function whenMessagesAreLoaded(): Promise<void> {
  const code = language.value;
  if (code === "en" || loaded.peek()?.code === code) return;
  if (loading?.code !== code) loading = { code, done: load(code) };
  await loading.done;
}

/** Code and parameters of a message of the service, in any language of the interface; undefined for one of no known form. */
export async function messageOf(text: string): Promise<ReadMessage | undefined> {
  const { readMessage } = await import("../../../src/contract/messages/read-message.ts");
  return readMessage(text);
}

export const codeOf = async (text: string): Promise<MessageCode | undefined> => (await messageOf(text))?.code;

function written(parameter: Parameter, texts: MessageTexts): string {
  if (typeof parameter === "number") return formats.number(parameter);
  return typeof parameter === "string" ? formats.list([parameter]) : sentence(parameter, texts);
}

function sentence({ code, parameters }: ReadMessage, texts: MessageTexts): string {
  return texts[code].replace(/\{(\w+)\}/gu, (place, name: string) => {
    const parameter = parameters[name];
    return parameter === undefined ? place : written(parameter, texts);
  });
}

/** A message of the service in the language of the interface; a message of no known form stays as it is. */
export function said(text: string): string {
  const code = language.value;
  if (code === "en") return text;
  const { value: table } = loaded;
  if (table?.code !== code) {
    void whenMessagesAreLoaded();
    return text;
  }
  const message = table.read(text);
  return message ? sentence(message, table.texts) : text;
}
