// What add-ons do with languages that they are not made for.
import { describe, expect, test } from "vitest";
import { ProviderServer } from "../../../test/fixtures/language-model.ts";
import type { Transcription, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import type { Providers } from "./providers/providers.ts";
import { runAddons } from "./run-addons.ts";

function utterance(text: string, language: string, start: number, spaced = true): Utterance {
  const pieces = spaced ? text.split(/(?= )/) : [...text];
  const words = pieces.map((word, at) => ({
    word,
    start: start + at * 0.3,
    end: start + at * 0.3 + 0.3,
    confidence: 0.9,
  }));
  return { text, language, start, end: start + pieces.length * 0.3, confidence: 0.9, channel: 0, words };
}

const SPANISH = utterance("El perro de Juan corre por el parque de Madrid, qué horror.", "es", 0);
const ENGLISH = utterance("I love Berlin and John hates this damn idiot.", "en", 10);

async function run(
  utterances: Utterance[],
  params: object,
  extra = {},
  providers: Providers = {},
): Promise<TranscriptionResult> {
  const transcription: Transcription = {
    full_transcript: utterances.map(({ text }) => text).join(" "),
    languages: [...new Set(utterances.map(({ language }) => language))],
    utterances,
  };
  const metadata = { audio_duration: 20, number_of_distinct_channels: 1, billing_time: 20, transcription_time: 1 };
  const result: TranscriptionResult = { metadata, transcription };
  await runAddons(result, params as Record<string, unknown>, providers, extra);
  return result;
}

const ENGLISH_ONLY = ["named_entity_recognition", "sentiment_analysis", "moderation", "name_consistency"] as const;

describe("add-ons with rules for English", () => {
  test.each(ENGLISH_ONLY)("%s reports that it does not support Spanish", async (name) => {
    const result = await run([SPANISH], { [name]: true });
    expect(result[name]).toMatchObject({
      success: false,
      error: {
        status_code: 501,
        message: expect.stringMatching(new RegExp(`${name} works in en here, and this is es`)),
      },
    });
  });
  test("process the English part of a mixed talk, and change nothing else", async () => {
    const result = await run([SPANISH, ENGLISH], Object.fromEntries(ENGLISH_ONLY.map((name) => [name, true])));
    const entities = (result["named_entity_recognition"] as { results: { text: string }[] }).results;
    expect(entities.map(({ text }) => text)).toContain("Berlin");
    expect(entities.map(({ text }) => text)).not.toContain("Madrid");
    expect((result["sentiment_analysis"] as { results: { text: string }[] }).results).toHaveLength(1);
    // Ids are indexes into the whole transcript.
    expect((result["moderation"] as { results: unknown[] }).results).toMatchObject([{ utterance_id: 1 }]);
    expect(result.transcription.utterances[0]).toEqual(SPANISH);
  });
  test("redaction fails for text that it cannot inspect", async () => {
    await expect(run([ENGLISH, SPANISH], { pii_redaction: true })).rejects.toMatchObject({
      code: "redaction.unavailable",
    });
  });
});

describe("filler_words", () => {
  const japanese = utterance("ええと、そうです。", "ja", 20, false);
  test.each(["drop", "mark"])("%s reports that it does not support Japanese", async (choice) => {
    const result = await run([japanese], { filler_words: choice });
    expect(result["filler_words"]).toMatchObject({
      error: { status_code: 501, message: expect.stringMatching(/^filler_words works in en, .* and this is ja/) },
    });
  });
  test("reports nothing if it keeps the words, or has some to process", async () => {
    expect((await run([japanese], { filler_words: "keep" }))["filler_words"]).toBeUndefined();
    expect((await run([japanese, ENGLISH], { filler_words: "drop" }))["filler_words"]).toBeUndefined();
  });
});

describe("add-ons for every language", () => {
  test("a summary and chapters are made of the text's own sentences and words", async () => {
    const talk = Array.from({ length: 12 }, (_, at) =>
      utterance(
        at < 6
          ? "El presupuesto del ayuntamiento sube por las obras del puente nuevo."
          : "La receta lleva harina, huevos y azúcar en un molde caliente.",
        "es",
        at * 20,
      ),
    );
    const result = await run(talk, { summarization: true, chapterization: true });
    const { results: summary } = result["summarization"] as { results: string };
    for (const sentence of summary.split(/(?<=\.) /)) expect(talk.map(({ text }) => text)).toContain(sentence);
    const { results: chapters } = result["chapterization"] as { results: { keywords: string[] }[] };
    expect(chapters.length).toBeGreaterThan(1);
    for (const { keywords } of chapters)
      for (const word of ["el", "del", "por", "las"]) expect(keywords).not.toContain(word);
  });
  test("sentences end where each script ends them", async () => {
    const chinese = utterance("今天天气很好。我们去公园吧！", "zh", 0, false);
    const hindi = utterance("यह अच्छा है। हम चलते हैं।", "hi", 10);
    const result = await run([chinese, hindi], { sentences: true });
    const { results } = result["sentences"] as { results: { sentence: string }[] };
    expect(results.map(({ sentence }) => sentence)).toEqual([
      "今天天气很好。",
      "我们去公园吧！",
      "यह अच्छा है।",
      "हम चलते हैं।",
    ]);
  });
  test("punctuation follows the script", async () => {
    const result = await run([utterance("hola amigos", "es", 0), utterance("你好", "zh", 5, false)], {
      punctuation_enhanced: true,
    });
    expect(result.transcription.utterances.map(({ text }) => text)).toEqual(["Hola amigos.", "你好"]);
  });
});

describe("translation into English without a provider", () => {
  const params = { translation: true, translation_config: { target_languages: ["en", "fr"] } };
  test("uses the recogniser's text, utterance by utterance", async () => {
    const recognized = utterance("John's dog runs through the park.", "en", 0.2);
    const result = await run([SPANISH, ENGLISH], params, { english: [recognized] });
    const { results } = result["translation"] as {
      results: (Transcription & { error: { status_code: number } | null })[];
    };
    expect(results[0]).toMatchObject({ error: null, languages: ["en"] });
    expect(results[0]?.utterances.map(({ text }) => text)).toEqual([recognized.text, ENGLISH.text]);
    expect(results[1]?.error).toMatchObject({ status_code: 501 });
  });
  test("without recognised text it names a remedy", async () => {
    const result = await run([SPANISH], { ...params, translation_config: { target_languages: ["en"] } });
    expect(result["translation"]).toMatchObject({
      success: false,
      error: { message: expect.stringMatching(/npx --no-install parlance models add whisper-small/) },
    });
  });
});

test("all targets of a translation share one budget of tokens", async () => {
  const provider = await ProviderServer.start();
  provider.answer = () => ({ content: JSON.stringify({ translations: ["…"] }) });
  const translate = async (mostTokens: number) => {
    const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 5, mostTokens };
    const params = { translation: true, translation_config: { target_languages: ["fr", "de"] } };
    const result = await run([SPANISH], params, {}, { languageModel });
    return (result["translation"] as { results: { error: { message: string } | null }[] }).results;
  };
  try {
    expect((await translate(100_000)).map(({ error }) => error)).toEqual([null, null]);
    const messages = provider.asked[0]?.body.messages as { content: string }[];
    const tokensOfOne = messages.reduce((sum, { content }) => sum + content.length, 0) / 4;
    const [french, german] = await translate(Math.ceil(1.5 * tokensOfOne));
    expect(french?.error).toBeNull();
    expect(german?.error?.message).toMatch(/PARLANCE_LLM_MAX_TOKENS/);
  } finally {
    await provider.stop();
  }
});
