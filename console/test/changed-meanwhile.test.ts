// Changes of words that a person has chosen, while other people change the transcript.
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { ID, jobOf, PATH, Service, shownReading, word } from "./fixtures/transcript-service.ts";

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const { transcriptStore } = await import("../src/transcript/store.ts");
const { changeOf } = await import("../src/transcript/recognised-words.ts");
const { selectedAfter } = await import("../src/transcript/selection.ts");
const { placeNow, SpeakerDialog } = await import("../src/transcript/speaker-dialog.tsx");
const { positionAfter, wordAfter } = await import("../src/transcript/speakers.ts");
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
  const reading = () => shownReading(store);
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

/** Words without pauses between them: a word that is inserted between two of them has no length. */
const adjoining = (...texts: string[]) => ({
  ...utterance(texts.join(""), 0),
  words: texts.map((text, at) => ({ ...word(text, at), end: at + 1 })),
});

test("the dialog of a speaker offers all words of an utterance, also after a word without a length was inserted", async () => {
  service.job = jobOf(adjoining("we", " go", " home"));
  const { store, reading } = await opened();
  await store.correct({ utterances: [{ index: 0, text: "we go back home" }] });
  expect(
    reading()
      .utterances[0]?.words.map(({ start, end }) => [start, end])
      .slice(2),
  ).toEqual([
    [2, 2],
    [2, 3],
  ]);
  const choice = { speaker: 0, place: { reading: reading(), at: 0 } };
  const page = renderToString(h(SpeakerDialog, { choice, store, onClose: () => undefined }));
  expect([...page.matchAll(/<option selected[^>]*>([^<]*) \(/gu)].map(([, text]) => text)).toEqual(["we", "home"]);
});

test("a chosen word is the same one after other people changed the words before it", () => {
  const [we, go, back, again, home] = [0, 1, 2, 2, 2].map((start, at) => ({ start, end: [1, 2, 2, 2, 3][at] ?? 3 }));
  const former = [we, go, back, again, home] as { start: number; end: number }[];
  const copy = (...words: (typeof we)[]) => words.map((one) => ({ ...one })) as typeof former;
  for (const at of former.keys()) expect(wordAfter(former, at, former)).toBe(at);
  for (const at of former.keys()) expect(wordAfter(former, at, copy(...former))).toBe(at);
  expect(wordAfter(former, 4, copy(go, back, home))).toBe(2);
  expect(wordAfter(former, 3, copy(go, back, home))).toBe(1);
  expect(wordAfter(former, 1, copy(we, home))).toBe(1);
  expect(wordAfter(former, 4, [])).toBe(0);
});

test("a paragraph that begins with a word without a length is not taken for the next one", async () => {
  service.job = jobOf(adjoining("we", " go", " home"));
  const { store, reading } = await opened();
  await store.correct({ utterances: [{ index: 0, text: "we go back home" }] });
  await store.correct({ breaks: [{ index: 0, start: 2 }] });
  await store.correct({ breaks: [{ index: 0, start: 2.5 }] });
  const former = reading();
  expect(former.utterances.map(({ text }) => text.trim())).toEqual(["we go", "back", "home"]);
  await store.correct({ utterances: [{ index: 0, start: 0.5, end: 1.5, speaker: 1 }] });
  expect([0, 1, 2].map((at) => positionAfter(former, at, reading()))).toEqual([0, 1, 2]);
});
