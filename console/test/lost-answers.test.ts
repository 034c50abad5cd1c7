// What the page says about typed text while requests get no answer.
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test, vi } from "vitest";
import { openedEditing, service, useService } from "./fixtures/edited-transcript.ts";
import { PATH, shownReading } from "./fixtures/transcript-service.ts";

const { storedSelection } = await import("../src/transcript/selection-bar.tsx");
const { Notices } = await import("../src/parts/notices.tsx");

useService();

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const storedTexts = () => service.corrections.map(({ utterances }) => utterances?.[0]?.text);

test("a correction that is stored without an answer is saved at the next attempt, and can be undone", async () => {
  const { store, editing } = await openedEditing();
  service.lostAnswers = 1;
  editing.write(0, "one three");
  await pass(2);
  expect(editing.state.value?.kind).toBe("failed");
  await pass(10);
  expect(editing.state.value?.kind).toBe("saved");
  expect(storedTexts()).toEqual(["one three"]);
  expect(store.canUndo.value).toBe(true);
  await store.undoLast();
  expect(store.reading.value?.utterances[0]?.text).toBe("one two");
});

test("a correction that is stored without an answer is saved when an event shows it", async () => {
  const { store, editing } = await openedEditing();
  service.lostAnswers = 1;
  editing.write(0, "one three");
  await pass(2);
  await store.refresh();
  expect(editing.state.value?.kind).toBe("saved");
  expect(store.canUndo.value).toBe(true);
});

test("text that is typed after a stored correction without an answer is not taken for a change of another person", async () => {
  const { editing } = await openedEditing();
  service.lostAnswers = 1;
  editing.write(0, "one three");
  await pass(1.5);
  editing.write(0, "one three four");
  const states: unknown[] = [];
  const stop = editing.state.subscribe((state) => states.push(state));
  await pass(10);
  stop();
  expect(storedTexts()).toEqual(["one three", "one three four"]);
  expect(editing.state.value?.kind).toBe("saved");
  expect(states.filter((state) => (state as { kind?: string })?.kind === "failed")).toHaveLength(1);
});

test("a choice of typed words during an outage names the outage, not another person", async () => {
  const { store, editing } = await openedEditing();
  const reading = shownReading(store);
  service.isDown = true;
  editing.write(0, "one three");
  const selection = { reading, stretches: [{ at: 0, from: 4, until: 9 }], texts: ["one three"] };
  expect(await storedSelection(store, editing, selection)).toBeUndefined();
  const shown = renderToString(h(Notices, {}));
  expect(shown).toContain("does not answer");
  expect(shown).not.toContain("Someone else");
  service.isDown = false;
  expect(await storedSelection(store, editing, selection)).toMatchObject({ count: 1 });
});

test("a text that is typed back during an outage leaves no message", async () => {
  const { editing } = await openedEditing();
  service.isDown = true;
  editing.write(0, "one three");
  await pass(2);
  editing.write(0, "one two");
  await pass(6);
  expect(editing.isDirty).toBe(false);
  expect(editing.state.value).toBeUndefined();
});

test("a change without typed text that fails leaves no message that something is not saved", async () => {
  const { editing } = await openedEditing();
  service.isDown = true;
  const change = { breaks: [{ index: 0, start: 1.2 }] };
  await expect(editing.changeWith([], () => change)).rejects.toThrow("does not answer");
  expect(editing.state.value).toBeUndefined();
});

test("a change with typed text that fails keeps the text, which is saved later", async () => {
  const { editing } = await openedEditing();
  editing.write(0, "one three");
  service.isDown = true;
  await expect(editing.changeWith([0], () => ({ breaks: [{ index: 0, start: 1.2 }] }))).rejects.toThrow();
  expect(editing.state.value?.kind).toBe("failed");
  service.isDown = false;
  await pass(5);
  expect(editing.state.value?.kind).toBe("saved");
  expect(storedTexts()).toEqual(["one three"]);
});

test("text of another person that arrives during a failed change is not overwritten", async () => {
  const { editing } = await openedEditing();
  editing.write(0, "one three");
  service.handle("PATCH", `${PATH}/transcript`, { utterances: [{ index: 0, text: "five six" }] });
  await expect(editing.changeWith([0], () => ({ breaks: [{ index: 0, start: 1.2 }] }))).rejects.toThrow();
  await pass(10);
  expect(storedTexts()).toEqual(["five six"]);
  expect(editing.document.value?.edits.get(0)?.theirs?.trim()).toBe("five six");
  expect(editing.state.value).toMatchObject({ kind: "failed", message: expect.stringContaining("Choose one") });
});

test("a text is noted once for all its requests without an answer, and forgotten when it is stored", async () => {
  const { editing } = await openedEditing();
  service.isDown = true;
  editing.write(0, "one three");
  await pass(20);
  const edit = editing.document.value?.edits.get(0);
  expect(edit?.unanswered).toEqual(["one three"]);
  service.isDown = false;
  await pass(5);
  expect(edit?.unanswered).toBeUndefined();
});
