// Speech in other languages on an installation that has the English models alone, without a language in the request; skipped
// where ../shared is missing.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasShared, SHARED, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

const FOREIGN = ["de", "es", "fr", "it", "pt"];
const recording = (name: string) => readFileSync(path.join(SHARED, `${name}.flac`));
const samplesOf = (name: string) => decodeSpeech(path.join(SHARED, `${name}.flac`));

function joined(...parts: Float32Array[]): Float32Array {
  const pause = new Float32Array(16_000);
  return Float32Array.from(parts.flatMap((part) => [...part, ...pause]));
}

async function spoken(service: RunningService, samples: Float32Array, body: object = {}) {
  const { id, url } = await createSession(service, { sample_rate: 16_000, endpointing: 1.2, ...body });
  const client = await LiveClient.connect(url);
  client.send(encodePcm([samples]));
  client.stop();
  await client.closed;
  return { client, job: (await call(service, "GET", `/v2/live/${id}`)).json };
}

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

  test("English is not refused: read, with accents, in meetings, of a second", async () => {
    const names = ["speech-en", "reading-03", "order-07", "order-12", "order-33", "meeting-dev00", "speech-1961-en"];
    const ids = await Promise.all(names.map((name) => submit(service, recording(name))));
    for (const [at, id] of ids.entries()) {
      const { status, result } = await finished(service, id);
      expect(status, names[at]).toBe("done");
      expect(result.transcription.utterances.length, names[at]).toBeGreaterThan(0);
      expect(result.metadata, names[at]).not.toHaveProperty("warnings");
    }
  });

  test("of a recording in two languages the English part stays, with a warning", async () => {
    const english = await samplesOf("speech-en");
    const foreign = await Promise.all(["es", "fr", "it", "es", "de", "fr"].map((code) => samplesOf(`speech-${code}`)));
    const both = wav([joined(english, english, english, ...foreign)]);
    const { result } = await finished(service, await submit(service, both));
    expect(result.transcription.full_transcript).toMatch(/gospel/);
    expect(result.transcription.utterances.at(-1).end).toBeLessThan((3 * english.length) / 16_000 + 4);
    expect(result.metadata.warnings).toEqual([expect.stringMatching(/s of speech were left out\. .*not in English/)]);
  });

  test("each channel is judged separately", async () => {
    const channels = [await samplesOf("speech-en"), await samplesOf("speech-it")];
    const { result } = await finished(service, await submit(service, wav(channels)));
    expect(new Set(result.transcription.utterances.map(({ channel }: { channel: number }) => channel))).toEqual(
      new Set([0]),
    );
    expect(result.metadata.warnings).toHaveLength(1);
  });

  test("quiet English has all of its words, also right behind a louder speaker", async () => {
    const expected: [string, RegExp][] = [
      ["quiet-40dB", /^And so my fellow Americans\W+Ask not\W+what your country can do for you\W+ask what you can do/i],
      ["loud-then-quiet-voice", /country\W+For although the Chinese took impressions/],
    ];
    for (const [name, text] of expected) {
      const file = path.join(SHARED, "..", "cases", `${name}.flac`);
      if (!existsSync(file)) continue;
      const { result } = await finished(service, await submit(service, readFileSync(file)));
      expect(result.transcription.full_transcript).toMatch(text);
    }
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

  test("a live session in English and then another language keeps the English, with a warning", async () => {
    const english = await samplesOf("speech-en");
    const foreign = await Promise.all(["es", "fr", "it", "es", "fr", "it"].map((code) => samplesOf(`speech-${code}`)));
    const { client, job } = await spoken(service, joined(english, ...foreign));
    expect(client.text()).toMatch(/gospel/);
    const foreignSeconds = foreign.reduce((sum, { length }) => sum + length / 16_000, 0);
    expect(client.finals().at(-1).data.utterance.end).toBeLessThan(english.length / 16_000 + 0.75 * foreignSeconds);
    expect(job.status).toBe("done");
    expect(job.result.metadata.warnings).toEqual([expect.stringMatching(/not in English/)]);
  });

  test("a live session in English has no warning", async () => {
    const { client, job } = await spoken(service, await samplesOf("order-07"));
    expect(client.of("error")).toEqual([]);
    expect(job.result.metadata).not.toHaveProperty("warnings");
  });
});
