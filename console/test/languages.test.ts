// The tables of languages: complete, with every parameter, and with a text for whatever the service names.
import { afterAll, describe, expect, test } from "vitest";
import { LiveBody } from "../../src/contract/live.ts";
import { SERVER_MESSAGES } from "../../src/contract/live-messages.ts";
import { PreRecordedBody } from "../../src/contract/pre-recorded.ts";
import { SpellingConfig } from "../../src/contract/processing.ts";
import { EMOTION_WORDS } from "../../src/service/intelligence/emotion-words.ts";
import { ENTITY_TYPES } from "../../src/service/intelligence/entity-types.ts";
import { formats, language, showLanguage, t } from "../src/language/language.ts";
import { LANGUAGE_CODES, type LanguageCode, languageOf, localeOf } from "../src/language/languages.ts";
import { texts as english, type Texts } from "../src/language/tables/en.ts";
import { PLURAL_FORMS, toolsOf } from "../src/language/tools.ts";
import { dictionaryOf, itemsOfLines, linesOf, shownLine, wordsOfLines } from "../src/parts/lines.ts";
import { LIVE_OPTIONS } from "../src/parts/option-names.ts";
import { isDictionary, type Schema } from "../src/parts/schema.ts";

type Message = string | ((...values: number[]) => string);

/** The texts of a table by their names, such as "frame.skip". */
function entriesOf(group: object, before = ""): [name: string, message: Message][] {
  return Object.entries(group).flatMap(([key, value]) =>
    typeof value === "object" ? entriesOf(value, `${before}${key}.`) : [[before + key, value] as [string, Message]],
  );
}

const ENGLISH = entriesOf(english);
const tableOf = async (code: LanguageCode) =>
  new Map(entriesOf(((await import(`../src/language/tables/${code}.ts`)) as { texts: Texts }).texts));

const VALUES = [3, 4, 3];
const shown = (message: Message, values: readonly number[] = VALUES) =>
  typeof message === "string" ? message : message(...values);
const marksOf = (text: string) => [...text.matchAll(/<\/?\d\/?>/g)].map(([mark]) => mark).sort();

/** Positions of the parameters that a message shows. */
function shownParameters(message: Message): number[] {
  return VALUES.flatMap((value, at) => (shown(message) === shown(message, VALUES.with(at, value + 2)) ? [] : [at]));
}

/** Marks that a language writes in another way. A text in quotation marks is the syntax of a search. */
const FOREIGN_MARKS: Partial<Record<LanguageCode, RegExp>> = {
  fr: / [:;?!»]|« |[\p{L}\d}][;?!](?:\s|$)|'/u,
  es: /^[^¿]*\?|^[^¡]*!/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][ ?!,:;()]*[?!,:;]|\((?!\d)/u,
  ar: /\p{Script=Arabic}[,;?]/u,
};

afterAll(() => showLanguage("en"));

describe.each(LANGUAGE_CODES)("the table of %s", (code) => {
  test("has the texts of the English one, each with its parameters and its places for links", async () => {
    const table = await tableOf(code);
    expect([...table.keys()]).toEqual(ENGLISH.map(([name]) => name));
    for (const [name, message] of ENGLISH) {
      const own = table.get(name) as Message;
      expect(shown(own).trim() === "", name).toBe(shown(message) === "");
      expect(shownParameters(own), name).toEqual(shownParameters(message));
      expect(marksOf(shown(own)), name).toEqual(marksOf(shown(message)));
    }
  });

  test("has a form for every number", async () => {
    for (const [name, message] of await tableOf(code)) {
      if (typeof message === "string") continue;
      for (const count of [0, 1, 2, 3, 11, 100, 1_000_000]) {
        expect(message(count, count, count), `${name} ${count}`).not.toMatch(/^\s*$|#|undefined|NaN/);
      }
    }
  });

  test("is translated", async () => {
    if (code === "en") return;
    const table = await tableOf(code);
    const sentences = ENGLISH.filter(([, message]) => shown(message).split(" ").length > 3);
    expect(sentences.filter(([name, message]) => shown(table.get(name) as Message) === shown(message))).toEqual([]);
  });

  test("has its own punctuation", async () => {
    const texts = [...(await tableOf(code))].map(([name, message]) => [name, shown(message)] as const);
    expect(texts.filter(([, text]) => FOREIGN_MARKS[code]?.test(text))).toEqual([]);
  });

  test("has the forms of plurals that Intl selects", () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    expect([...PLURAL_FORMS[code]].sort()).toEqual([...pluralCategories].sort());
  });

  test("shows a name with # as it is", async () => {
    await showLanguage(code);
    for (const count of [1, 2, 5, 20]) expect(t.recordings.andMore("Desk #7", count)).toContain("Desk #7");
  });

  test("names languages, dates and sizes in its own way, with the digits of typed numbers", async () => {
    await showLanguage(code);
    expect(language.value).toBe(code);
    expect(formats.languageName("zz-invalid-tag!")).toBe("zz-invalid-tag!");
    const all = [formats.languageName(code), formats.duration(90), formats.bytes(2e9), formats.moment(new Date(0))];
    for (const text of all) expect(text).not.toBe("");
    expect(all.join(" ")).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/u);
  });
});

test("a table that lacks a text, has one too many or takes another parameter does not compile", () => {
  // @ts-expect-error a text is missing
  const lacks: Texts["signIn"] = { title: "", hint: "", key: "" };
  // @ts-expect-error nothing shows this text
  const exceeds: Texts["signIn"] = { title: "", hint: "", key: "", remember: "", other: "" };
  // @ts-expect-error the parameter is a number
  const differs: Texts["form"]["atLeast"] = (least: Date) => `${least}`;
  expect([lacks, exceeds, differs]).toHaveLength(3);
});

