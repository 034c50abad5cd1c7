// Speech in other languages on an installation that has the English models alone, without a language in the request; skipped
// where ../shared is missing. foreign-speech.slow.test.ts: what stays of recordings and sessions in two languages, English that could be
// taken for another language.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joined, recording, samplesOf, spoken } from "../fixtures/foreign-speech.ts";
import { hasShared, wav } from "../fixtures/recordings.ts";
import { finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

// recordings.slow.test.ts: all of them.
const FOREIGN = ["de", "es"];

describe.skipIf(!hasShared)("without a model for other languages (skipped where ../shared is missing)", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    await ready(service);
  });
  afterAll(() => service.remove());

  test("a recording in another language ends as an error with a remedy", async () => {
    const ids = await Promise.all(FOREIGN.map((code) => submit(service, recording(`speech-${code}`))));
    for (const id of ids) {
      expect(await finished(service, id)).toMatchObject({
        status: "error",
        error_code: 422,
        error_message: expect.stringMatching(/not in English.*npx --no-install parlance models add whisper-small/),
      });
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
    expect(job).toMatchObject({
      status: "error",
      error_code: 422,
      error_message: expect.stringMatching(/not in English/),
    });
  });

  test("a live session in English has no warning", async () => {
    const { client, job } = await spoken(service, await samplesOf("order-07"));
    expect(client.of("error")).toEqual([]);
    expect(job.result.metadata).not.toHaveProperty("warnings");
  });
});
