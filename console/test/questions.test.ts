// Questions about a transcript: neither a question nor its answer is lost when the page is left.
import { beforeEach, expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
  key: (at: number) => [...stored.keys()][at] ?? null,
  get length() {
    return stored.size;
  },
});
vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
const { questionStore } = await import("../src/transcript/question-store.ts");
const { dropTypedTexts } = await import("../src/typed-text.ts");
await showLanguage("en");

const DONE = { type: "done", answer: "In March [0].", citations: [{ index: 0, start: 1, end: 2, text: "march" }] };
const answered = () => new Response(`data: ${JSON.stringify({ ...DONE, unverified: [] })}\n\n`);
const opened = () => questionStore("job", "/v2/transcription/job");

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
  answer = (signal) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))));
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
