// Highlights and notes on words: they stay on their words through corrections, and stand in the exports.
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

let service: RunningService;
let id: string;
let words: { word: string; start: number; end: number }[];

beforeAll(async () => {
  service = await startService();
  await ready(service);
  id = await submit(service, wav([repeated(await decodeSpeech(), 2, 2)]));
  await finished(service, id);
  words = (await ask("GET", "")).json.result.transcription.utterances[0].words;
});
afterAll(() => service?.remove());

const ask = (method: string, path: string, body?: unknown) =>
  call(service, method, `/v2/transcription/${id}${path}`, body === undefined ? {} : { body });
const middle = (at: number) => ((words[at]?.start ?? 0) + (words[at]?.end ?? 0)) / 2;
const textOf = async (format: string, more = "") => (await ask("GET", `/transcript?format=${format}${more}`)).text;

test("a note has its author and the words as they read, is changed by those who have seen it, and stays through corrections", async () => {
  const body = { start: middle(0), end: middle(1), colour: "green", text: "Ask *her* again" };
  const made = await ask("POST", "/notes", body);
  expect(made.status, made.text).toBe(201);
  const quote = words
    .slice(0, 2)
    .map(({ word }) => word)
    .join("")
    .trim();
  expect(made.json).toMatchObject({
    ...body,
    quote,
    channel: 0,
    made_by: "PARLANCE_API_KEY",
    changed_at: null,
    version: 0,
  });
  const note = `/notes/${made.json.id}`;
  const changed = await ask("PATCH", note, { text: "Ask *him* again", version: 0 });
  expect(changed.json).toMatchObject({
    text: "Ask *him* again",
    colour: "green",
    changed_by: "PARLANCE_API_KEY",
    version: 1,
  });
  expect((await ask("PATCH", note, { text: "Ask nobody", version: 0 })).status).toBe(409);
  expect((await ask("DELETE", `${note}?version=0`)).status).toBe(409);
  expect((await ask("PATCH", note, {})).json.validation_errors).toEqual(["colour or text must be given"]);

  // The first word is another one, and the utterances are one.
  const change = {
    utterances: [{ index: 0, start: middle(0), end: middle(0), text: "Greetings" }],
    joins: [{ index: 1, into: 0 }],
  };
  expect((await ask("PATCH", "/transcript", change)).status).toBe(201);
  const later = await ask("POST", "/notes", { start: middle(0), end: middle(0) });
  expect(later.json).toMatchObject({ quote: "Greetings", colour: "yellow", text: "" });
  const { items } = (await ask("GET", "/notes")).json;
  expect(items.map((one: { start: number }) => one.start)).toEqual([middle(0), middle(0)]);
  expect(items.find((one: { id: string }) => one.id === made.json.id)).toMatchObject({
    start: body.start,
    end: body.end,
  });

  expect(await textOf("txt")).toContain(`“${quote}”: Ask *him* again]`);
  expect(await textOf("md")).toMatch(/^> \*\*00:0\d\*\* “.*”: Ask \\\*him\\\* again$/m);
  expect(JSON.parse(await textOf("json")).transcription.notes).toHaveLength(2);
  const file = await fetch(new URL(`/v2/transcription/${id}/transcript?format=docx`, service.base), {
    headers: { "x-service-key": TEST_KEY },
  });
  const xml = Buffer.from(unzipSync(new Uint8Array(await file.arrayBuffer()))["word/document.xml"] ?? []).toString();
  expect(xml).toContain("Ask *him* again");
  expect(xml).toContain('w:highlight w:val="green"');
  for (const format of ["srt", "vtt", "tsv"]) expect(await textOf(format)).not.toContain("again");
  for (const format of ["txt", "md", "json"]) expect(await textOf(format, "&notes=false")).not.toContain("him");

  expect((await ask("DELETE", `${note}?version=1`)).status).toBe(202);
  expect((await ask("DELETE", note)).status).toBe(404);
  expect((await ask("GET", "/notes")).json.items).toHaveLength(1);
});

test("the list has pages: each note is on one of them, in the order of times; a cursor of another list is refused", async () => {
  for (const at of [3, 1, 1, 2])
    expect((await ask("POST", "/notes", { start: middle(at), end: middle(at) })).status).toBe(201);
  const whole = (await ask("GET", "/notes")).json;
  expect(whole.next).toBeNull();
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { items, next } = (await ask("GET", `/notes?limit=2${more}`)).json;
    if (next !== null) expect(items).toHaveLength(2);
    ids.push(...items.map((note: { id: string }) => note.id));
    cursor = next;
  } while (cursor !== null);
  expect(ids).toEqual(whole.items.map((note: { id: string }) => note.id));
  expect((await ask("GET", "/notes?cursor=none")).json).toMatchObject({
    validation_errors: ["cursor must be `next` of a page of the same list"],
  });
  for (const note of ids.slice(1)) expect((await ask("DELETE", `/notes/${note}`)).status).toBe(202);
});

test("a note on no words, and one that ends before it starts, is refused; other ids are not found", async () => {
  const refusal = async (body: object) => (await ask("POST", "/notes", body)).json.validation_errors[0];
  expect(await refusal({ start: 9_000, end: 9_001 })).toMatch(/^channel 0 has no words between start 9000/);
  expect(await refusal({ start: middle(0), end: middle(0), channel: 5 })).toMatch(/^channel 5 has no words/);
  expect(await refusal({ start: 2, end: 1 })).toMatch(/^end must be at start \(2\) or later/);
  for (const note of ["nothing", "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494"]) {
    expect((await ask("PATCH", `/notes/${note}`, { text: "a" })).status).toBe(404);
    expect((await ask("DELETE", `/notes/${note}`)).status).toBe(404);
  }
});

test("a stream of events announces that a note was made", async () => {
  const stream = call(service, "GET", "/v2/events?seconds=6");
  const making = setInterval(() => void ask("POST", "/notes", { start: middle(1), end: middle(1) }), 500);
  const { text } = await stream;
  clearInterval(making);
  expect(text.match(/^event: job$/gm)?.length ?? 0).toBeGreaterThan(0);
});
