// The bar of selected words, without a browser: what is typed in it.
import { signal } from "@preact/signals";
import { h, render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { SmallNode, stubDocument } from "./fixtures/small-document.ts";
import { ID, jobOf, PATH, Service, word } from "./fixtures/transcript-service.ts";

stubDocument();
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
vi.stubGlobal("getSelection", () => null);
const follow = new Set<() => void>();
Object.assign(document, {
  addEventListener: (_: string, listener: () => void) => follow.add(listener),
  removeEventListener: (_: string, listener: () => void) => follow.delete(listener),
});
const { SelectionBar } = await import("../src/transcript/selection-bar.tsx");
const { transcriptStore } = await import("../src/transcript/store.ts");
await showLanguage("en");

let service: Service;
beforeEach(() => {
  service = new Service();
  const words = [word("one", 0), word(" two", 1), word(" three", 2)];
  const utterance = { text: "one two three", words, start: 0, end: 2.5, confidence: 0.9, channel: 0, speaker: 0 };
  service.job = jobOf(utterance);
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => service.fetch(address, options as object));
});

/** The bar of a transcript, and what selects characters of a paragraph. */
async function openBar() {
  const store = transcriptStore(ID, undefined);
  await store.load();
  let stretches: object[] = [];
  const handle = { current: { isProofReading: false, selected: () => stretches } };
  const editing = { typedAt: () => undefined, leave: async () => undefined, state: signal(undefined) };
  const root = new SmallNode("root");
  follow.clear();
  render(h(SelectionBar, { store, editing: editing as never, handle: handle as never }), root as never);
  const field = () => root.find("input", "or a name");
  const select = async (at: number, from: number, until: number) => {
    await expect.poll(() => follow.size).toBeGreaterThan(0);
    stretches = [{ at, from, until }];
    for (const listener of follow) listener();
    await expect.poll(field).toBeDefined();
  };
  return { root, field, select, store };
}

test("a name that is typed while the one before is stored stays", async () => {
  const { root, field, select, store } = await openBar();
  await select(0, 0, 3);
  field()?.write("Ada");
  const release = service.hold("PATCH", `${PATH}/transcript`);
  root.find("form")?.submit();
  await expect.poll(() => service.corrections.length).toBe(1);
  await expect.poll(field).toBeUndefined();
  // The page shows the new paragraph before the answer.
  await select(1, 0, 3);
  field()?.write("Ben");
  release();
  await expect.poll(() => store.reading.value?.utterances.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(field()?.["value"]).toBe("Ben");
});

test("Escape that ends the composition of a name leaves the bar open with the name", async () => {
  const { root, field, select } = await openBar();
  await select(0, 0, 3);
  field()?.write("\u3042");
  const press = (isComposing: boolean) => {
    const form = root.find("form");
    form?.listeners.get("keydown")?.call(form, { type: "keydown", key: "Escape", isComposing });
  };
  press(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(field()?.["value"]).toBe("\u3042");
  press(false);
  await expect.poll(field).toBeUndefined();
});
