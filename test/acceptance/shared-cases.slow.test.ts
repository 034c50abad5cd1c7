// Speech behind hold music, telephone numbers, a repeated phrase, and a telephone voice beside a near one. Needs ../shared/cases: without that
// folder the tests are skipped. Only words that do not depend on the rounding of the processor are compared.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { call, doneJob, type RunningService, ready, startService, submit } from "../service.ts";

const CASES = path.resolve("../shared/cases");
/** 0.1 s of 16-bit samples at 16 kHz, or 0.4 s of mu-law at 8 kHz. */
const PIECE_BYTES = 3_200;
/** The repeated phrase has 22 words. */
const LEAST_WORDS = 16;
/** Seconds of a short turn of the telephone voice. */
const ASK_NOT = { start: 8.1, end: 9.4 };

interface Said {
  text: string;
  utterances: { text: string; start: number; end: number }[];
  warnings: string[];
}

describe.skipIf(!existsSync(CASES))("the shared cases with speech (needs ../shared/cases)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await ready(service);
  });
  afterAll(() => service?.remove());

  // biome-ignore lint/suspicious/noExplicitAny: a result as JSON
  const saidIn = ({ transcription, metadata }: any): Said => ({
    text: transcription.full_transcript,
    utterances: transcription.utterances,
    warnings: metadata.warnings ?? [],
  });

  async function recorded(file: string): Promise<Said> {
    const { result } = await doneJob(service, await submit(service, readFileSync(path.join(CASES, file))));
    return saidIn(result);
  }

  /** The result of a session with default settings, and its messages. */
  async function live(bytes: Uint8Array, settings: object = {}): Promise<Said & { client: LiveClient }> {
    const { id, url } = await createSession(service, { sample_rate: 16_000, ...settings });
    const client = await LiveClient.connect(url);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) client.send(bytes.subarray(at, at + PIECE_BYTES));
    client.stop();
    await client.closed;
    const { json } = await call(service, "GET", `/v2/live/${id}`);
    return { ...saidIn(json.result), client };
  }

  const pcmOf = async (file: string) => encodePcm([await decodeSpeech(path.join(CASES, file))]);

  const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

  const HOLD_MUSIC = "hold-music-then-sentence-mulaw.wav";
  /** The music ends at 30 s. */
  const MUSIC_SECONDS = 29.5;

  function expectSentenceBehindMusic({ text, utterances }: Said): void {
    expect(text.toLowerCase()).toMatch(/level.*\bair is pure\b/);
    expect(utterances.filter(({ start }) => start < MUSIC_SECONDS)).toEqual([]);
  }

  test("a sentence behind half a minute of hold music, recorded", async () => {
    expectSentenceBehindMusic(await recorded(HOLD_MUSIC));
  });

  test("a sentence behind half a minute of hold music, live as mu-law", async () => {
    const file = readFileSync(path.join(CASES, HOLD_MUSIC));
    const samples = file.subarray(file.indexOf("data") + 8);
    const said = await live(samples, { encoding: "wav/ulaw", sample_rate: 8_000, bit_depth: 8 });
    expectSentenceBehindMusic(said);
    const starts = said.client.of("speech_start").map(({ data }) => data.time as number);
    expect(starts.some((time) => time > MUSIC_SECONDS)).toBe(true);
  });

  test("a telephone number in groups has each digit once, recorded", async () => {
    expect(digitsOf((await recorded("phone-number-groups-synthetic.flac")).text)).toBe("5551234567");
  });

  test("a telephone number in groups has each digit once, live", async () => {
    expect(digitsOf((await live(await pcmOf("phone-number-groups-synthetic.flac"))).text)).toBe("5551234567");
  });

  test("a phrase that is repeated clearly has words, recorded and live", async () => {
    const file = "repeated-phrase-synthetic.flac";
    for (const { text } of [await recorded(file), await live(await pcmOf(file))]) {
      // The recogniser reads some of the five repetitions as other words; they must not be missing.
      expect(text.toLowerCase()).toMatch(/knock it off/);
      expect(text.toLowerCase()).toMatch(/\bstop right now\b/);
      expect(normalizedWords(text).length).toBeGreaterThanOrEqual(LEAST_WORDS);
    }
  });

  test("turns of a telephone voice beside a near voice have words or a warning, recorded and live", async () => {
    const file = "telephone-voice-beside-near-voice.flac";
    for (const { text, utterances, warnings } of [await recorded(file), await live(await pcmOf(file))]) {
      const said = normalizedWords(text).join(" ");
      for (const turn of [
        /letter used should be/,
        /my fellow americans/,
        /in the same operations/,
        /your country can do/,
      ])
        expect(said).toMatch(turn);
      // "Ask not." is short and quiet: which words it becomes depends on the rounding of the processor.
      const hasWords = utterances.some(({ start, end }) => end > ASK_NOT.start && start < ASK_NOT.end);
      const places = warnings.flatMap((warning) => [...warning.matchAll(/([\d.]+) to ([\d.]+) s/g)]);
      const isNamed = places.some(([, from, to]) => Number(to) > ASK_NOT.start && Number(from) < ASK_NOT.end);
      expect(hasWords || isNamed).toBe(true);
    }
  });

  test("a number behind 'at' is no time of day, recorded", async () => {
    const { text } = await recorded("number-after-at-synthetic.flac");
    expect(text).toMatch(/opened at (1\.25|one twenty[- ]five)/i);
    expect(text).not.toMatch(/\d:\d\d/);
  });
});
