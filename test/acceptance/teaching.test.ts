// Corrections that teach, with a real recogniser: a repeated correction is listed, its places in other transcripts are shown and corrected,
// and its words are recognised better afterwards, in recordings and live sessions of every interface.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession } from "../fixtures/live-client.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

const NAME = /ver[sc]\w*/i;
const NOWHERE = "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494";

let service: RunningService;
/** Each says the name three times. */
let jobs: [string, string, string];

beforeAll(async () => {
  service = await startService();
  await ready(service);
  const sound = wav([repeated(await decodeSpeech(), 3, 2)]);
  jobs = [await submit(service, sound), await submit(service, sound), await submit(service, sound)];
  for (const id of jobs) await finished(service, id);
});
afterAll(() => service?.remove());

const ask = (method: string, path: string, body?: unknown) =>
  call(service, method, path, body === undefined ? {} : { body });
const textOf = async (id: string) => (await ask("GET", `/v2/transcription/${id}/transcript?format=txt`)).text;
const list = async (query = "") => (await ask("GET", `/v2/repeated-corrections${query}`)).json;
const paramsOf = async (id: string) => (await ask("GET", `/v2/transcription/${id}`)).json.request_params;
const nameIn = async (id: string) => NAME.exec(await textOf(id))?.[0] ?? "";

/** Corrects the name in one utterance. */
async function correct(id: string, index: number, after: string) {
  const { utterances } = (await ask("GET", `/v2/transcription/${id}`)).json.result.transcription;
  const text = utterances[index].text.replace(NAME, after);
  const made = await ask("PATCH", `/v2/transcription/${id}/transcript`, { utterances: [{ index, text }] });
  expect(made.status, made.text).toBe(201);
  return made.json;
}

const until = (after: string, utterances: number) =>
  expect
    .poll(async () => (await list()).items.find((item: { after: string }) => item.after === after)?.utterances ?? 0)
    .toBe(utterances);

test("a word that was corrected twice is listed, and its other places are corrected; undoing works as for any correction", async () => {
  const [first, second, third] = jobs;
  const before = await nameIn(first);
  expect(before).not.toBe("");
  await correct(first, 0, "Vörsal");
  const undone = await correct(first, 1, "Vörsal");
  await until("Vörsal", 2);
  await ask("DELETE", `/v2/transcription/${first}/corrections/${undone.id}`);
  await until("Vörsal", 0);
  await correct(second, 1, "Vörsal");
  await until("Vörsal", 2);
  const { items } = await list(`?job_id=${second}`);
  const [offer] = items;
  expect(items).toHaveLength(1);
  expect(offer).toMatchObject({ recordings: 2, dismissed: false, in_vocabulary: false, others: [] });
  expect(offer.before.toLowerCase()).toBe(before.toLowerCase());
  expect((await list(`?job_id=${third}`)).items).toEqual([]);

  // Two pages, whose places are those that are not corrected.
  const address = `/v2/repeated-corrections/${offer.id}/places`;
  const found = [];
  for (let cursor = "", pages = 0; pages < 10; pages++) {
    const { json } = await ask("GET", `${address}?limit=4${cursor}`);
    expect(json.items.length).toBeLessThanOrEqual(4);
    found.push(...json.items);
    if (json.next === null) break;
    cursor = `&cursor=${json.next}`;
  }
  expect(found.map(({ job_id }) => job_id)).toEqual([third, third, third, second, second, first, first]);
  expect(found[0]).toMatchObject({ has_audio: true, replacement: expect.stringContaining("Vörsal") });
  expect(found[0].words[0]).toMatchObject({ word: expect.stringMatching(NAME) });

  // Another client corrects one place between the list and the request.
  await correct(third, 2, "Versailles");
  const chosen = found.map(({ job_id, index, start, end, text }) => ({ job_id, index, start, end, text }));
  const gone = { ...chosen[0], job_id: NOWHERE };
  const applied = (await ask("POST", address, { places: [...chosen, gone] })).json;
  expect(applied.corrected).toBe(6);
  const states = applied.transcripts.map(({ places }: { places: { state: string }[] }) =>
    places.map(({ state }) => state),
  );
  expect(states).toEqual([
    ["corrected", "corrected", "changed"],
    ["corrected", "corrected"],
    ["corrected", "corrected"],
    ["deleted"],
  ]);
  expect((await textOf(first)).match(/Vörsal/g)).toHaveLength(3);
  expect((await textOf(third)).match(/Vörsal/g)).toHaveLength(2);
  expect(await textOf(third)).toMatch(/Versailles/);

  // The same places again: nothing is corrected twice.
  const again = (await ask("POST", address, { places: chosen })).json;
  expect(again.corrected).toBe(0);

  const { job_id, correction_id } = applied.transcripts[0];
  const { items: made } = (await ask("GET", `/v2/transcription/${job_id}/corrections`)).json;
  expect(made.at(-1)).toMatchObject({ id: correction_id, made_by: "PARLANCE_API_KEY", undone_at: null });
  expect((await ask("DELETE", `/v2/transcription/${job_id}/corrections/${correction_id}`)).status).toBe(200);
  expect(await textOf(third)).not.toMatch(/Vörsal/);
});

