// Speech in other languages on an installation that has the English models alone, without a language in the request; skipped
// where ../shared is missing. foreign-speech.slow.test.ts: what stays of recordings and sessions in two languages, English that could be
// taken for another language.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joined, recording, samplesOf, spoken, withInaudibleNoise, withNoise } from "../fixtures/foreign-speech.ts";
import { RealtimeClient } from "../fixtures/realtime-client.ts";
import { hasShared, wav } from "../fixtures/recordings.ts";
import { encodePcm } from "../fixtures/speech.ts";
import { finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

const SEEDS = [1, 2, 3];

/** A refusal, or the warnings of a result. */
const messagesOf = ({ error_message: refusal, result }: Awaited<ReturnType<typeof finished>>): string[] =>
  result ? (result.metadata.warnings ?? []) : [refusal];

describe.skipIf(!hasShared)("without a model for other languages (skipped where ../shared is missing)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await ready(service);
  });
  afterAll(() => service.remove());

  test("a recording in another language ends as an error with a remedy", async () => {
    expect(await finished(service, await submit(service, recording("speech-es")))).toMatchObject({
      status: "error",
      error_code: 422,
      error_message: expect.stringMatching(/not in English.*npx --no-install parlance models add whisper-small/),
    });
  });

  test("whatever the rounding of the processor: it is refused or has a warning", async () => {
    const german = await samplesOf("speech-de");
    const variants = SEEDS.map((seed) => wav([withInaudibleNoise(german, seed)]));
    const ids = await Promise.all([recording("speech-de"), ...variants].map((bytes) => submit(service, bytes)));
    for (const id of ids) {
      expect(messagesOf(await finished(service, id))).toEqual([
        expect.stringMatching(/not (be )?in English.*npx --no-install parlance models add whisper-small/),
      ]);
    }
  });

  test("in noise it is refused or has a warning, which clients of OpenAI's interface get in a header and in JSON", async () => {
    const noisy = wav([withNoise(await samplesOf("speech-de"), 5)]);
    for (const format of ["json", "text"]) {
      const form = new FormData();
      form.set("file", new Blob([noisy]), "speech.wav");
      form.set("model", "whisper-1");
      form.set("response_format", format);
      const response = await fetch(`${service.base}/v1/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${TEST_KEY}` },
        body: form,
      });
      const text = await response.text();
      const isRefused = response.status === 422;
      const warning = isRefused ? text : response.headers.get("x-parlance-warnings");
      expect(warning).toMatch(/not (be )?in English/);
      if (!isRefused && format === "json") expect(JSON.parse(text).warnings).toEqual([warning]);
    }
  });

  test("each channel is judged separately", async () => {
    const channels = [await samplesOf("speech-en"), await samplesOf("speech-it")];
    const { result } = await finished(service, await submit(service, wav(channels)));
    expect(new Set(result.transcription.utterances.map(({ channel }: { channel: number }) => channel))).toEqual(
      new Set([0]),
    );
    expect(result.metadata.warnings).toHaveLength(1);
  });

  test("a request that names English is transcribed in English", async () => {
    const id = await submit(service, recording("speech-de"), { language_config: { languages: ["en"] } });
    expect((await finished(service, id)).status).toBe("done");
  });

  test("clients of OpenAI's interface get the same error, streamed or not", async () => {
    for (const stream of ["false", "true"]) {
      const form = new FormData();
      form.set("file", new Blob([recording("speech-fr")]), "speech.flac");
      form.set("model", "whisper-1");
      form.set("stream", stream);
      const response = await fetch(`${service.base}/v1/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${TEST_KEY}` },
        body: form,
      });
      const text = await response.text();
      expect(text).toMatch(/not in English/);
      expect(text).not.toMatch(/text\.delta/);
      if (stream === "false") expect(response.status).toBe(422);
    }
  });

  test("a live session warns once, sends no words, and its job ends as an error", async () => {
    const { client, job } = await spoken(service, joined(await samplesOf("speech-es"), await samplesOf("speech-es")));
    expect(client.of("error")).toMatchObject([
      { data: { code: "language_unavailable", message: expect.stringMatching(/not in English/) } },
    ]);
    expect(client.finals()).toEqual([]);
    expect(client.of("unrecognized_speech").length).toBeGreaterThan(0);
    expect(job).toMatchObject({
      status: "error",
      error_code: 422,
      error_message: expect.stringMatching(/not in English/),
    });
  });

  test("each committed item of OpenAI's Realtime interface fails", async () => {
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const client = await RealtimeClient.connect(service, { headers });
    client.configure({ turn_detection: null, format: { type: "audio/pcm", rate: 16_000 } });
    const spanish = encodePcm([joined(await samplesOf("speech-es"))]);
    for (let item = 1; item <= 2; item++) {
      client.append(spanish);
      client.commit();
      await client.received("failed", item);
    }
    client.socket.close();
    const { failed, completed } = { failed: client.of("failed"), completed: client.of("completed") };
    expect(failed.map(({ error }) => error.code)).toEqual(["language_unavailable", "language_unavailable"]);
    expect(completed).toEqual([]);
  });

  test("a live session in English has no warning", async () => {
    const { client, job } = await spoken(service, await samplesOf("order-07"));
    expect(client.of("error")).toEqual([]);
    expect(job.result.metadata).not.toHaveProperty("warnings");
  });
});
