import { describe, expect, test } from "vitest";
import { MESSAGES, type MessageCode } from "../../src/contract/messages/read-message.ts";
import { messages as ar } from "../src/language/messages/ar.ts";
import { messages as de } from "../src/language/messages/de.ts";
import { messages as es } from "../src/language/messages/es.ts";
import { messages as fr } from "../src/language/messages/fr.ts";
import { messages as ja } from "../src/language/messages/ja.ts";
import { messages as pt } from "../src/language/messages/pt.ts";

const PLACE = /\{(\w+)[#&$]?\}/g;
const placesOf = (text: string) => new Set([...text.matchAll(PLACE)].map(([, name]) => name));

/** Places that every wording of a message has. */
function commonPlaces(code: MessageCode): Set<string | undefined> {
  const [first = new Set<string>(), ...others] = [MESSAGES[code]].flat().map(placesOf);
  return new Set([...first].filter((place) => others.every((other) => other.has(place))));
}

describe.each(Object.entries({ ar, de, es, fr, ja, pt }))("messages of the service in %s", (language, texts) => {
  test("have a text for each message, and no other", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(MESSAGES).sort());
  });

  test("quote what the English messages quote", () => {
    for (const code of Object.keys(MESSAGES) as MessageCode[])
      expect([...placesOf(texts[code])].sort(), code).toEqual([...commonPlaces(code)].sort());
  });

  test("follow the punctuation of the language", () => {
    for (const text of Object.values(texts)) {
      if (language === "fr") expect(text.replace(/https?:/g, "")).not.toMatch(/ [;?!:»]|« /);
      if (language === "ja") expect(text).not.toMatch(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][:;?!,]/u);
      if (language === "ar") expect(text).not.toMatch(/\p{Script=Arabic}[;?,]/u);
    }
  });
});
