// Subtitles that are typed while the service does not answer, or while another person changes the same words.
import { expect, test, vi } from "vitest";
import { openedEditing, service, useService } from "./fixtures/edited-transcript.ts";
import { jobOf, PATH, word } from "./fixtures/transcript-service.ts";

const { Subtitles } = await import("../src/transcript/subtitles/subtitles.ts");

useService();

async function opened() {
  const { store, editing } = await openedEditing();
  const subtitles = new Subtitles(store, editing, 2);
  const type = (...lines: string[]) => subtitles.type(subtitles.cues[0]?.id ?? -1, lines, true);
  return { store, editing, subtitles, type, rows: () => subtitles.cues.map(({ rows }) => rows) };
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const other = (text: string) => service.handle("PATCH", `${PATH}/transcript`, { utterances: [{ index: 0, text }] });

test("a cue that is typed during an outage stays as typed, and is stored with its rows when the service answers", async () => {
  const { editing, type, rows } = await opened();
  service.isDown = true;
  type("one", "three");
  await pass(3);
  expect(rows()).toEqual([["one", "three"]]);
  expect(editing.state.value?.kind).toBe("failed");
  await pass(20);
  service.isDown = false;
  await pass(5);
  expect(service.corrections).toMatchObject([{ utterances: [{ text: "one three" }], cues: [{ rows: [1.25] }] }]);
  expect(rows()).toEqual([["one", "three"]]);
  expect(editing.state.value?.kind).toBe("saved");
});

test("a cue that is stored without an answer is stored once", async () => {
  const { store, editing, type } = await opened();
  service.lostAnswers = 1;
  type("one", "three");
  await pass(2);
  await store.refresh();
  await pass(10);
  expect(service.corrections).toHaveLength(1);
  expect(editing.state.value?.kind).toBe("saved");
  expect(store.canUndo.value).toBe(true);
});

test("a page that is left during an outage keeps the typed text in the browser", async () => {
  const { editing, type } = await opened();
  service.isDown = true;
  type("one", "three");
  await pass(3);
  await editing.leave();
  expect(editing.isDirty).toBe(true);
  expect(editing.typedAt(0)).toBe("one three");
});

test("the version of this person is stored with its rows after another person changed the same words", async () => {
  const { editing, subtitles, type, rows } = await opened();
  type("one", "three");
  other("five six");
  await pass(3);
  expect(service.corrections).toHaveLength(1);
  const [cue] = subtitles.cues;
  const conflict = cue && subtitles.conflictOf(cue);
  expect(conflict?.theirs.trim()).toBe("five six");
  await subtitles.keepMine(conflict?.at ?? -1);
  await pass(5);
  expect(service.corrections.at(-1)).toMatchObject({ utterances: [{ text: "one three" }], cues: [{ rows: [1.25] }] });
  expect(rows()).toEqual([["one", "three"]]);
  expect(editing.isDirty).toBe(false);
});

test("the version of the other person is shown after this person chose it", async () => {
  const { editing, subtitles, type, rows } = await opened();
  type("one", "three");
  other("five six");
  await pass(3);
  subtitles.useTheirs(0);
  await pass(5);
  expect(service.corrections).toHaveLength(1);
  expect(rows().flat().join(" ")).toBe("five six");
  expect(editing.isDirty).toBe(false);
});

test("a cue whose text the service cannot store does not hold up later corrections", async () => {
  const { store, editing, type } = await opened();
  service.faultOf = (change) => ("utterances" in change ? 500 : undefined);
  type("one", "three");
  await pass(2);
  expect(editing.state.value).toMatchObject({ kind: "failed", message: expect.stringContaining("fault") });
  await store.correct({ speakers: [{ speaker: 0, name: "Anna" }] });
  expect(service.corrections).toMatchObject([{ speakers: [{ name: "Anna" }] }]);
  expect(editing.typedAt(0)).toBe("one three");
  service.faultOf = () => undefined;
  await pass(6);
  expect(service.corrections.at(-1)).toMatchObject({ utterances: [{ text: "one three" }] });
  expect(editing.state.value?.kind).toBe("saved");
});

test("a change that waits behind one without an answer does not hide the outage", async () => {
  const { editing, type } = await opened();
  service.isDown = true;
  type("one", "three");
  await pass(3);
  const later = editing.changeWith([], () => ({ breaks: [{ index: 0, start: 1.2 }] }));
  expect(editing.state.value?.kind).toBe("failed");
  service.isDown = false;
  await pass(5);
  await later;
  expect(service.corrections).toHaveLength(2);
  expect(editing.state.value?.kind).toBe("saved");
});

test("typed text that waits behind a cue without an answer does not hide the outage", async () => {
  const two = { ...word("three", 10), end: 10.5 };
  const shape = { confidence: 0.9, channel: 0, speaker: 0, language: "en" };
  service.job = jobOf(
    { ...shape, text: "one two", start: 0, end: 1.5, words: [word("one", 0), word(" two", 1)] } as never,
    { ...shape, text: "three", start: 10, end: 10.5, words: [two] } as never,
  );
  const { editing, type } = await opened();
  service.isDown = true;
  type("one", "three");
  await pass(3);
  editing.write(1, "four");
  void editing.save();
  await pass(0.1);
  expect(editing.state.value?.kind).toBe("failed");
  service.isDown = false;
  await pass(6);
  expect(service.corrections.flatMap(({ utterances = [] }) => utterances.map(({ text }) => text))).toEqual([
    "one three",
    "four",
  ]);
  expect(editing.state.value?.kind).toBe("saved");
});

test("a refused change that waited during an outage leaves no message of the outage", async () => {
  const { editing, type } = await opened();
  service.isDown = true;
  type("one", "three");
  await pass(3);
  const later = editing.changeWith([], () => ({ breaks: [{ index: 0, start: 1.2 }] })).catch(() => "refused");
  service.faultOf = (change) => ("breaks" in change ? 422 : undefined);
  service.isDown = false;
  await pass(5);
  expect(await later).toBe("refused");
  expect(editing.state.value?.kind).toBe("saved");
});
