import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MOST_LISTS } from "../../contract/bounds.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { MOST_ACCOUNT_FORMS, type NewVocabularyList } from "../../contract/vocabulary.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { findList, removeList } from "../../platform/storage/db/vocabulary-lists.ts";
import { removeWord, setUsesVocabulary, vocabularyRows } from "../../platform/storage/db/vocabulary-words.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import { prepareAccounts } from "../accounts/first-account.ts";
import { requestedAddons } from "../intelligence/registry.ts";
import { addedWords, addWord } from "./account-vocabulary.ts";
import { changeList, makeList } from "./vocabulary-lists.ts";

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

const authorOf = () => ({ id: crypto.randomUUID(), accountId, madeBy: "a key", now: clientTime(new Date()) });
const make = (name: string, words: NewVocabularyList["words"]) => makeList(database, authorOf(), { name, words });

test("a request uses the words of the lists that it names, by id or name, before those of the account", async () => {
  const medicine = await make(" Medicine ", ["aspirin", { value: "n8n", pronunciations: ["ate n"] }, " aspirin "]);
  expect(medicine).toMatchObject({ name: "Medicine", word_count: 2 });
  const product = await make("Product", [
    { value: "Kubernetes", language: "en" },
    { value: "Kubernetes", pronunciations: ["Kubernets"], intensity: 0.75 },
    "aspirin",
  ]);
  const kubernetes = { value: "Kubernetes", language: "en", pronunciations: ["Kubernets"], intensity: 0.75 };
  expect(product.words).toEqual([kubernetes, { value: "aspirin" }]);
  const word = await add({ value: "Kubernetes", pronunciations: ["cuber netes"] });
  const other = await add({ value: "Vercel" });

  const vocabulary_lists = [product.id, "Medicine", "Product"];
  const words = [kubernetes, { value: "aspirin" }, { value: "n8n", pronunciations: ["ate n"] }];
  expect((await addedWords(database, accountId, { vocabulary_lists })).account_words).toEqual([
    ...words,
    { value: "Vercel" },
  ]);
  const without = { vocabulary_lists, account_vocabulary: false, custom_vocabulary: ["n8n"] };
  expect((await addedWords(database, accountId, without)).account_words).toEqual(words.slice(0, 2));

  const renamed = await changeList(database, { ...authorOf(), id: medicine.id }, { name: "Pharmacy" });
  expect(renamed).toMatchObject({ id: medicine.id, name: "Pharmacy", words: medicine.words });
  for (const name of ["Medicine", crypto.randomUUID()])
    await expect(addedWords(database, accountId, { vocabulary_lists: ["Product", name] })).rejects.toMatchObject({
      code: "vocabulary_list.unknown",
      message: expect.stringContaining(name),
    });
  const foreign = crypto.randomUUID();
  await expect(addedWords(database, foreign, { vocabulary_lists: [product.id] })).rejects.toMatchObject({
    code: "vocabulary_list.unknown",
  });
  for (const { id } of [word, other]) await removeWord(database, accountId, id);
  for (const { id } of [medicine, product]) expect(await removeList(database, accountId, id)).toBe(true);
});

test("a change that names an earlier version of a list is refused and changes nothing", async () => {
  const list = await make("Versions", ["one"]);
  expect(list.version).toBe(0);
  const change = (words: string[], version?: number) =>
    changeList(database, { ...authorOf(), id: list.id }, { words, ...(version === undefined ? {} : { version }) });
  expect(await change(["one", "two"], 0)).toMatchObject({ version: 1, word_count: 2 });
  await expect(change(["one", "three"], 0)).rejects.toMatchObject({ code: "vocabulary_list.outdated", status: 409 });
  expect((await findList(database, accountId, list.id))?.words).toEqual([{ value: "one" }, { value: "two" }]);
  expect(await change(["one", "two", "three"], 1)).toMatchObject({ version: 2 });
  // As before there were versions.
  expect(await change(["four"])).toMatchObject({ version: 3, words: [{ value: "four" }] });
  expect(await removeList(database, accountId, list.id)).toBe(true);
});

test("lists are bounded in number and in what a request uses of them, and each has a name of its own", async () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `word ${at}`);
  await make("First", words);
  await expect(make("First ", [])).rejects.toMatchObject({ code: "vocabulary_list.name_taken" });
  const second = await make("Second", []);
  const rename = changeList(database, { ...authorOf(), id: second.id }, { name: "First" });
  await expect(rename).rejects.toMatchObject({ code: "vocabulary_list.name_taken" });
  await expect(make("Third", ["\u200b"])).rejects.toMatchObject({ code: "request.invalid" });
  await expect(make("\u200b", [])).rejects.toMatchObject({ code: "request.invalid" });
  const large = Array.from({ length: 4_001 }, (_, at) => `other ${at}`);
  const request = { custom_vocabulary: large, vocabulary_lists: ["First"] };
  await expect(addedWords(database, accountId, request)).rejects.toMatchObject({
    fields: [expect.stringMatching(/^vocabulary_lists must not have more than 5000 words/)],
  });
  const fitting = { ...request, custom_vocabulary: large.slice(1) };
  expect((await addedWords(database, accountId, fitting)).account_words).toHaveLength(1_000);
  for (let count = 2; count < MOST_LISTS; count++) await make(`List ${count}`, []);
  await expect(make("One more", [])).rejects.toMatchObject({ code: "limit.vocabulary_lists" });
});
