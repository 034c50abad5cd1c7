// The state of a transcript page while answers of the service overtake each other.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { type Correction, versionOf } from "../../src/contract/transcript/correction.ts";
import { showLanguage } from "../src/language/language.ts";

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const { transcriptStore } = await import("../src/transcript/store.ts");
await showLanguage("en");

const ID = "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494";
const PATH = `/v2/transcription/${ID}`;
const word = (text: string, start: number) => ({ word: text, start, end: start + 0.5, confidence: 0.9 });
const UTTERANCE = {
  ...{ text: "one two", start: 0, end: 1.5, confidence: 0.9, channel: 0, speaker: 0, language: "en" },
  words: [word("one", 0), word(" two", 1)],
};
const JOB = {
  ...{ id: ID, status: "done", kind: "pre-recorded", completed_at: "2026-11-30T10:00:00Z", tags: [] },
  result: {
    metadata: { audio_duration: 2 },
    transcription: { full_transcript: "one two", languages: ["en"], utterances: [UTTERANCE] },
  },
};

/** Corrections and notes as a service keeps them. Each request is handled at once; `hold` delays its answer. */
class Service {
  corrections: Correction[] = [];
  notes: { id: string; start: number }[] = [];
  private held: { method: string; path: string; release: Promise<void> }[] = [];

  /** Delays the answer to the next such request. @returns sends it */
  hold(method: string, path: string): () => void {
    let release: () => void = () => undefined;
    this.held.push({ method, path, release: new Promise((resolve) => (release = resolve)) });
    return release;
  }

  async fetch(address: string, { method = "GET", body }: { method?: string; body?: string }): Promise<Response> {
    const { pathname: path } = new URL(address, "http://host");
    const answer = JSON.stringify(this.handle(method, path, body === undefined ? {} : JSON.parse(body)));
    const at = this.held.findIndex((one) => one.method === method && one.path === path);
    if (at >= 0) await this.held.splice(at, 1)[0]?.release;
    return new Response(answer);
  }

  handle(method: string, path: string, body: object): unknown {
    const version = () => versionOf(this.corrections);
    if (path === PATH) return JOB;
    if (path === `${PATH}/add-ons`) return { items: [] };
    if (path === `${PATH}/notes` && method === "POST") {
      const note = { ...body, id: `n${this.notes.length}`, start: 0, version: 1 };
      this.notes.push(note);
      return note;
    }
    if (path === `${PATH}/notes`) return { items: this.notes, next: null };
    if (path === `${PATH}/corrections`) return { items: this.corrections, version: version() };
    if (method === "DELETE") {
      const id = path.split("/").at(-1);
      this.corrections = this.corrections.map((one) => (one.id === id ? { ...one, undone_at: "now" } : one));
      return { version: version() };
    }
    const correction = { ...body, id: `c${this.corrections.length}`, undone_at: null } as unknown as Correction;
    this.corrections = [...this.corrections, correction];
    return { ...correction, version: version() };
  }
}

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
