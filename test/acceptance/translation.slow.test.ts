// Translation of live sessions by models of this machine, skipped where ../shared/models/translation is missing; of recordings by a server.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderServer } from "../fixtures/language-model.ts";
import { submitted } from "../fixtures/language-model-requests.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { expectInStep, ORDER, startTranslating, type Translating, to } from "../fixtures/translating.ts";
import { hasTranslationModels } from "../fixtures/translation-registry.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

describe.skipIf(!hasTranslationModels)("with translation models (skipped where ../shared/models is missing)", () => {
  let translating: Translating;
  let service: RunningService;
  beforeAll(async () => {
    translating = await startTranslating();
    ({ service } = translating);
    // The model is there before the session begins.
    await finished(service, await submit(service, readFileSync(ORDER), to(["pt"])));
  });
  afterAll(() => translating.remove());

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

test("a LibreTranslate-compatible server translates, too", async () => {
  const provider = await ProviderServer.start();
  provider.answer = ({ body }) => ({ translated: body.q.map((text: string) => `«${text}»`) });
  const service = await startService({
    environment: { PARLANCE_TRANSLATE_URL: provider.base, PARLANCE_TRANSLATE_KEY: "k" },
  });
  const { result } = await submitted(service, {
    translation: true,
    translation_config: { target_languages: ["de"] },
  });
  expect(result.translation.results[0].full_transcript).toMatch(/^«Hello from.*»$/);
  expect(provider.asked[0]).toMatchObject({
    path: "/translate",
    body: { source: "en", target: "de", format: "text", api_key: "k" },
  });
  provider.answer = () => ({ translated: [] });
  const refused = await submitted(service, {
    translation: true,
    translation_config: { target_languages: ["fr"] },
  });
  expect(refused.result.translation).toMatchObject({ success: false, results: null });
  expect(refused.result.translation.error.message).toContain('one for each text of "q"');
  expect(refused.result.transcription.full_transcript).not.toBe("");
  await service.remove();
  await provider.stop();
});
