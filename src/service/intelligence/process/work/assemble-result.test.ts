import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printJsonLine } from "../../../../platform/storage/json-lines.ts";
import { assembleResult } from "./assemble-result.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "assemble-result-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file with one segment, of one word a second. */
async function recognized(name: string, language: string, text: string): Promise<string> {
  const words = text
    .split(" ")
    .map((word, at) => ({ text: word, startSeconds: at, endSeconds: at + 1.2, confidence: 1 }));
  const segment = { startSample: 0, endSample: 16_000 * words.length };
  const file = path.join(folder, name);
  await writeFile(file, printJsonLine({ channel: 0, segment, language, words }));
  return file;
}

test("the recogniser's translation keeps phrases of the caller, and ends with the recording", async () => {
  const file = path.join(folder, "result");
  const request = {
    kind: "assemble" as const,
    recognized: await recognized("recognized", "fr", "il habite au Club Quarante Deux"),
    translated: await recognized("translated", "en", "he lives in Club Forty Two"),
    result: file,
    params: {
      translation: true,
      translation_config: { target_languages: ["en"] },
      custom_vocabulary: true,
      custom_vocabulary_config: { vocabulary: ["Club Forty Two", "Club Quarante Deux"] },
    },
    audioSeconds: 6,
    channels: 1,
    startedAt: 0,
    providers: {},
    withAddons: true,
  };
  await assembleResult(request, new AbortController().signal);
  const { transcription, translation } = JSON.parse(await readFile(file, "utf8"));
  expect(transcription.full_transcript).toBe("il habite au Club Quarante Deux");
  const [translated] = translation.results;
  expect(translated.full_transcript).toBe("he lives in Club Forty Two");
  expect(translated.utterances[0].words.at(-1).end).toBe(6);
});
