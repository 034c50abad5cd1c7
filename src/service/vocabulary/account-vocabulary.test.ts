import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { MOST_ACCOUNT_FORMS } from "../../contract/vocabulary.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { removeWord, setUsesVocabulary, vocabularyRows } from "../../platform/storage/db/vocabulary-words.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { prepareAccounts } from "../accounts/first-account.ts";
import { requestedAddons } from "../intelligence/registry.ts";
import { addedWords, addWord } from "./account-vocabulary.ts";

let folder: string;
let database: Database;
let accountId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-vocabulary-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const add = (word: Parameters<typeof addWord>[2]) =>
  addWord(database, { id: crypto.randomUUID(), accountId, madeBy: "a key", now: clientTime(new Date()) }, word);

test("a request uses the words of its account besides its own, unless the account or the request says otherwise", async () => {
  expect(await addedWords(database, accountId, {})).toEqual({ warnings: [] });
  const first = await add({ value: " Kubernetes ", pronunciations: ["Kubernets"] });
  const again = await add({ value: "Kubernetes", pronunciations: ["cuber netes", "Kubernets"], language: "en" });
  expect(again).toMatchObject({ id: first.id, pronunciations: ["Kubernets", "cuber netes"], language: "en" });
  await add({ value: "n8n" });
  const words = [
    { value: "Kubernetes", pronunciations: ["Kubernets", "cuber netes"], language: "en" },
    { value: "n8n" },
  ];
  expect(await addedWords(database, accountId, {})).toEqual({ account_words: words, warnings: [] });
  expect(await addedWords(database, accountId, { account_vocabulary: false })).toEqual({ warnings: [] });
  await setUsesVocabulary(database, accountId, false);
  expect(await addedWords(database, accountId, {})).toEqual({ warnings: [] });
  expect((await addedWords(database, accountId, { account_vocabulary: true })).account_words).toEqual(words);
  await setUsesVocabulary(database, accountId, true);

  const own = { custom_vocabulary: ["n8n"] };
  const { account_words } = await addedWords(database, accountId, own);
  expect(account_words).toEqual(words.slice(0, 1));
  const params = parseJobParameters({ audio_url: "https://example.com/a.mp3", ...own, account_words });
  expect(vocabularyOf(params).map(({ value }) => value)).toEqual(["n8n", "Kubernetes"]);
  const addons = (stored: object) => requestedAddons(parseJobParameters(stored)).map(({ name }) => name);
  expect(addons({ account_words: words })).toContain("custom_vocabulary");
  expect(addons({ account_words: [] })).not.toContain("custom_vocabulary");
});

test("a request with a large vocabulary leaves words out, and names their number", async () => {
  const vocabulary = Array.from({ length: 4_999 }, (_, at) => `word ${at}`);
  const { account_words, warnings } = await addedWords(database, accountId, { custom_vocabulary: vocabulary });
  expect(account_words).toHaveLength(1);
  expect(warnings).toEqual([expect.stringMatching(/^account_vocabulary: words .* were left out \(1\)/)]);
});

test("the vocabulary is bounded in words and in pronunciations", async () => {
  const pronunciations = Array.from({ length: 100 }, (_, at) => `sound ${at}`);
  await expect(add({ value: "n8n", pronunciations: [...pronunciations, "one more"] })).rejects.toMatchObject({
    code: "request.invalid",
  });
  for (const value of [" ", "\u200b", "\u2060\u00ad"])
    await expect(add({ value })).rejects.toMatchObject({ code: "request.invalid" });
  const fill = async () => {
    for (let at = 0; at * 101 <= MOST_ACCOUNT_FORMS; at++) await add({ value: `filling ${at}`, pronunciations });
  };
  await expect(fill()).rejects.toMatchObject({ code: "limit.vocabulary" });
  const rows = await vocabularyRows(database, accountId);
  expect(rows.length).toBeLessThan(32);
  const other = crypto.randomUUID();
  expect(await removeWord(database, other, rows[0]?.id ?? "")).toBe(false);
  for (const { id } of rows) expect(await removeWord(database, accountId, id)).toBe(true);
  expect(await vocabularyRows(database, accountId)).toEqual([]);
});
