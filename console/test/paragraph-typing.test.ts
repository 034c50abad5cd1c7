// Enter and pasted text in the document: what becomes of the paragraphs.
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { stubPage } from "./fixtures/page.ts";
import { ID, jobOf, Service, word } from "./fixtures/transcript-service.ts";

stubPage();
const { transcriptStore } = await import("../src/transcript/store.ts");
const { Editing } = await import("../src/transcript/editing.ts");
const { Structure } = await import("../src/transcript/document/structure.ts");
const { Typing } = await import("../src/transcript/document/typing.ts");
const { documentOf, pastedText, positionOf, textAt } = await import("../src/transcript/document/paragraphs.ts");
await showLanguage("en");

const utterance = (text: string, start: number) => {
  const words = text.split(/(?=\s)/u).map((one, at) => word(one, start + at));
  return { text, words, start, end: start + words.length, confidence: 0.9, channel: 0, speaker: 0, language: "en" };
};

let service: Service;
let editing: InstanceType<typeof Editing>;
beforeEach(() => {
  service = new Service();
  service.job = jobOf(utterance("one two three four", 0), utterance("five six seven", 10));
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => service.fetch(address, options as object));
});
afterEach(() => editing.end());

/** The document with its keys, without the browser. */
async function opened() {
  const store = transcriptStore(ID, undefined);
  await store.load();
  editing = new Editing(store);
  const texts = () => store.reading.value?.utterances.map(({ text }) => text.trim()) ?? [];
  const carets: object[] = [];
  const structure = new Structure(store, editing, (place) => carets.push(place));
  const view = { state: EditorState.create({ doc: documentOf(texts()) }), editable: true };
  const host = {
    ...{ view, isProofReading: false, leaveText: () => true, undoOrRedo: () => true },
    dispatch(transaction: Transaction) {
      const former = view.state.doc;
      view.state = view.state.apply(transaction);
      view.state.doc.forEach((paragraph, _, at) => {
        if (paragraph !== former.maybeChild(at)) editing.write(at, textAt(view.state.doc, at));
      });
    },
  };
  const typing = new Typing(host as never, structure, { editing, choices: { peek: () => 0 } } as never);
  const select = (from: [at: number, offset: number], to: [at: number, offset: number]) => {
    const [anchor, head] = [from, to].map(([at, offset]) => positionOf(view.state.doc, { at, offset })) as [
      number,
      number,
    ];
    view.state = view.state.apply(view.state.tr.setSelection(TextSelection.create(view.state.doc, anchor, head)));
  };
  const enter = () => typing.press({ key: "Enter" } as never);
  const paste = (text: string) =>
    typing.paste({ preventDefault: () => undefined, clipboardData: { getData: () => text } } as never);
  const shown = async (...expected: string[]) => {
    await editing.leave();
    await vi.waitFor(() => expect(texts()).toEqual(expected));
  };
  return { store, view, carets, select, enter, paste, shown };
}

test("Enter replaces selected text by a break", async () => {
  const { select, enter, shown } = await opened();
  select([0, 4], [0, 8]);
  enter();
  await shown("one", "three four", "five six seven");
});

test("Enter over two paragraphs removes the selected text, and the break between them stays", async () => {
  const { view, select, enter, shown } = await opened();
  select([0, 8], [1, 5]);
  enter();
  expect(view.state.selection.head).toBe(positionOf(view.state.doc, { at: 1, offset: 0 }));
  await shown("one two", "six seven");
});

test("blank lines of pasted text begin paragraphs, and the caret is behind the text", async () => {
  const { carets, select, paste, shown } = await opened();
  select([0, 4], [0, 4]);
  paste("alpha\nbeta\r\n\r\ngamma\n \n\ndelta ");
  expect(carets).toEqual([{ at: 2, offset: 6 }]);
  await shown("one alpha beta", "gamma", "delta two three four", "five six seven");
});

test("pasted text without a blank line stays in its paragraph", async () => {
  const { carets, select, paste, shown } = await opened();
  select([1, 14], [1, 14]);
  paste(" eight\nnine");
  expect(carets).toEqual([]);
  await shown("one two three four", "five six seven eight nine");
});

test("space at the edges of pasted text stays one space, and begins no paragraph", async () => {
  const { select, paste, shown } = await opened();
  select([0, 4], [0, 4]);
  paste("hello\n\n");
  select([1, 4], [1, 4]);
  paste("\n\n eight");
  await shown("one hello two three four", "five eight six seven");
  expect(pastedText("\n\n one \n\n")).toEqual({ text: " one ", offsets: [] });
  expect(pastedText("\n\n")).toEqual({ text: " ", offsets: [] });
  expect(pastedText("one\n\n")).toEqual({ text: "one ", offsets: [] });
});
