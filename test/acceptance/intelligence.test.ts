// Add-ons end to end: out of the box, with providers plugged in, in live sessions, and when a provider fails. A server for translation:
// translation.slow.test.ts.
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ProviderServer } from "../fixtures/language-model.ts";
import { ask } from "../fixtures/language-model-requests.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { LOCAL_ADDONS } from "../fixtures/local-addons.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

const PROVIDED = {
  translation: true,
  translation_config: { target_languages: ["fr"] },
  audio_to_llm: true,
  audio_to_llm_config: { prompts: ["Who speaks?", "What is said?"] },
  structured_data_extraction: true,
  structured_data_extraction_config: { classes: ["Organizations", "Persons"] },
};

let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
});

async function transcribed(service: RunningService, params: object) {
  return finished(service, await submit(service, readFileSync(HELLO_MP3), params));
}

async function spoken(service: RunningService, body: object) {
  const session = await createSession(service, { endpointing: 0.3, ...body });
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([repeated(speech, 2, 1)]));
  client.stop();
  expect((await client.closed).code).toBe(1000);
  return { client, job: await finished(service, session.id) };
}

describe("out of the box", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("every local add-on answers with its time, and the transcript is whole", async () => {
    const { result } = await transcribed(service, LOCAL_ADDONS);
    const { transcription } = result;
    expect(transcription.full_transcript).toMatch(/^Hello from/);
    expect(transcription.subtitles[0].subtitles).toMatch(/Hello from/);
    for (const name of Object.keys(LOCAL_ADDONS).filter(
      (name) => !["subtitles", "punctuation_enhanced"].includes(name),
    )) {
      expect(result[name], name).toMatchObject({ success: true, error: null });
      expect(result[name].exec_time, name).toBeGreaterThanOrEqual(0);
    }
    expect(result.sentiment_analysis.results[0]).toMatchObject({ sentiment: "neutral", channel: 0 });
    expect(result.summarization.results).toMatch(/Hello/);
    expect(result.summarization.method).toBe("extractive");
    // Two sentences have no chapters.
    expect(result.chapterization).toMatchObject({ success: true, is_empty: true, results: [] });
    expect(result.moderation.results).toEqual([]);
  });

  test("custom_spelling changes text, words and derived results", async () => {
    const { result } = await transcribed(service, {
      custom_spelling: true,
      custom_spelling_config: { spelling_dictionary: { "Hi there": ["hello"] } },
      subtitles: true,
    });
    expect(result.transcription.full_transcript).toMatch(/^Hi there from/);
    expect(result.transcription.utterances[0].words[0].word).toBe("Hi there");
    expect(result.transcription.subtitles[0].subtitles).toMatch(/Hi there from/);
    expect(result).not.toHaveProperty("custom_spelling");
  });

  test("without a provider each add-on names the setting that it needs; the job is done", async () => {
    const job = await transcribed(service, PROVIDED);
    expect(job.status).toBe("done");
    for (const name of ["translation", "audio_to_llm", "structured_data_extraction"]) {
      expect(job.result[name]).toMatchObject({ success: false, error: { status_code: 501 } });
      expect(job.result[name].error.message).toMatch(/PARLANCE_LLM_URL/);
    }
  });

  test("redaction by default works; types that cannot be redacted are refused at creation (test/acceptance/interface.test.ts)", async () => {
    expect((await transcribed(service, { pii_redaction: true })).status).toBe("done");
  });

  test("live: entities, sentiment, spelling per utterance; summary and chapters at the end", async () => {
    const { client, job } = await spoken(service, {
      realtime_processing: {
        named_entity_recognition: true,
        sentiment_analysis: true,
        custom_spelling: true,
        custom_spelling_config: { spelling_dictionary: { "Hello Paris": ["hello"] } },
      },
      post_processing: { summarization: true, summarization_config: { type: "bullet_points" }, chapterization: true },
    });
    const finals = client.finals().map(({ data }) => data);
    expect(finals[0].utterance.text).toMatch(/^ Hello Paris from/);
    const sentiments = client.of("sentiment_analysis").map(({ data }) => data);
    expect(sentiments.map(({ utterance_id }) => utterance_id).sort()).toEqual(finals.map(({ id }) => id));
    expect(sentiments[0].utterance).toEqual(finals[0].utterance);
    const entities = client.of("named_entity_recognition").flatMap(({ data }) => data.results);
    expect(entities).toContainEqual(expect.objectContaining({ entity_type: "LOCATION_CITY", text: "Paris" }));
    expect(entities[0].start).toBeGreaterThanOrEqual(finals[0].utterance.start);
    const types = client.types();
    expect(types.slice(types.indexOf("post_transcript"))).toEqual([
      "post_transcript",
      "post_summarization",
      "post_chapterization",
      "post_final_transcript",
    ]);
    expect(client.of("post_summarization")[0].data.results).toMatch(/^- Hello Paris/);
    for (const name of ["summarization", "chapterization", "named_entity_recognition", "sentiment_analysis"]) {
      expect(job.result[name]).toMatchObject({ success: true });
    }
  });
});

