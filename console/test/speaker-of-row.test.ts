// The dialog of a speaker that is opened from a row of the transcript: one step gives the row to another speaker, or to a new one.
import { h, render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { SmallNode, stubDocument } from "./fixtures/small-document.ts";
import { ID, jobOf, Service, shownReading, word } from "./fixtures/transcript-service.ts";

stubDocument();
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
vi.stubGlobal("matchMedia", () => ({ matches: true }));
const { SpeakerDialog } = await import("../src/transcript/speaker-dialog.tsx");
const { givenTo, targetOf } = await import("../src/transcript/speakers.ts");
const { transcriptStore } = await import("../src/transcript/store.ts");
await showLanguage("en");

const utterance = (text: string, start: number, speaker: number) => {
  const words = text.split(/(?=\s)/u).map((one, at) => word(one, start + at));
  return { text, words, start, end: start + words.length, confidence: 0.9, channel: 0, speaker, language: "en" };
};

let service: Service;
beforeEach(() => {
  service = new Service();
  service.job = jobOf(utterance("one two", 0, 0), utterance("three four", 10, 1), utterance("five six", 20, 0));
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => service.fetch(address, options as object));
});

/** Opens the dialog of the row at this position. */
async function openDialog(at: number) {
  const store = transcriptStore(ID, undefined);
  await store.load();
  const reading = () => shownReading(store);
  const speaker = reading().utterances[at]?.speaker;
  const root = new SmallNode("root");
  let isClosed = false;
  const onClose = () => {
    isClosed = true;
  };
  render(h(SpeakerDialog, { choice: { speaker, place: { reading: reading(), at } }, store, onClose }), root as never);
  const form = root.find("form", "Who says this paragraph");
  const field = form?.find("input", "or a name");
  expect(field?.["autofocus"]).toBe(true);
  return { form, field, store, reading, isClosed: () => isClosed };
}
/** Opens the dialog of the row at this position, types a name, and uses the button. */
async function typeName(at: number, name: string) {
  const { form, field, store, reading, isClosed } = await openDialog(at);
  field?.write(name);
  form?.submit();
  await expect.poll(isClosed).toBe(true);
  return { ...reading(), store };
}
const speakersOf = ({ utterances }: { utterances: readonly { speaker?: number | undefined }[] }) =>
  utterances.map(({ speaker }) => speaker);

test("a typed name that no speaker has gives the row to a new speaker with that name, as one correction", async () => {
  const after = await typeName(2, " Ada ");
  expect([speakersOf(after), after.speaker_names]).toEqual([[0, 1, 2], { 2: "Ada" }]);
  expect(service.corrections).toHaveLength(1);
  await after.store.undoLast();
  const undone = after.store.reading.value;
  expect(undone && [speakersOf(undone), undone.speaker_names]).toEqual([[0, 1, 0], {}]);
});

test("a typed name of another speaker gives the row to that one, in any case", async () => {
  await typeName(2, "Ada");
  const after = await typeName(0, "ada");
  expect([speakersOf(after), after.speaker_names]).toEqual([[2, 1, 2], { 2: "Ada" }]);
  expect(speakersOf(await typeName(0, "speaker 1"))).toEqual([1, 1, 2]);
});

test("a row without a typed name goes to the speaker of the list", async () => {
  const after = await typeName(2, " ");
  expect([speakersOf(after), after.speaker_names]).toEqual([[0, 1, 1], {}]);
});

test("Enter in the field changes nothing while no name is typed, and gives the row to a typed name", async () => {
  const { field, reading, isClosed } = await openDialog(2);
  for (const name of ["", " "]) {
    field?.write(name);
    field?.pressEnter();
  }
  field?.write("Ada");
  field?.pressEnter();
  await expect.poll(isClosed).toBe(true);
  expect([speakersOf(reading()), reading().speaker_names]).toEqual([[0, 1, 2], { 2: "Ada" }]);
  expect(service.corrections).toHaveLength(1);
});

test("a typed name gives chosen words of several rows to one speaker of that name", async () => {
  const { reading } = await openDialog(2);
  const targets = [targetOf(reading(), 0, 1, 1), targetOf(reading(), 1)];
  const given = givenTo(reading(), targets, "Ada", 0);
  expect(given).toEqual({
    utterances: targets.map((target) => ({ ...target, speaker: 2 })),
    speakers: [{ speaker: 2, name: "Ada" }],
  });
  expect(givenTo(reading(), targets, "speaker 1", 0).utterances?.map(({ speaker }) => speaker)).toEqual([1, 1]);
});