test("two clients that correct the same places at the same time correct each place once", async () => {
  const [, , third] = jobs;
  const [offer] = (await list()).items;
  const address = `/v2/repeated-corrections/${offer.id}/places`;
  const { items } = (await ask("GET", address)).json;
  const places = items.map(({ job_id, index, start, end, text }: Record<string, unknown>) => ({
    job_id,
    index,
    start,
    end,
    text,
  }));
  expect(places.length).toBeGreaterThan(1);
  const answers = await Promise.all([ask("POST", address, { places }), ask("POST", address, { places })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.reduce((sum, { json }) => sum + json.corrected, 0)).toBe(places.length);
  expect((await textOf(third)).match(/Vörsal/g)).toHaveLength(2);
});

test("a dismissed one stays dismissed, until it is taken back; unknown and malformed ids are not found", async () => {
  const [{ id }] = (await list()).items;
  const dismiss = (dismissed: boolean) => ask("PATCH", `/v2/repeated-corrections/${id}`, { dismissed });
  expect((await dismiss(true)).json).toMatchObject({ id, dismissed: true });
  expect((await list()).items).toEqual([]);
  expect((await list("?dismissed=true")).items).toHaveLength(1);
  expect((await dismiss(false)).json).toMatchObject({ dismissed: false });
  expect((await list()).items).toHaveLength(1);
  for (const unknown of [NOWHERE, "nothing"]) {
    expect((await ask("PATCH", `/v2/repeated-corrections/${unknown}`, { dismissed: true })).status).toBe(404);
    expect((await ask("GET", `/v2/repeated-corrections/${unknown}/places`)).status).toBe(404);
    const places = [{ job_id: NOWHERE, index: 0, start: 0, end: 1, text: "" }];
    expect((await ask("POST", `/v2/repeated-corrections/${unknown}/places`, { places })).status).toBe(404);
  }
  for (const path of ["", `/${id}/places`])
    expect((await ask("GET", `/v2/repeated-corrections${path}?cursor=elsewhere`)).json.validation_errors[0]).toMatch(
      /^cursor must be/,
    );
  expect((await list(`?job_id=${NOWHERE}`)).items).toEqual([]);
  expect((await list("?job_id=nothing")).items).toEqual([]);
});

describe("the vocabulary of the account", () => {
  test("is used by recordings and live sessions, which list its words; a request can leave it out", async () => {
    const spoken = "Vercel";
    const added = await ask("POST", "/v2/vocabulary/words", {
      ...{ value: spoken, pronunciations: ["versal"] },
    });
    expect(added.status, added.text).toBe(201);
    const words = [{ value: spoken, pronunciations: ["versal"] }];
    const sound = wav([await decodeSpeech()]);

    const recording = await submit(service, sound);
    await finished(service, recording);
    expect((await paramsOf(recording)).account_words).toEqual(words);
    expect(await textOf(recording)).toMatch(/Vercel/);
    const without = await submit(service, sound, { account_vocabulary: false });
    await finished(service, without);
    expect((await paramsOf(without)).account_words).toBeUndefined();

    const live = await createSession(service, {});
    expect((await paramsOf(live.id)).realtime_processing.account_words).toEqual(words);

    // Another interface, which has no field for it.
    const form = new FormData();
    form.append("file", new Blob([readFileSync(HELLO_MP3) as never]), "hello.mp3");
    form.append("model", "whisper-1");
    const openai = await call(service, "POST", "/v1/audio/transcriptions", { body: form });
    expect(openai.json.text).toMatch(/Vercel/);

    expect((await ask("PUT", "/v2/vocabulary/settings", { enabled: false })).json).toEqual({ enabled: false });
    const off = await submit(service, sound);
    expect((await paramsOf(off)).account_words).toBeUndefined();
    const asked = await submit(service, sound, { account_vocabulary: true });
    expect((await paramsOf(asked)).account_words).toEqual(words);

    const { enabled, items } = (await ask("GET", "/v2/vocabulary")).json;
    expect(enabled).toBe(false);
    expect(items).toMatchObject([{ value: spoken, made_by: "PARLANCE_API_KEY" }]);
    expect((await ask("DELETE", `/v2/vocabulary/words/${items[0].id}`)).status).toBe(202);
    for (const id of [items[0].id, "nothing"])
      expect((await ask("DELETE", `/v2/vocabulary/words/${id}`)).status).toBe(404);
  });
});

describe("vocabulary lists", () => {
  const LISTS = "/v2/vocabulary-lists";
  const make = async (name: string, words: unknown[]) => {
    const made = await ask("POST", LISTS, { name, words });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };

  test("recordings and live sessions use the lists that they name, as the lists are when they are accepted", async () => {
    const sound = wav([await decodeSpeech()]);
    const without = await submit(service, sound);
    await finished(service, without);
    const spoken = NAME.exec(await textOf(without))?.[0] ?? "";
    const word = { value: "Wörssel", pronunciations: [spoken] };
    const list = await make("Products", [word]);
    const other = await make("Places", ["Ulaanbaatar"]);
    const account_words = [word, { value: "Ulaanbaatar" }];
    for (const vocabulary_lists of [
      ["Products", other.id],
      [list.id, "Places"],
    ]) {
      const id = await submit(service, sound, { vocabulary_lists });
      expect(await paramsOf(id)).toMatchObject({ account_words, vocabulary_lists });
      await finished(service, id);
      expect(await textOf(id)).toContain("Wörssel");
    }
    const live = await createSession(service, { realtime_processing: { vocabulary_lists: ["Products"] } });
    expect((await paramsOf(live.id)).realtime_processing.account_words).toEqual([word]);

    const asked = await ask("PATCH", `${LISTS}/${list.id}`, { name: "Brands", words: ["Acme"] });
    expect(asked.json).toMatchObject({ name: "Brands", words: [{ value: "Acme" }] });
    const again = await submit(service, sound, { vocabulary_lists: ["Brands"] });
    expect((await paramsOf(again)).account_words).toEqual([{ value: "Acme" }]);
    expect((await paramsOf(live.id)).realtime_processing.account_words).toEqual([word]);
  });

  test("an unknown list, a second list of a name and a foreign cursor are refused with what to do", async () => {
    const unknown = /does not have: Products\. GET \/v2\/vocabulary-lists/;
    const uploaded = await ask("POST", "/v2/pre-recorded", {
      audio_url: "https://example.com/a.mp3",
      vocabulary_lists: ["Products"],
    });
    const session = await ask("POST", "/v2/live", { realtime_processing: { vocabulary_lists: ["Products"] } });
    for (const { status, json } of [uploaded, session]) {
      expect([status, json.message]).toEqual([422, expect.stringMatching(unknown)]);
    }
    const second = await ask("POST", LISTS, { name: " Brands", words: [] });
    expect([second.status, second.json.message]).toEqual([409, expect.stringContaining("Brands")]);
    const made = await make("Versions", []);
    const outdated = await ask("PATCH", `${LISTS}/${made.id}`, { words: ["one"], version: 4 });
    expect([outdated.status, outdated.json.message]).toEqual([
      409,
      expect.stringMatching(/version 4, but the current version is 0/),
    ]);
    await ask("DELETE", `${LISTS}/${made.id}`);
    const many = await ask("POST", LISTS, { name: "Many", words: new Array(1_001).fill("word") });
    expect([many.status, many.json.validation_errors[0]]).toEqual([400, expect.stringMatching(/^words must/)]);
    expect((await ask("GET", `${LISTS}?cursor=nothing`)).status).toBe(400);
    for (const id of [NOWHERE, "nothing"]) {
      expect((await ask("GET", `${LISTS}/${id}`)).status).toBe(404);
      expect((await ask("PATCH", `${LISTS}/${id}`, { name: "New" })).status).toBe(404);
      expect((await ask("DELETE", `${LISTS}/${id}`)).status).toBe(404);
    }
  });

  test("pages of lists have every list once", async () => {
    for (const name of ["A", "B", "C"]) await make(name, []);
    const names: string[] = [];
    let cursor = "";
    do {
      const { items, next } = (await ask("GET", `${LISTS}?limit=2${cursor}`)).json;
      names.push(...items.map(({ name }: { name: string }) => name));
      cursor = next === null ? "" : `&cursor=${next}`;
    } while (cursor !== "");
    expect(names).toEqual(["Brands", "Places", "A", "B", "C"]);
  });
});

test("repeated corrections vanish with the recordings that they came from", async () => {
  expect((await list()).items).toHaveLength(1);
  for (const id of jobs) expect((await ask("DELETE", `/v2/transcription/${id}`)).status).toBeLessThan(300);
  expect((await list()).items).toEqual([]);
});
