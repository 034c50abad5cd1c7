// Changes of words that a person has chosen, while other people change the transcript.
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { ID, jobOf, PATH, Service, word } from "./fixtures/transcript-service.ts";

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const { transcriptStore } = await import("../src/transcript/store.ts");
const { changeOf } = await import("../src/transcript/recognised-words.ts");
const { selectedAfter } = await import("../src/transcript/selection.ts");
const { placeNow } = await import("../src/transcript/speaker-dialog.tsx");
await showLanguage("en");

const utterance = (text: string, start: number) => {
  const words = text.split(/(?=\s)/u).map((one, at) => word(one, start + at));
  return { text, words, start, end: start + words.length, confidence: 0.9, channel: 0, speaker: 0, language: "en" };
};

let service: Service;
beforeEach(() => {
  service = new Service();
  service.job = jobOf(utterance("one two", 0), utterance("three four", 10), utterance("five six", 20));
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => service.fetch(address, options as object));
});

async function opened() {
  const store = transcriptStore(ID, undefined);
  await store.load();
  const reading = () => {
    const { value } = store.reading;
    if (!value) throw new Error("no transcript");
    return value;
  };
  return { store, reading, texts: () => reading().utterances.map(({ text }) => text.trim()) };
}
const other = (change: object) => service.handle("PATCH", `${PATH}/transcript`, change);
const NEW_PARAGRAPH = { breaks: [{ index: 0, start: 1.1 }] };
const again = { at: 1, first: 0, last: 1, start: 10, old: [], changes: [{ from: 1, until: 2, words: ["for"] }] };

test("words that are recognised again replace those that were selected, after a paragraph was divided before them", async () => {
  const { store, reading, texts } = await opened();
  const selectedIn = reading();
  other(NEW_PARAGRAPH);
  await store.refresh();
  expect(texts()).toEqual(["one", "two", "three four", "five six"]);
  await store.correct(changeOf(selectedIn, [again]), selectedIn);
  expect(texts()).toEqual(["one", "two", "three for", "five six"]);
});

test("words that another person changed meanwhile are not replaced", async () => {
  const { store, reading, texts } = await opened();
  const selectedIn = reading();
  other({ utterances: [{ index: 1, text: "three hundred" }] });
  await store.refresh();
  await expect(store.correct(changeOf(selectedIn, [again]), selectedIn)).rejects.toThrow("Someone else corrected");
  expect(texts()).toEqual(["one two", "three hundred", "five six"]);
});

test("a selection keeps its words after a paragraph was divided before it, and ends when its text was changed", async () => {
  const { store, reading } = await opened();
  const selection = { reading: reading(), stretches: [{ at: 1, from: 6, until: 10 }], texts: ["three four"] };
  other(NEW_PARAGRAPH);
  await store.refresh();
  expect(selectedAfter(selection, reading())).toMatchObject({ count: 1, ranges: [{ at: 2, first: 1, last: 1 }] });
  other({ utterances: [{ index: 1, text: "three hundred" }] });
  await store.refresh();
  expect(selectedAfter(selection, reading())).toBeUndefined();
});

test("the dialog of a speaker follows its utterance", async () => {
  const { store, reading } = await opened();
  const place = { current: { reading: reading(), at: 1 } };
  other(NEW_PARAGRAPH);
  await store.refresh();
  expect(placeNow(place, reading())).toBe(2);
  other({ joins: [{ index: 1, into: 0 }] });
  await store.refresh();
  expect(placeNow(place, reading())).toBe(-1);
});
