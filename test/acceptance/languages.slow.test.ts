// Speech in other languages with real weights; skipped where ../shared has none.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasWhisper, references, SHARED, WHISPER_BASE, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

const MODEL = "whisper-base";
/** A tenth of a second of audio, and how long it takes to come. */
const PIECE_BYTES = 3_200;
const PIECE_MILLISECONDS = 40;
const CODES = ["en", "es", "de", "fr", "it", "pt"];

function joined(...parts: Float32Array[]): Float32Array {
  const pause = 16_000;
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length + pause, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length + pause;
  }
  return whole;
}

describe.skipIf(!hasWhisper)("speech in other languages (needs ../shared/models)", () => {
  let folder: string;
  let service: RunningService;
  const speech = new Map<string, Float32Array>();
  const spoken = new Map<string, string>();
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-languages-"));
    const store = new ModelStore(path.join(folder, "models"));
    await installModel(WHISPER_BASE, store, { hub: { base: "" }, progress: () => undefined });
    for (const { file, path: place, transcript = "" } of references()) {
      const code = /^speech-(..)\.flac$/.exec(file)?.[1];
      if (!code) continue;
      speech.set(code, await decodeSpeech(place));
      spoken.set(code, transcript);
    }
    service = await startService({ folder, environment: { PARLANCE_MULTILINGUAL_MODEL: MODEL } });
    await ready(service);
  }, 180_000);
  afterAll(async () => {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const of = (code: string) => speech.get(code) as Float32Array;
  const errorsIn = (code: string, text: string) =>
    wordErrors(normalizedWords(spoken.get(code) ?? ""), normalizedWords(text)) /
    normalizedWords(spoken.get(code) ?? "").length;
  const transcribed = async (samples: Float32Array, params: object = {}) =>
    (await finished(service, await submit(service, wav([samples]), params))).result;

  test("each language is detected if none is given, and transcribed by a model that supports it", async () => {
    const texts = new Map<string, string>();
    for (const code of CODES) {
      const { transcription } = await transcribed(of(code));
      texts.set(code, transcription.full_transcript);
      expect(transcription.languages, code).toEqual([code]);
      expect(errorsIn(code, transcription.full_transcript), code).toBeLessThan(0.5);
      for (const { language, words, text } of transcription.utterances) {
        expect(language).toBe(code);
        expect(words.map(({ word }: { word: string }) => word).join("")).toBe(text);
      }
    }
    // English stays with the English model.
    const told = await transcribed(of("en"), { language_config: { languages: ["en"] } });
    expect(texts.get("en")).toBe(told.transcription.full_transcript);
  });

  test("/detect-language names each with a confidence; subtitle tools have the text of /asr in English", async () => {
    const form = (code: string) => {
      const body = new FormData();
      body.append("audio_file", new Blob([encodePcm([of(code)]) as never]), "audio_file");
      return body;
    };
    const post = (route: string, code: string) => call(service, "POST", `${route}encode=false`, { body: form(code) });
    for (const code of isThorough ? CODES : ["es", "de"]) {
      const { json } = await post("/detect-language?", code);
      expect(json.language_code).toBe(code);
      expect(json.confidence).toBeGreaterThan(0.5);
    }
    const { status, text } = await post("/asr?task=translate&language=es&output=json&", "es");
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ language: "es", text: expect.stringMatching(/\bthe\b/i) });
  });

  test("one code fixes it, several choose among them, a model that is named overrules", async () => {
    const { transcription } = await transcribed(of("pt"), { language_config: { languages: ["es", "pt"] } });
    expect(transcription.languages).toEqual(["pt"]);
    const fixed = await transcribed(of("pt"), { language_config: { languages: ["it"] } });
    expect(fixed.transcription.languages).toEqual(["it"]);
    const named = await transcribed(of("en"), { model: MODEL });
    expect(named.transcription.languages).toEqual(["en"]);
  });

  test("code switching decides for every segment; without it, a clear change of language is followed", async () => {
    const mixed = joined(of("es"), of("en"), of("de"));
    const { transcription } = await transcribed(mixed, { language_config: { languages: [], code_switching: true } });
    const order = transcription.utterances.map(({ language }: { language: string }) => language);
    expect([...new Set(order)]).toEqual(["es", "en", "de"]);
    expect([...transcription.languages].sort()).toEqual(["de", "en", "es"]);
    const changed = await transcribed(joined(of("es"), of("es"), of("en")));
    expect(changed.transcription.languages).toEqual(["es", "en"]);
    const named = await transcribed(joined(of("es"), of("en")), { language_config: { languages: ["es"] } });
    expect(named.transcription.languages).toEqual(["es"]);
  });

  // Also in lost-speech.slow.test.ts, with fewer languages.
  if (isThorough) {
    test("a sentence that follows a pause is not lost, in the same language or another", async () => {
      for (const code of ["de", "fr", "it"]) {
        const { transcription } = await transcribed(joined(of(code), of(code)), {
          language_config: { languages: [code] },
        });
        const words = normalizedWords(transcription.full_transcript);
        const wanted = 2 * normalizedWords(spoken.get(code) ?? "").length;
        expect(Math.abs(words.length - wanted) / wanted, transcription.full_transcript).toBeLessThan(0.3);
      }
      for (const languages of [[], ["de", "es"]]) {
        const { transcription } = await transcribed(joined(of("de"), of("es")), { language_config: { languages } });
        const inSecond = transcription.utterances.flatMap(({ words }: { words: { start: number }[] }) =>
          words.filter(({ start }) => start > of("de").length / 16_000 + 1),
        );
        expect(inSecond.length).toBeGreaterThan(7);
      }
    });
  }

  test("translation into English by the speech model, with times; other targets name their requirements", async () => {
    const { translation, transcription } = await transcribed(of("fr"), {
      translation: true,
      translation_config: { target_languages: ["en"] },
    });
    expect(translation).toMatchObject({ success: true, results: [{ error: null, languages: ["en"] }] });
    const [english] = translation.results;
    expect(english.full_transcript).toMatch(/\b(the|of|it)\b/i);
    expect(english.full_transcript).not.toBe(transcription.full_transcript);
    for (const { start, end, words } of english.utterances[0].words.length ? english.utterances : []) {
      expect(end).toBeGreaterThan(start);
      expect(words.length).toBeGreaterThan(0);
    }
    const other = await transcribed(of("fr"), { translation: true, translation_config: { target_languages: ["de"] } });
    expect(other.translation).toMatchObject({ success: false, error: { status_code: 501 } });
  });

  test("add-ons report unsupported languages with a remedy; none guesses in English", async () => {
    const result = await transcribed(of("es"), {
      language_config: { languages: ["es"] },
      sentences: true,
      subtitles: true,
      summarization: true,
      chapterization: true,
      named_entity_recognition: true,
      sentiment_analysis: true,
      moderation: true,
      name_consistency: true,
      punctuation_enhanced: true,
    });
    for (const name of ["sentences", "summarization", "chapterization"])
      expect(result[name], name).toMatchObject({ success: true });
    expect(result.transcription.subtitles[0].subtitles).toMatch(/-->/);
    for (const name of ["named_entity_recognition", "sentiment_analysis", "moderation", "name_consistency"]) {
      expect(result[name], name).toMatchObject({
        success: false,
        error: { status_code: 501, message: expect.stringMatching(/works in en here, and this is es/) },
      });
    }
    expect(result.sentiment_analysis.error.message).toMatch(/PARLANCE_LLM_URL/);
    const refused = await call(service, "POST", "/v2/pre-recorded", {
      body: { audio_url: "https://example.com/a.wav", language_config: { languages: ["es"] }, pii_redaction: true },
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/pii_redaction cannot find in es/);
  });

  describe("live", () => {
    const body = { sample_rate: 16_000, endpointing: 0.3, messages_config: { receive_partial_transcripts: true } };
    const session = async (samples: Float32Array, params: object, cutAt?: number) => {
      const { id, url } = await createSession(service, { ...body, ...params });
      const bytes = encodePcm([samples]);
      let client = await LiveClient.connect(url);
      const messages = client.messages;
      if (cutAt !== undefined) {
        client.send(bytes.subarray(0, cutAt));
        await client.message(({ type }) => type === "speech_start");
        const { acknowledged } = client;
        await client.drop();
        client = await LiveClient.connect(url);
        client.send(bytes.subarray(acknowledged));
      } else {
        // Faster than anybody speaks, slowly enough for partials.
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          client.send(bytes.subarray(at, at + PIECE_BYTES));
          await new Promise((resolve) => setTimeout(resolve, PIECE_MILLISECONDS));
        }
      }
      client.stop();
      await client.closed;
      const job = (await call(service, "GET", `/v2/live/${id}`)).json;
      return { client, messages: [...messages, ...client.messages], result: job.result };
    };

    test("a Spanish session has partials, finals, and the same words over a lost connection", async () => {
      const params = { language_config: { languages: ["es"] } };
      const whole = await session(of("es"), params);
      expect(whole.result.transcription.languages).toEqual(["es"]);
      expect(errorsIn("es", whole.result.transcription.full_transcript)).toBeLessThan(0.6);
      const partials = whole.messages.filter(({ type, data }) => type === "transcript" && !data.is_final);
      expect(partials.length).toBeGreaterThan(0);
      expect(partials.every(({ data }) => data.utterance.language === "es")).toBe(true);
      const broken = await session(of("es"), params, 120_001);
      expect(broken.result.transcription.full_transcript).toBe(whole.result.transcription.full_transcript);
    });

    test("the language of the first utterance is detected, reported and kept; code switching detects each", async () => {
      const kept = await session(joined(of("de"), of("de")), {});
      expect(kept.result.transcription.languages).toEqual(["de"]);
      const told = kept.messages.filter(({ type }) => type === "pre_processing");
      expect(told[0]?.data).toMatchObject({ name: "language_detection", language: "de" });
      expect(told[0]?.data.probability).toBeGreaterThan(0.5);
      const switching = await session(joined(of("de"), of("en"), of("fr")), {
        endpointing: 0.8,
        maximum_duration_without_endpointing: 20,
        language_config: { languages: ["de", "en", "fr"], code_switching: true },
      });
      const order = switching.result.transcription.utterances.map(({ language }: { language: string }) => language);
      expect([...new Set(order)]).toEqual(["de", "en", "fr"]);
    });

    test("one short word does not fix the language, and a change is followed after one utterance at most", async () => {
      const file = path.join(SHARED, "..", "cases", "okay-then-spanish.flac");
      const parameters = { endpointing: 0.8 };
      if (existsSync(file)) {
        const { result } = await session(await decodeSpeech(file), parameters);
        expect(result.transcription.utterances.at(-1).language).toBe("es");
        expect(result.transcription.full_transcript).toMatch(/arena/i);
      }
      const changed = await session(joined(of("en"), of("en"), of("de"), of("de")), parameters);
      const languages = changed.result.transcription.utterances.map(({ language }: { language: string }) => language);
      expect(languages.slice(0, 2)).toEqual(["en", "en"]);
      expect(languages.at(-1)).toBe("de");
      const told = changed.messages.filter(({ type }) => type === "pre_processing").map(({ data }) => data.language);
      expect(told.at(-1)).toBe("de");
    });

    test("finals are translated into English", async () => {
      const { messages, result } = await session(of("fr"), {
        language_config: { languages: ["fr"] },
        realtime_processing: { translation: true, translation_config: { target_languages: ["en"] } },
      });
      const translations = messages.filter(({ type }) => type === "translation");
      expect(translations.length).toBeGreaterThan(0);
      for (const { error, data } of translations) {
        expect(error).toBeNull();
        expect(data).toMatchObject({ original_language: "fr", target_language: "en" });
        expect(data.translated_utterance.language).toBe("en");
      }
      expect(result.translation).toMatchObject({ success: true });
      expect(result.translation.results[0].full_transcript.length).toBeGreaterThan(10);
    });
  });
});
