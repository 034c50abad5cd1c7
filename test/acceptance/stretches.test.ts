// Stretches of a transcript that are recognised again: further texts, and the words of another model or language.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

interface Word {
  word: string;
  start: number;
  end: number;
}

let service: RunningService;
let id: string;
/** Of the first utterance, which is in the second channel; the first one begins with silence. */
let words: Word[];
const CHANNEL = 1;

beforeAll(async () => {
  service = await startService();
  const speech = repeated(await decodeSpeech(HELLO_MP3), 2, 6);
  // The other channel has the same words later, which is another source.
  const late = new Float32Array(speech.length);
  late.set(speech.subarray(0, speech.length - 64_000), 64_000);
  id = await submit(service, wav([late, speech]));
  const { result } = await finished(service, id);
  const [first] = result.transcription.utterances;
  expect(first.channel).toBe(CHANNEL);
  words = first.words;
});
afterAll(() => service.remove());

const ask = (what: "alternatives" | "recognition", body: object, job = id) =>
  call(service, "POST", `/v2/transcription/${job}/${what}`, { body });

/** A word that the model writes in several ways. Which one depends on the processor, whose products of 8-bit numbers are rounded in their own way. */
async function uncertain() {
  for (const at of words.keys()) {
    const stretch = stretchOf(at);
    const { status, json, text } = await ask("alternatives", stretch);
    expect(status, text).toBe(200);
    if (json.alternatives.length > 1) return { stretch, json };
  }
  throw new Error("every word has one text only");
}

function stretchOf(from: number, to = from) {
  const [first, last] = [words.at(from) as Word, words.at(to) as Word];
  return { start: first.start, end: last.end, channel: CHANNEL, language: "en" };
}

test("a word has other texts with their probabilities, the likeliest first", async () => {
  const { stretch, json } = await uncertain();
  expect(json).toMatchObject({ model: "moonshine-base-en", language: "en" });
  const [{ text: likeliest }] = json.alternatives;
  expect(words.map(({ word }) => word.replace(/\W/g, "").toLowerCase())).toContain(
    likeliest.replace(/\W/g, "").toLowerCase(),
  );
  const current = await ask("alternatives", { ...stretch, text: likeliest.toUpperCase() });
  expect(current.json.probability).toBe(json.alternatives[0].probability);
  const texts = current.json.alternatives.map((one: { text: string }) => one.text);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts).not.toContain(likeliest);
  const probabilities = current.json.alternatives.map((one: { probability: number }) => one.probability);
  expect(probabilities).toEqual([...probabilities].sort((left, right) => right - left));
  expect(
    current.json.probability + probabilities.reduce((sum: number, one: number) => sum + one, 0),
  ).toBeLessThanOrEqual(1.01);
});

test("silence has no texts", async () => {
  const { json } = await ask("alternatives", { start: 4, end: 5, channel: CHANNEL, language: "en" });
  expect(json.alternatives).toEqual([]);
});

test("a stretch is recognised again in its channel, and its words have the times of the recording", async () => {
  const stretch = stretchOf(0, -1);
  const { status, json, text } = await ask("recognition", stretch);
  expect(status, text).toBe(200);
  expect(json.text).toMatch(/hello from the ver/i);
  expect(json.words.map(({ word }: Word) => word).join("")).toBe(json.text);
  for (const { start, end } of json.words as Word[]) {
    expect(start).toBeGreaterThan(stretch.start - 0.3);
    expect(end).toBeLessThan(stretch.end + 0.3);
  }
  // The other channel is silent there.
  expect((await ask("recognition", { ...stretch, channel: 0 })).json.text).toBe("");
  const other = await ask("recognition", { ...stretch, model: "moonshine-tiny-en" });
  expect(other.json).toMatchObject({ model: "moonshine-tiny-en", text: expect.stringMatching(/hello/i) });
});

test("stretches, channels, models and languages that cannot be are refused, and the message names what can", async () => {
  const stretch = stretchOf(0);
  const problemOf = async (what: "alternatives" | "recognition", change: object) => {
    const { status, json } = await ask(what, { ...stretch, ...change });
    return `${status} ${json.validation_errors?.[0] ?? json.message}`;
  };
  expect(await problemOf("alternatives", { end: stretch.start })).toMatch(/^400 end must be greater than start/);
  expect(await problemOf("alternatives", { start: 0, end: 12 })).toMatch(/^400 end must be at most 10 s after start/);
  expect(await problemOf("recognition", { start: 0, end: 121 })).toMatch(/^400 end must be at most 120 s after start/);
  expect(await problemOf("alternatives", { start: 500, end: 501 })).toMatch(/^400 start must be less than 1[67]/);
  expect(await problemOf("alternatives", { channel: 2 })).toMatch(/^400 channel must be less than 2/);
  expect(await problemOf("recognition", { model: "whisper-none" })).toMatch(/^400 model must be one of/);
  expect(await problemOf("recognition", { language: "de" })).toMatch(/^422 No installed model recognises de/);
  expect((await ask("alternatives", stretch, "5fd0ea0e-4e1e-4f6c-8a5e-000000000000")).status).toBe(404);
});

test("a redacted transcript, one whose audio was deleted, and an unfinished job have no such stretches", async () => {
  const stretch = { start: 0, end: 1 };
  const redacted = await submit(service, readFileSync(HELLO_MP3), { pii_redaction: true });
  await finished(service, redacted);
  for (const what of ["alternatives", "recognition"] as const) {
    const { status, json } = await ask(what, stretch, redacted);
    expect([status, json.message]).toEqual([409, expect.stringMatching(/redacted/)]);
  }
  const short = await submit(service, wav([silence(1)]));
  const { file } = await finished(service, short);
  expect((await ask("alternatives", stretch, short)).status).toBe(200);
  expect((await call(service, "DELETE", `/file/${file.id}`)).status).toBeLessThan(300);
  const gone = await ask("recognition", stretch, short);
  expect([gone.status, gone.json.message]).toEqual([410, expect.stringMatching(/^The audio of this job is gone/)]);
});
