// Words of recordings: each number is a word, words of a channel never overlap, nothing ends after the recording, and they are those of
// the reference. Speech without words is reported. recordings.slow.test.ts: every shared recording.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Utterance, Word } from "../../src/contract/transcript/transcript.ts";
import { checkRecording, expectWordsApart, MOST_ERRORS } from "../fixtures/checked-recording.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, hasShared, noise, references, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, heldVowel, inSequence } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

const NUMBERS = path.resolve("../shared/cases/numbers-synthetic.flac");
/** Enough words that one error is less than the largest share of errors. */
const RECORDINGS = 3;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await ready(service);
});
afterAll(() => service.remove());

async function transcribed(file: string, params: object = {}) {
  const job = await finished(service, await submit(service, readFileSync(file), params));
  expect(job.status).toBe("done");
  return job.result;
}

test.skipIf(!existsSync(NUMBERS))("numbers are words with times (needs ../shared/cases)", async () => {
  const { utterances } = (await transcribed(NUMBERS)).transcription;
  const words: Word[] = utterances.flatMap((utterance: Utterance) => utterance.words);
  const plain = words.map(({ word }) => word.trim().toLowerCase().replace(/[.,]$/, ""));
  expect(plain.slice(0, 4)).toEqual(["we", "sold", "150", "units"]);
  expect(plain).toContain("march");
  expect(plain).toContain("1982");
  expect(plain.at(-1)).toBe("2,600");
});

test.skipIf(!existsSync(NUMBERS))("a number is replaced without its neighbours (needs ../shared/cases)", async () => {
  const { transcription } = await transcribed(NUMBERS, {
    custom_spelling: true,
    custom_spelling_config: { spelling_dictionary: { "one hundred and fifty": ["150"], Sold: ["sold"] } },
  });
  expect(transcription.full_transcript).toContain("Sold one hundred and fifty units");
});

test("words of a channel never overlap and none ends after the recording", async () => {
  const { transcription, metadata } = await transcribed(HELLO_MP3);
  expect(expectWordsApart(transcription.utterances, metadata.audio_duration, HELLO_MP3)).toBeGreaterThan(0);
});

test("a moment of speech gives no word, recorded and live", async () => {
  const speech = await decodeSpeech();
  for (const at of [0.5, 0.9, 1.3, 1.7]) {
    const moment = speech.subarray(at * 16_000, (at + 0.08) * 16_000);
    const samples = inSequence(noise(1, 1e-4), moment, noise(1, 1e-4));
    const job = await finished(service, await submit(service, wav([samples])));
    expect(job.result.transcription.full_transcript).toBe("");
    const { id, url } = await createSession(service);
    const client = await LiveClient.connect(url);
    client.send(encodePcm([samples]));
    client.stop();
    await client.closed;
    expect((await call(service, "GET", `/v2/live/${id}`)).json.result.transcription.full_transcript).toBe("");
  }
});

test.each([
  ["a voice without words is reported", true],
  ["a voice with words is not reported", false],
] as const)("%s, recorded and live", async (_, isReported) => {
  const speech = await decodeSpeech();
  const pause = silence(3);
  const before = inSequence(silence(1), speech, pause);
  const samples = inSequence(before, isReported ? heldVowel(speech, 2) : speech, pause);
  // A microphone is never silent to the bit.
  const hiss = noise(samples.length / 16_000, 0.0005);
  const audio = samples.map((sample, at) => sample + (hiss[at] ?? 0));
  const { id, url } = await createSession(service, { endpointing: 0.3 });
  const client = await LiveClient.connect(url);
  client.send(encodePcm([audio]));
  client.stop();
  await client.closed;
  const recorded = (await finished(service, await submit(service, wav([audio])))).result;
  const live = (await call(service, "GET", `/v2/live/${id}`)).json.result;
  const from = before.length / 16_000;
  for (const { metadata, transcription } of [recorded, live]) {
    expect(transcription.full_transcript).toMatch(/^Hello from/);
    const [, start, end] =
      /^No words were recognised in .* at ([\d.]+) to ([\d.]+) s:/.exec(metadata.warnings?.[0]) ?? [];
    expect(metadata.warnings?.length ?? 0).toBe(isReported ? 1 : 0);
    if (!isReported) continue;
    expect(Math.abs(Number(start) - from)).toBeLessThan(0.5);
    expect(Math.abs(Number(end) - from - 2)).toBeLessThan(0.9);
  }
  const reports = client.of("unrecognized_speech").map(({ data }) => data);
  expect(reports).toHaveLength(isReported ? 1 : 0);
  for (const { channel, time_range } of reports) {
    expect(channel).toBe(0);
    expect(time_range[0]).toBeGreaterThan(from - 0.1);
    expect(time_range[1]).toBeLessThan(from + 2.5);
  }
});

test.skipIf(!hasShared)("English recordings read as their references (needs ../shared)", async () => {
  let errors = 0;
  let words = 0;
  for (const reference of references()
    .filter(({ language }) => language === "en")
    .slice(0, RECORDINGS)) {
    const checked = await checkRecording(service, await submit(service, readFileSync(reference.path)), reference);
    errors += checked.errors;
    words += checked.words;
  }
  expect(words).toBeGreaterThan(100 / MOST_ERRORS);
  expect((100 * errors) / words).toBeLessThanOrEqual(MOST_ERRORS);
});