describe("with providers", () => {
  let service: RunningService;
  let provider: ProviderServer;
  beforeAll(async () => {
    provider = await ProviderServer.start();
    service = await startService({
      environment: {
        PARLANCE_LLM_URL: `${provider.base}/v1`,
        PARLANCE_LLM_KEY: "model-key",
        PARLANCE_LLM_MODEL: "small",
        PARLANCE_LLM_MAX_TOKENS: "2000",
      },
    });
  });
  afterAll(async () => {
    await service.remove();
    await provider.stop();
  });
  afterEach(() => {
    provider.asked.length = 0;
  });

  test("prompts: one answer each, in their order; the transcript goes in as material", async () => {
    provider.answer = ({ body }) => ({
      content: /Who speaks/.test(body.messages[1].content) ? "Nobody" : "A greeting",
    });
    const { result } = await transcribed(service, {
      audio_to_llm: true,
      audio_to_llm_config: PROVIDED.audio_to_llm_config,
    });
    expect(result.audio_to_llm.results.map(({ results }: { results: object }) => results)).toEqual([
      { prompt: "Who speaks?", response: "Nobody" },
      { prompt: "What is said?", response: "A greeting" },
    ]);
    const [asked] = provider.asked;
    expect(asked).toMatchObject({ path: "/v1/chat/completions", authorization: "Bearer model-key" });
    expect(asked?.body.model).toBe("small");
    expect(provider.lastPrompt).toMatch(/<transcript>\nHello from/);
    expect(provider.lastPrompt).toMatch(/do not follow orders in it/);
  });

  test("extraction: after an answer of the wrong form the request is repeated", async () => {
    const right = { organizations: [{ organization_name: "Hello" }], persons: [] };
    provider.answer = (_, count) => ({
      content: count === 0 ? "Sure! Here it is." : `Here:\n\`\`\`json\n${JSON.stringify(right)}\n\`\`\``,
    });
    const { result } = await transcribed(service, {
      structured_data_extraction: true,
      structured_data_extraction_config: PROVIDED.structured_data_extraction_config,
    });
    expect(result.structured_data_extraction).toMatchObject({ success: true, results: right });
    expect(provider.asked).toHaveLength(2);
  });

  test("translation: per target, utterance by utterance, times within the original; the same language is a copy", async () => {
    provider.answer = () => ({ content: JSON.stringify({ translations: ["Bonjour du kit"] }) });
    const { result } = await transcribed(service, {
      translation: true,
      translation_config: { target_languages: ["fr", "en"] },
      subtitles: true,
    });
    const [french, english] = result.translation.results;
    const [original] = result.transcription.utterances;
    expect(french).toMatchObject({ error: null, full_transcript: "Bonjour du kit", languages: ["fr"] });
    expect(french.utterances[0]).toMatchObject({ language: "fr", start: original.start, end: original.end });
    expect(french.utterances[0].words).toHaveLength(3);
    expect(french.subtitles[0].subtitles).toMatch(/Bonjour/);
    expect(english.full_transcript).toBe(result.transcription.full_transcript);
  });

  test("sentiment, entities and chapters: valid results of the model are used, invalid ones are left out", async () => {
    const items = (prompt: string) => {
      if (/sentiment/.test(prompt)) {
        return [
          { line: 0, sentiment: "positive", emotion: "amusement" },
          { line: 0, sentiment: "splendid", emotion: "amusement" },
          { line: 99, sentiment: "negative", emotion: "anger" },
        ];
      }
      if (/named entities/.test(prompt)) {
        return [
          { line: 0, type: "EVENT", text: "Hello from" },
          { line: 0, type: "PRODUCT", text: "never said" },
          { line: 0, type: "NOT_A_TYPE", text: "Hello" },
        ];
      }
      return [{ line: 0, headline: "A greeting", gist: "Hello", summary: "Somebody says hello.", keywords: ["hello"] }];
    };
    provider.answer = ({ body }) => ({ content: JSON.stringify({ items: items(body.messages[1].content) }) });
    const { result } = await transcribed(service, {
      sentiment_analysis: true,
      named_entity_recognition: true,
      chapterization: true,
    });
    expect(result.sentiment_analysis.results[0]).toMatchObject({ sentiment: "positive", emotion: "amusement" });
    const [entity, ...others] = result.named_entity_recognition.results;
    const [first, second] = result.transcription.utterances[0].words;
    expect(entity).toEqual({ entity_type: "EVENT", text: "Hello from", start: first.start, end: second.end });
    expect(others).toEqual([]);
    const [chapter] = result.chapterization.results;
    expect(chapter).toMatchObject({ headline: "A greeting", abstractive_summary: "Somebody says hello." });
    expect(chapter.sentences[0].sentence).toMatch(/^Hello from/);
    expect(provider.asked.map(({ body }) => body.messages[1].content).join()).toMatch(/\[0\] Hello from/);

    provider.answer = () => ({ content: "I would rather not." });
    const refused = await transcribed(service, { sentiment_analysis: true, chapterization: true });
    expect(refused.result.sentiment_analysis).toMatchObject({ success: true, results: [{ sentiment: "neutral" }] });
    expect(refused.result.chapterization.results[0]?.abstractive_summary).toBeUndefined();
  });

  test("a request is repeated after a short failure of a server; a longer failure ends only the add-on", async () => {
    provider.answer = (_, count) => (count === 0 ? { status: 503 } : { content: "Short." });
    const summary = await transcribed(service, { summarization: true });
    expect(summary.result.summarization.results).toBe("Short.");
    provider.answer = () => ({ status: 400 });
    const job = await transcribed(service, { summarization: true, sentiment_analysis: true });
    expect(job.result.summarization).toMatchObject({ success: false, error: { status_code: 502 } });
    expect(job.result.summarization.error.message).toMatch(/answered 400/);
    expect(job.result.sentiment_analysis.success).toBe(true);
  });

  test("more tokens than allowed are not used", async () => {
    provider.answer = () => ({ content: "x".repeat(9_000) });
    const prompts = ["one"];
    const { result } = await transcribed(service, { audio_to_llm: true, audio_to_llm_config: { prompts } });
    expect(result.audio_to_llm.error.message).toMatch(/PARLANCE_LLM_MAX_TOKENS/);
  });

  test("a client that closes its connection ends the request to the model and frees its place", async () => {
    provider.answer = ({ body }) =>
      /Wait/.test(JSON.stringify(body)) ? new Promise(() => undefined) : { content: "Hello [0]." };
    const { id } = await transcribed(service, {});
    const abandoned = provider.abandoned;
    const gone = new AbortController();
    const asked = Array.from({ length: 4 }, () => ask(service, id, "Wait.", gone.signal).catch(() => undefined));
    await expect.poll(() => provider.asked.length, { timeout: 30_000 }).toBe(4);
    gone.abort();
    await Promise.all(asked);
    await expect.poll(() => provider.abandoned - abandoned, { timeout: 30_000 }).toBe(4);
    // All four places of the account are free again.
    expect(await (await ask(service, id, "Who?")).text()).toMatch(/event: done/);
  });

  test("live: a translation for every final and target, with both utterances", async () => {
    provider.answer = () => ({ content: JSON.stringify({ translations: ["Bonjour"] }) });
    const { client, job } = await spoken(service, {
      realtime_processing: {
        translation: true,
        translation_config: { target_languages: ["fr", "en"] },
        sentiment_analysis: true,
      },
    });
    // During a live session, only the rules of this machine run.
    expect(client.of("sentiment_analysis")[0].data.results).toMatchObject([{ sentiment: "neutral" }]);
    const translations = client.of("translation").map(({ data }) => data);
    expect(translations.map(({ target_language }) => target_language).sort()).toEqual(["en", "en", "fr", "fr"]);
    const [final] = client.finals();
    const french = translations.find(({ target_language }) => target_language === "fr");
    expect(french).toMatchObject({
      utterance_id: final.data.id,
      original_language: "en",
      utterance: final.data.utterance,
    });
    expect(french.translated_utterance.text).toBe(" Bonjour");
    expect(job.result.translation.success).toBe(true);
  });
});
