// Translation by models of this machine: fetched on demand from a registry of our own, recorded and live. Skipped where
// ../shared/models/translation is missing.
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { parlance } from "../fixtures/parlance.ts";
import { SHARED } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import {
  hasTranslationModels,
  startTranslationRegistry,
  type TranslationRegistry,
} from "../fixtures/translation-registry.ts";
import { finished, type RunningService, ready, startService, submit } from "../service.ts";

const ORDER = path.join(SHARED, "order-01.flac");
const to = (target_languages: string[], more: object = {}) => ({
  translation: true,
  translation_config: { target_languages, ...more },
});

interface Timed {
  text: string;
  start: number;
  end: number;
  words: { word: string; start: number; end: number }[];
}

function expectInStep(translated: Timed[], originals: Timed[]): void {
  for (const [at, { text, words }] of translated.entries()) {
    const original = originals[at] as Timed;
    expect(words.map(({ word }) => word).join("")).toBe(text);
    for (const [index, { start, end }] of words.entries()) {
      expect(end).toBeGreaterThanOrEqual(start);
      expect(start).toBeGreaterThanOrEqual(words[index - 1]?.start ?? original.start);
      expect(end).toBeLessThanOrEqual(original.end);
    }
  }
}

describe.skipIf(!hasTranslationModels)("with translation models (skipped where ../shared/models is missing)", () => {
  let registry: TranslationRegistry;
  let service: RunningService;
  beforeAll(async () => {
    registry = await startTranslationRegistry();
    service = await startService({
      environment: { PARLANCE_FETCH_MODELS: "true", PARLANCE_TRANSLATION_MODELS_URL: registry.url },
    });
    await ready(service);
  });
  afterAll(async () => {
    await service.remove();
    await registry.close();
  });
  const transcribed = async (params: object) => finished(service, await submit(service, readFileSync(ORDER), params));

  test("recorded: the model is fetched, words are in step, subtitles too", async () => {
    const { result } = await transcribed({
      ...to(["pt", "is"]),
      subtitles: true,
      subtitles_config: { formats: ["srt", "vtt"] },
      sentences: true,
      custom_vocabulary: ["coffee"],
    });
    const { results, success } = result.translation;
    expect(success).toBe(true);
    const [portuguese, icelandic] = results;
    expect(portuguese).toMatchObject({ error: null, languages: ["pt"] });
    expect(portuguese.full_transcript).toMatch(/^Posso/);
    expect(portuguese.full_transcript).toMatch(/coffee/);
    expectInStep(portuguese.utterances, result.transcription.utterances);
    expect(portuguese.subtitles.map(({ format }: { format: string }) => format)).toEqual(["srt", "vtt"]);
    expect(portuguese.sentences.length).toBeGreaterThan(0);
    expect(icelandic.error).toMatchObject({
      status_code: 501,
      message: expect.stringMatching(
        /en \(English\) to is \(Icelandic\).*models add translate-en-is.*PARLANCE_LLM_URL/,
      ),
    });
    expect(registry.fetched.filter((one) => /^GET models\/en-pt/.test(one))).toHaveLength(3);
    expect(await parlance(service.folder, "models", "verify", "translate-en-pt")).toMatch(
      /unchanged since the installation/,
    );
  });

  test("impossible combinations of settings are reported", async () => {
    const { result } = await transcribed(to(["pt"], { informal: true, context: "A café.", model: "enhanced" }));
    expect(result.translation.results[0].warnings).toEqual([
      expect.stringMatching(/^context has no effect/),
      expect.stringMatching(/^informal has no effect/),
      expect.stringMatching(/^model enhanced has no effect/),
    ]);
  });

  test("live: every final is translated, and the transcript does not wait", async () => {
    const speech = await decodeSpeech(ORDER);
    const session = await createSession(service, {
      sample_rate: 16_000,
      endpointing: 0.3,
      messages_config: { receive_partial_transcripts: true },
      realtime_processing: to(["pt", "is"], { partials: true }),
    });
    const client = await LiveClient.connect(session.url);
    client.send(encodePcm([Float32Array.from([...speech, ...new Float32Array(16_000)])]));
    client.stop();
    expect((await client.closed).code).toBe(1000);
    const finals = client.finals().map(({ data }) => data);
    const sent = client.of("translation");
    // Of a target that cannot be translated to, the reason is sent once.
    expect(sent.filter(({ error }) => error).map(({ error }) => error.message)).toEqual([
      expect.stringMatching(/en \(English\) to is \(Icelandic\)/),
    ]);
    const all = sent.filter(({ error }) => !error).map(({ data }) => data);
    const translations = all.filter(({ is_final }) => is_final !== false);
    // How many partials there are depends on the machine; each has its final behind it.
    for (const { utterance_id } of all) expect(finals.map(({ id }) => id)).toContain(utterance_id);
    expect(translations.map(({ utterance_id }) => utterance_id)).toEqual(finals.map(({ id }) => id));
    expect(translations[0]).toMatchObject({ original_language: "en", target_language: "pt" });
    expectInStep(
      translations.map(({ translated_utterance }) => translated_utterance),
      finals.map(({ utterance }) => utterance),
    );
  });
});