test("a dictionary is read with the marks of each language", async () => {
  for (const code of LANGUAGE_CODES) {
    await showLanguage(code);
    const [[name, forms = []] = []] = Object.entries(dictionaryOf(t.form.spellings) ?? {});
    expect([name, forms.length], code).toEqual([expect.not.stringMatching(/[:：]/u), 2]);
  }
  expect(dictionaryOf("Anna: Hanna, Ana\n\nBen:")).toEqual({ Anna: ["Hanna", "Ana"], Ben: [] });
  expect(dictionaryOf("\n")).toBeUndefined();
});

test("the spellings of recordings and live sessions are typed as lines, free-form data is not", () => {
  expect(isDictionary(SpellingConfig.properties.spelling_dictionary as Schema)).toBe(true);
  expect(isDictionary(PreRecordedBody.properties.custom_metadata as Schema)).toBe(false);
  expect(isDictionary(PreRecordedBody.properties.diarization_config as unknown as Schema)).toBe(false);
});

test("an item that is more than its line stays what it is until the line changes", () => {
  const items = ["Ada", { value: "Duguid", pronunciations: ["doo good"] }, ["a prompt", "and another"]];
  const text = items.map(shownLine).join("\n");
  expect(text).toBe('Ada\nDuguid\n["a prompt","and another"]');
  expect(itemsOfLines(`${text}\n`, items)).toEqual(items);
  expect(itemsOfLines("Duguid\n\n Anna ", items)).toEqual([items[1], "Anna"]);
});

test("words of a list become lines and are read from them, with what lines do not show", () => {
  const words = [
    { value: "Re: Zero", language: "ja" },
    { value: "n8n", pronunciations: ["ate n", "eight n"], intensity: 0.75 },
    { value: "http://n8n.io" },
  ];
  const text = linesOf(words);
  expect(text).toBe("Re: Zero\nn8n: ate n, eight n\nhttp://n8n.io");
  expect(wordsOfLines(text, words)).toEqual(words);
  expect(wordsOfLines(" n8n: ate n \n\nNeu：ノイ、ニュー", words)).toEqual([
    { value: "n8n", pronunciations: ["ate n"], intensity: 0.75 },
    { value: "Neu", pronunciations: ["ノイ", "ニュー"] },
  ]);
});

test("a plural needs every form of its language", () => {
  expect(toolsOf("en").plural(1, { one: "# word", other: "# words" })).toBe("1 word");
  expect(toolsOf("en").plural(1_200, { one: "# word", other: "# words" })).toBe("1,200 words");
  // @ts-expect-error Arabic has six forms
  expect(toolsOf("ar").plural(3, { one: "", other: "#" })).toBe("3");
});

/** Names and values of the fields that the forms of options show. */
function* fieldsOf(name: string, schema: Schema): Generator<{ name: string; values: string[] }> {
  if (schema.deprecated) return;
  const branch =
    schema.anyOf?.find(({ type }) => type === "boolean") ?? schema.anyOf?.find(({ type }) => type === "array");
  if (schema.anyOf && !branch) return;
  const { properties, items, enum: values = items?.enum ?? [] } = branch ?? schema;
  yield { name, values: values.includes("en") ? [] : values };
  for (const [inner, property] of Object.entries(properties ?? {})) yield* fieldsOf(inner, property);
}

test("every option, value, message, emotion and kind of entity that the service names has a text", async () => {
  await showLanguage("en");
  const bodies = [PreRecordedBody, LiveBody] as unknown as { properties: Record<string, Schema> }[];
  const recorded = Object.keys(PreRecordedBody.properties).filter(
    (name) => !["audio_url", "audio_range"].includes(name),
  );
  const fields = bodies
    .flatMap(({ properties }, at) =>
      Object.entries(properties).filter(([name]) => [recorded, LIVE_OPTIONS][at]?.includes(name)),
    )
    .flatMap(([name, schema]) => [...fieldsOf(name, schema)]);
  expect(fields.length).toBeGreaterThan(80);
  const has = (group: object) => (name: string) => Object.hasOwn(group, name);
  expect(fields.map(({ name }) => name).filter((name) => !has(t.options)(name))).toEqual([]);
  expect(fields.flatMap(({ values }) => values).filter((value) => !has(t.choices)(value))).toEqual([]);
  expect(Object.keys(SERVER_MESSAGES).filter((name) => !has(t.live.messages)(name))).toEqual([]);
  expect(Object.keys(EMOTION_WORDS).filter((name) => !has(t.panels.emotions)(name))).toEqual([]);
  expect(ENTITY_TYPES.filter((name) => !has(t.panels.entityTypes)(name))).toEqual([]);
});

test("the browser's languages choose that of the interface, and the region of its dates", () => {
  expect(languageOf(["de-CH", "en"])).toBe("de");
  expect(languageOf(["nl", "ar-EG", "en-US"])).toBe("ar");
  expect(languageOf(["nl"])).toBe("en");
  expect(languageOf([])).toBe("en");
  expect(localeOf("en", ["de", "en-GB"])).toBe("en-GB-u-nu-latn");
  expect(localeOf("de", ["en-GB"])).toBe("de-u-nu-latn");
  expect(localeOf("en", ["en_broken!"])).toBe("en-u-nu-latn");
});

test("of two choices at once, the last one counts", async () => {
  await Promise.all([showLanguage("ar"), showLanguage("de")]);
  expect([language.value, t.signIn.title]).toEqual(["de", "Anmelden"]);
});
