// Translation of recordings by models of this machine, fetched on demand from a registry of our own. Skipped where
// ../shared/models/translation is missing. translation.slow.test.ts: live, and by a server.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { expectInStep, ORDER, startTranslating, type Translating, to } from "../fixtures/translating.ts";
import { hasTranslationModels } from "../fixtures/translation-registry.ts";
import { finished, type RunningService, submit } from "../service.ts";

describe.skipIf(!hasTranslationModels)("with translation models (skipped where ../shared/models is missing)", () => {
  let translating: Translating;
  let service: RunningService;
  beforeAll(async () => {
    translating = await startTranslating();
    ({ service } = translating);
  });
  afterAll(() => translating.remove());
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
    expect(translating.registry.fetched.filter((one) => /^GET models\/en-pt/.test(one))).toHaveLength(3);
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
});
