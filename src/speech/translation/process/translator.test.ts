// The translation process with real models: by way of another language, after a crash, with a damaged model. Skipped where
// ../shared/models is missing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeSplitDirection } from "../../../../test/fixtures/split-vocabularies.ts";
import { hasTranslationModels, TRANSLATION_MODELS } from "../../../../test/fixtures/translation-registry.ts";
import { childProcesses } from "../../../platform/process/running-children.ts";
import { alignedWords, markedUp } from "../markup.ts";
import { stopTranslation, translateTexts } from "./translator.ts";

const folder = (direction: string) => path.join(TRANSLATION_MODELS, direction);
const never = new AbortController().signal;
const SENTENCE = ["My", " name", " is", " John", " Smith,", " room", " 4527."];
type Directions = [string] | [string, string];
const translatedWords = async (words: readonly string[], target: string, ...directions: Directions) => {
  const folders = directions.map((one) => (path.isAbsolute(one) ? one : folder(one))) as Directions;
  const [html = ""] = await translateTexts("a", { folders, texts: [markedUp(words)], isBackground: false }, never);
  return alignedWords(html, target);
};
const translated = (...directions: Directions) => translatedWords(SENTENCE, "pt", ...directions);
const plain = (words: { text: string }[]) => words.map(({ text }) => text).join(" ");

afterAll(() => stopTranslation());

describe.skipIf(!hasTranslationModels)("with real models (skipped where ../shared/models is missing)", () => {
  test("names and numbers stay, and words are aligned", async () => {
    const words = await translated("en-pt");
    expect(plain(words)).toMatch(/^Meu nome é John Smith.* 4527\.$/);
    expect(words.find(({ text }) => text === "John")?.sources).toEqual([3]);
    expect(words.at(-1)?.sources).toEqual([6]);
  });

  test("by way of another language, alignment goes through both models", async () => {
    const words = await translated("en-pt", "pt-en");
    expect(plain(words)).toMatch(/^My name is John Smith.* 4527\.$/);
    expect(words.at(-1)?.sources).toEqual([6]);
  });

  test("words that have no space between them are translated as one word", async () => {
    const words = await translatedWords([" The", " key", "boards", " are", " nice."], "pt", "en-pt");
    expect(plain(words)).toBe("Os teclados são agradáveis.");
    expect(words[1]?.sources).toEqual([1, 2]);
  });

  describe("a model with separate vocabularies (invented Chinese)", () => {
    let place: string;
    let intoChinese: string;
    let spelled: (text: string) => string;
    beforeAll(() => {
      place = mkdtempSync(path.join(os.tmpdir(), "parlance-separate-"));
      intoChinese = path.join(place, "en-zh");
      ({ spelled } = writeSplitDirection("en-pt", intoChinese));
    });
    afterAll(() => rmSync(place, { recursive: true, force: true }));
    const WALK = " We decided to walk home with John Smith, and he was happy about it.".split(/(?= )/);

    test("translates into a language without spaces, with names and alignment", async () => {
      const words = await translatedWords(WALK, "zh", intoChinese);
      const text = words.map((word) => (word.isSpaced ? " " : "") + word.text).join("");
      expect(spelled(text)).toBe(plain(await translatedWords(WALK, "pt", "en-pt")));
      expect(words.find((word) => word.text === "John")?.sources).toContain(6);
      const sources = words.flatMap((word) => word.sources);
      expect(sources).toEqual([...sources].sort((left, right) => left - right));
      expect(new Set(sources).size).toBeGreaterThan(WALK.length - 3);
    });

    test("translates by way of English", async () => {
      const words = await translatedWords([" Minha", " casa", " é", " bonita."], "zh", "pt-en", intoChinese);
      expect(spelled(words.map(({ text }) => text).join(""))).toBe("Minha casa é linda.");
    });

    test("translates from a language without spaces", async () => {
      const chinese = path.join(place, "zh-en");
      const direction = writeSplitDirection("pt-en", chinese);
      const portuguese = "o tempo era bom e decidimos caminhar para casa".split(" ");
      const words = await translatedWords(portuguese.map(direction.chinese), "en", chinese);
      const spaced = portuguese.map((word) => ` ${word}`);
      expect(plain(words)).toBe(plain(await translatedWords(spaced, "en", "pt-en")));
      expect(words.find(({ text }) => text === "home")?.sources).toContain(8);
    });
  });

  test("a process that was lost is replaced", async () => {
    const [id] = [...childProcesses()].find(([, name]) => name === "translation") ?? [];
    process.kill(id as number, "SIGKILL");
    expect(plain(await translated("en-pt"))).toMatch(/^Meu nome/);
  });

  test("a damaged or removed model fails alone", async () => {
    const damaged = mkdtempSync(path.join(os.tmpdir(), "parlance-damaged-"));
    try {
      for (const name of readdirSync(folder("en-pt"))) {
        writeFileSync(path.join(damaged, name), readFileSync(path.join(folder("en-pt"), name)));
      }
      const model = readdirSync(damaged).find((name) => name.startsWith("model.enpt")) as string;
      truncateSync(path.join(damaged, model), 1_000_000);
      await expect(translated(damaged)).rejects.toMatchObject({ code: expect.stringMatching(/^process\./) });
      await expect(translated(`${damaged}-removed`)).rejects.toMatchObject({ code: "process.failed" });
      expect(plain(await translated("en-pt"))).toMatch(/^Meu nome/);
    } finally {
      rmSync(damaged, { recursive: true, force: true });
    }
  });
});
