// The state of a transcript page while answers of the service overtake each other.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { ID, PATH, Service } from "./fixtures/transcript-service.ts";

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const { transcriptStore } = await import("../src/transcript/store.ts");
await showLanguage("en");

let service: Service;
beforeEach(() => {
  service = new Service();
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => service.fetch(address, options as object));
});

async function opened() {
  const store = transcriptStore(ID, undefined);
  await store.load();
  return store;
}
const textOf = ({ reading }: ReturnType<typeof transcriptStore>) => reading.value?.utterances[0]?.text;
const change = (text: string) => ({ utterances: [{ index: 0, text }] });

test("a redo that is pressed before an undo has its answer is not lost", async () => {
  const store = await opened();
  await store.correct(change("one three"));
  const answer = service.hold("DELETE", `${PATH}/corrections/c0`);
  const undone = store.undoLast();
  await vi.waitFor(() => expect(service.corrections[0]?.undone_at).toBe("now"));
  // An event of the service shows the undo on this page first.
  await store.refresh();
  expect(textOf(store)).toBe("one two");
  const redone = store.redoLast();
  answer();
  await Promise.all([undone, redone]);
  expect(textOf(store)).toBe("one three");
  expect(service.corrections).toHaveLength(2);
});

test("of two requests for the corrections that overlap, the second has an effect", async () => {
  const store = await opened();
  service.handle("PATCH", `${PATH}/transcript`, change("one three"));
  const answers = [service.hold("GET", `${PATH}/corrections`), service.hold("GET", `${PATH}/corrections`)];
  const refreshed = [store.refresh()];
  await sleep(10);
  service.handle("PATCH", `${PATH}/transcript`, change("one four"));
  refreshed.push(store.refresh());
  for (const answer of answers) {
    await sleep(10);
    answer();
  }
  await Promise.all(refreshed);
  expect(textOf(store)).toBe("one four");
});

test("a list of notes that was requested before a note was stored does not remove it from the page", async () => {
  const store = await opened();
  const answer = service.hold("GET", `${PATH}/notes`);
  const refreshed = store.refresh();
  await sleep(10);
  await store.notes.add({ channel: 0, start: 0, end: 1 }, { colour: "yellow", text: "new" });
  answer();
  await refreshed;
  expect(store.notes.items.value).toHaveLength(1);
});
