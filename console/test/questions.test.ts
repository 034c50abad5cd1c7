// Questions about a transcript: neither a question nor its answer is lost when the page is left.
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { stubStorage } from "./fixtures/page.ts";

const stored = stubStorage();
vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
const storageListeners = new Set<(event: object) => void>();
vi.stubGlobal("addEventListener", (type: string, listener: (event: object) => void) => {
  if (type === "storage") storageListeners.add(listener);
});
vi.stubGlobal("removeEventListener", (_: string, listener: (event: object) => void) =>
  storageListeners.delete(listener),
);
vi.stubGlobal("navigator", {});
const { questionStore } = await import("../src/transcript/question-store.ts");
const { Questions } = await import("../src/transcript/questions.tsx");
const { dropTypedTexts } = await import("../src/typed-text.ts");
await showLanguage("en");

const DONE = { type: "done", answer: "In March [0].", citations: [{ index: 0, start: 1, end: 2, text: "march" }] };
const answered = () => new Response(`data: ${JSON.stringify({ ...DONE, unverified: [] })}\n\n`);
const opened = (job = "job") => questionStore(job, `/v2/transcription/${job}`);
/** Until it is stopped, there is no answer. */
const noAnswer = (signal: AbortSignal | undefined) =>
  new Promise<Response>((_, reject) =>
    signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
  );

let answer: (signal: AbortSignal | undefined) => Promise<Response>;
beforeEach(() => {
  stored.clear();
  answer = async () => answered();
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => answer(signal ?? undefined));
});

test("an answer is there after a reload, until it is removed", async () => {
  const page = opened();
  page.typed.value = "When?";
  await page.ask();
  const reloaded = opened();
  expect(reloaded.all.value).toMatchObject([{ question: "When?", answer: "In March [0].", hint: "", isOpen: false }]);
  expect(reloaded.all.value[0]?.citations[0]?.text).toBe("march");
  const [asked] = reloaded.all.value;
  if (asked) reloaded.drop(asked);
  expect(opened().all.value).toEqual([]);
});

test("a question whose page is left while the model reads can be sent again", async () => {
  answer = noAnswer;
  const page = opened();
  page.typed.value = "When?";
  const asked = page.ask();
  page.end();
  await asked;
  const returned = opened();
  const [left] = returned.all.value;
  expect(left).toMatchObject({ question: "When?", hint: "The page was left before the answer was complete." });
  answer = async () => answered();
  if (left) await returned.again(left);
  expect(returned.all.value).toMatchObject([{ question: "When?", answer: "In March [0]." }]);
  expect(opened().all.value).toHaveLength(1);
});

test("a question that fails is kept with its reason, and the last twenty are kept", async () => {
  answer = async () => Promise.reject(new TypeError("network"));
  const page = opened();
  page.typed.value = "Who?";
  await page.ask();
  expect(opened().all.value).toMatchObject([{ question: "Who?", hint: expect.stringContaining("does not answer") }]);
  answer = async () => answered();
  for (let round = 0; round < 21; round++) {
    page.typed.value = `When ${round}?`;
    await page.ask();
  }
  expect(opened().all.value.map(({ question }) => question)).toEqual(
    Array.from({ length: 20 }, (_, at) => `When ${20 - at}?`),
  );
  dropTypedTexts("job");
  expect(opened().all.value).toEqual([]);
});

/** What another page of this browser stores, with the page that receives the answer. */
function storedElsewhere(question: object) {
  const name = "parlance.typed/job//questions";
  const kept = { id: "1", question: "When?", answer: "", citations: {}, unverified: [], hint: "" };
  stored.set(name, JSON.stringify([{ ...kept, isOpen: true, page: "other", ...question }]));
  for (const listener of storageListeners) listener({ key: name });
}

test("a question that another page sent is open until its answer is there, or that page is closed", async () => {
  stored.set("parlance.page.other", JSON.stringify(Date.now()));
  storedElsewhere({});
  const page = opened();
  const before = storageListeners.size;
  const stop = page.watch();
  await vi.waitFor(() =>
    expect(page.all.value).toMatchObject([{ isOpen: true, hint: expect.stringContaining("reads") }]),
  );
  storedElsewhere({ answer: "In March.", isOpen: false });
  await vi.waitFor(() => expect(page.all.value).toMatchObject([{ isOpen: false, answer: "In March.", hint: "" }]));
  stop();
  expect(storageListeners.size).toBe(before);
  storedElsewhere({});
  stored.delete("parlance.page.other");
  const later = opened();
  later.watch();
  await vi.waitFor(() =>
    expect(later.all.value).toMatchObject([{ isOpen: false, hint: expect.stringContaining("left") }]),
  );
});

test("a page that leaves a question says so to the other pages, and stores nothing of a deleted recording", async () => {
  answer = noAnswer;
  const page = opened();
  page.typed.value = "When?";
  const asked = page.ask();
  page.end();
  await asked;
  expect(stored.get("parlance.typed/job//questions")).toContain('"page":""');
  const other = opened();
  other.typed.value = "Who?";
  const deleted = other.ask();
  dropTypedTexts("job");
  other.end();
  await deleted;
  expect(opened().all.value).toEqual([]);
});

test("questions cannot be sent again while one is being answered", async () => {
  answer = async () => Promise.reject(new TypeError("network"));
  const page = opened();
  page.typed.value = "Who?";
  await page.ask();
  const shown = () => renderToString(h(Questions, { store: { questions: page } as never, onSeek: () => undefined }));
  expect(shown()).not.toContain("disabled");
  answer = noAnswer;
  page.typed.value = "When?";
  const asked = page.ask();
  expect(shown()).toMatch(/<button[^>]* disabled[^>]*>Ask again/u);
  page.stop();
  await asked;
  expect(shown()).not.toContain("disabled");
});

test("the questions of the last thirty recordings are kept", async () => {
  for (let job = 0; job < 32; job++) {
    vi.setSystemTime(1_800_000_000_000 + 1_000 * job);
    const page = opened(`job${job}`);
    page.typed.value = "When?";
    await page.ask();
    // The first recording has a later question.
    if (job === 20) {
      const first = opened("job0");
      first.typed.value = "Who?";
      await first.ask();
    }
  }
  vi.useRealTimers();
  const kept = Array.from({ length: 32 }, (_, job) => job).filter((job) => opened(`job${job}`).all.value.length > 0);
  expect(kept).toHaveLength(30);
  expect(kept).not.toContain(1);
  expect(kept).not.toContain(2);
});
