// The translation process with real models: by way of another language, after a crash, with a damaged model. Skipped where
// ../shared/models is missing.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hasTranslationModels, TRANSLATION_MODELS } from "../../../test/fixtures/translation-registry.ts";
import { childProcesses } from "../../process/running-children.ts";
import { alignedWords, markedUp } from "../markup.ts";
import { stopTranslation, translateTexts } from "./translator.ts";

const folder = (direction: string) => path.join(TRANSLATION_MODELS, direction);
const never = new AbortController().signal;
const SENTENCE = ["My", " name", " is", " John", " Smith,", " room", " 4527."];
const translated = async (...directions: [string] | [string, string]) => {
  const folders = directions.map((one) => (path.isAbsolute(one) ? one : folder(one))) as unknown as readonly [string];
  const [html = ""] = await translateTexts("a", { folders, texts: [markedUp(SENTENCE)], isBackground: false }, never);
  return alignedWords(html, "pt");
};
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
