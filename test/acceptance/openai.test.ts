// OpenAI's audio interface, with that company's own client and with the AI SDK's, both unmodified.
import { createReadStream, readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
let client: OpenAI;
beforeAll(async () => {
  service = await startService();
  client = new OpenAI({ apiKey: TEST_KEY, baseURL: `${service.base}/v1`, maxRetries: 0 });
});
afterAll(() => service.remove());

const file = () => createReadStream(HELLO_MP3);
const HELLO = /^hello from the vers?[a-z]+ a.?i.?s.?d.?k\.?$/i;

describe("openai", () => {
  test("transcribes, and keeps nothing of it", async () => {
    const answer = await client.audio.transcriptions.create({ file: file(), model: "whisper-1" });
    expect(answer.text).toMatch(HELLO);
    expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
  });

  test("every form of answer", async () => {
    const create = (response_format: "text" | "srt" | "vtt") =>
      client.audio.transcriptions.create({ file: file(), model: "gpt-4o-transcribe", response_format });
    expect(String(await create("text")).trim()).toMatch(HELLO);
    expect(String(await create("srt"))).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nhello/i);
    expect(String(await create("vtt"))).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> /);
    const verbose = await client.audio.transcriptions.create({
      file: file(),
      model: "whisper-1",
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
    });
    expect(verbose).toMatchObject({ task: "transcribe", language: "english" });
    expect(verbose.duration).toBeCloseTo(2.5, 0);
    expect(verbose.words?.[0]).toMatchObject({ word: expect.stringMatching(/hello/i) });
    expect(verbose.segments?.[0]).toMatchObject({ id: 0, temperature: 0 });
    expect(verbose.segments?.[0]?.avg_logprob).toBeLessThanOrEqual(0);
    const words = await client.audio.transcriptions.create({
      file: file(),
      model: "whisper-1",
      response_format: "verbose_json",
      timestamp_granularities: ["word"],
    });
    expect(words.segments).toBeUndefined();
    const diarized = await client.audio.transcriptions.create({
      file: file(),
      model: "gpt-4o-transcribe-diarize",
      response_format: "diarized_json",
    });
    expect((diarized as unknown as OpenAI.Audio.TranscriptionDiarized).segments).toEqual([
      expect.objectContaining({ speaker: "A", type: "transcript.text.segment" }),
    ]);
    const probable = await client.audio.transcriptions.create({
      file: file(),
      model: "gpt-4o-transcribe",
      include: ["logprobs"],
    });
    expect(probable.logprobs?.map(({ token }) => token).join("")).toMatch(HELLO);
  });

  test("streams text as it becomes known; together the pieces are the text", async () => {
    const speech = repeated(await decodeSpeech(), 24, 6);
    const events = await client.audio.transcriptions.create({
      file: await toFile(wav([speech]), "long.wav"),
      model: "gpt-4o-mini-transcribe",
      stream: true,
    });
    let told = "";
    let deltas = 0;
    let whole: string | undefined;
    for await (const event of events) {
      if (event.type === "transcript.text.delta") {
        told += event.delta;
        deltas++;
      }
      if (event.type === "transcript.text.done") {
        whole = event.text;
        expect(event.usage).toEqual({ type: "tokens", input_tokens: 0, output_tokens: 0, total_tokens: 0 });
      }
    }
    expect(whole).toBe(told);
    expect(deltas).toBeGreaterThan(1);
    expect(whole?.match(/hello/gi)).toHaveLength(24);
  });

  test("a language and a prompt with names are heeded", async () => {
    const answer = await client.audio.transcriptions.create({
      file: file(),
      model: "whisper-1",
      language: "en",
      prompt: "Vercel",
    });
    expect(answer.text).toMatch(/^Hello from the Vercel /);
  });

  test("fields that change nothing are named in a header", async () => {
    const { response } = await client.audio.transcriptions
      .create({
        file: file(),
        model: "whisper-1",
        temperature: 0.5,
        prompt: "what was said before the recording began goes on.",
      })
      .withResponse();
    expect(response.headers.get("x-parlance-warnings")).toMatch(
      /^temperature has no effect: .*; prompt has no effect: /,
    );
  });

  test("keywords become the vocabulary; languages and a chunking strategy are heeded", async () => {
    const answer = await client.audio.transcriptions.create({
      file: file(),
      model: "gpt-transcribe",
      keywords: ["Vercel", ...Array.from({ length: 40 }, (_, index) => `Unspoken${index}`)],
      languages: ["en-US"],
      chunking_strategy: "auto",
    } as never);
    expect((answer as { text: string }).text).toMatch(/^Hello from the Vercel /);
    expect(answer).toMatchObject({ languages: [{ code: "en" }] });
    const spanish = client.audio.transcriptions.create({
      file: file(),
      model: "gpt-transcribe",
      languages: ["Spanish"],
    } as never);
    await expect(spanish).rejects.toMatchObject({ status: 422, message: expect.stringMatching(/recognises es/) });
    const known = client.audio.transcriptions.create({
      file: file(),
      model: "gpt-4o-transcribe-diarize",
      response_format: "diarized_json",
      known_speaker_names: ["agent"],
      known_speaker_references: ["data:audio/wav;base64,AAAA"],
    });
    await expect(known).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/known_speaker_references of agent: /),
    });
    const { data, response } = await client.audio.transcriptions
      .create({
        file: file(),
        model: "gpt-4o-transcribe",
        chunking_strategy: { type: "server_vad", threshold: 0.4 },
      })
      .withResponse();
    expect(data.text).toMatch(/hello/i);
    expect(response.headers.get("x-parlance-warnings")).toMatch(/^chunking_strategy\.threshold has no effect: /);
  });

  test("the translation of English speech into English is the transcript", async () => {
    const answer = await client.audio.translations.create({ file: file(), model: "whisper-1" }).catch((error) => error);
    // Without a multilingual model or a provider nothing translates: the message names the setting.
    if (answer instanceof OpenAI.APIError) expect(answer.message).toMatch(/PARLANCE_|models add/);
    else expect(answer.text).toMatch(/hello/i);
  });

  test("models are listed and found", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(expect.arrayContaining(["whisper-1", "moonshine-base-en"]));
    expect((await client.models.retrieve("moonshine-tiny-en")).id).toBe("moonshine-tiny-en");
    await expect(client.models.retrieve("gpt-17")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("errors are the client's own classes, with a remedy", async () => {
    const wrong = new OpenAI({ apiKey: "wrong", baseURL: `${service.base}/v1`, maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    await expect(wrong.models.list()).rejects.toThrow(/Incorrect API key provided/);
    const without = await call(service, "GET", "/v1/models", { key: null });
    expect(without.json.error).toMatchObject({
      code: "invalid_api_key",
      message: expect.stringMatching(/provide an API key/),
    });
    expect(without.text).not.toMatch(/gladia/i);
    const create = (params: object) =>
      client.audio.transcriptions.create({ file: file(), model: "whisper-1", ...params } as never);
    await expect(create({ model: "nonsense" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
      param: "model",
    });
    await expect(create({ language: "klingon" })).rejects.toMatchObject({ status: 400, param: "language" });
    await expect(create({ response_format: "xml" })).rejects.toMatchObject({ status: 400, param: "response_format" });
    await expect(create({ temperature: 7 })).rejects.toMatchObject({ status: 400, param: "temperature" });
    await expect(create({ file: await toFile(Buffer.from("no audio at all"), "x.mp3") })).rejects.toMatchObject({
      status: 400,
    });
    await expect(create({ file: await toFile(wav([silence(1)]), "x.wav"), language: "es" })).rejects.toMatchObject({
      status: 422,
    });
    expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
  });

  test("a client that goes away leaves no job behind", async () => {
    const speech = repeated(await decodeSpeech(), 40, 1);
    const abort = new AbortController();
    const asked = client.audio.transcriptions.create(
      { file: await toFile(wav([speech]), "long.wav"), model: "whisper-1" },
      { signal: abort.signal },
    );
    asked.catch(() => undefined);
    const count = async () => (await call(service, "GET", "/v2/transcription")).json.items.length;
    while ((await count()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    await expect(asked).rejects.toThrow();
    for (let tries = 0; (await count()) > 0 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await count()).toBe(0);
  });
});

describe("@ai-sdk/openai", () => {
  test("transcribes with word times, and reports errors", async () => {
    const openai = createOpenAI({ apiKey: TEST_KEY, baseURL: `${service.base}/v1` });
    const audio = new Uint8Array(readFileSync(HELLO_MP3));
    const answer = await openai.transcription("whisper-1").doGenerate({
      audio,
      mediaType: "audio/mpeg",
      providerOptions: { openai: { timestampGranularities: ["word"] } },
    });
    expect(answer.text).toMatch(HELLO);
    expect(answer.segments.length).toBeGreaterThan(0);
    expect(answer.durationInSeconds).toBeCloseTo(2.5, 0);
    expect(answer.language).toBe("en");
    const keyed = await openai.transcription("gpt-transcribe").doGenerate({
      audio,
      mediaType: "audio/mpeg",
      providerOptions: { openai: { keywords: ["Vercel"], languages: ["en"] } },
    });
    expect(keyed.text).toMatch(/^Hello from the Vercel /);
    const timed = await openai.transcription("gpt-4o-transcribe").doGenerate({
      audio,
      mediaType: "audio/mpeg",
      providerOptions: { openai: { timestampGranularities: ["word"], temperature: 0.2, language: "en" } },
    });
    expect(timed.text).toMatch(HELLO);
    expect(timed.response.headers?.["x-parlance-warnings"]).toMatch(/timestamp_granularities has no effect/);
    const wrong = createOpenAI({ apiKey: "wrong", baseURL: `${service.base}/v1` });
    await expect(wrong.transcription("whisper-1").doGenerate({ audio, mediaType: "audio/mpeg" })).rejects.toMatchObject(
      { statusCode: 401 },
    );
  });
});
