// Speech in another language than English on an installation that may fetch the multilingual model: with real weights, from a
// hub of our own. Skipped where ../shared/models is missing.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHub } from "../fixtures/hub.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasWhisper, SHARED, WHISPER_BASE } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, ready, startService, submit } from "../service.ts";

/** Nothing listens there. */
const DEAD_HUB = "http://127.0.0.1:9";
const CHECKPOINT_FILES = [
  "config.json",
  "generation_config.json",
  "tokenizer.json",
  "preprocessor_config.json",
  "model.safetensors",
];
const MAY_FETCH = { PARLANCE_FETCH_MODELS: "true", PARLANCE_MULTILINGUAL_MODEL: "whisper-base" };
/** Followed by a pause that ends the utterance. */
const joined = (speech: Float32Array) => Float32Array.from([...speech, ...new Float32Array(32_000)]);
const recording = (name: string) => readFileSync(path.join(SHARED, `${name}.flac`));

describe.skipIf(!hasWhisper)(
  "with a hub that has the multilingual model (skipped where ../shared/models is missing)",
  () => {
    test("if it cannot be fetched, the job ends with a remedy, and English is transcribed", async () => {
      const offline = await startService({ environment: { ...MAY_FETCH, PARLANCE_MODELS_URL: DEAD_HUB } });
      try {
        await ready(offline);
        const german = await submit(offline, recording("speech-de"));
        expect((await finished(offline, await submit(offline, recording("speech-en")))).status).toBe("done");
        expect(await finished(offline, german)).toMatchObject({
          status: "error",
          error_code: 422,
          error_message: expect.stringMatching(/not in English.*whisper-base could not be fetched/),
        });
      } finally {
        await offline.remove();
      }
    });

    test("it is fetched; a recording is transcribed in its language, and so is an open live session from then on", async () => {
      const checkpoint = new Map(CHECKPOINT_FILES.map((file) => [file, readFileSync(path.join(WHISPER_BASE, file))]));
      const hub = await startHub({ "openai/whisper-base": checkpoint });
      onTestFinished(() => hub.close());
      const service = await startService({
        // A session without audio is ended after a while by default; fetching and preparing the model takes longer on a busy machine.
        environment: { ...MAY_FETCH, PARLANCE_MODELS_URL: hub.url, PARLANCE_LIVE_IDLE_SECONDS: "600" },
      });
      onTestFinished(() => service.remove());
      await ready(service);
      const speech = encodePcm([joined(await decodeSpeech(path.join(SHARED, "speech-es.flac")))]);
      const { id: session, url } = await createSession(service, { sample_rate: 16_000, endpointing: 1.2 });
      const client = await LiveClient.connect(url);
      client.send(speech);
      await client.message(({ type }) => type === "error");
      const { status, result } = await finished(service, await submit(service, recording("speech-es")));
      expect(status).toBe("done");
      expect(result.transcription.languages).toEqual(["es"]);
      expect(result.transcription.full_transcript).toMatch(/arena/i);
      expect(result.metadata).not.toHaveProperty("warnings");
      client.send(speech);
      client.stop();
      expect(await client.closed).toMatchObject({ code: 1000 });
      const live = (await call(service, "GET", `/v2/live/${session}`)).json.result;
      expect(live.transcription.languages).toEqual(["es"]);
      expect(live.transcription.full_transcript).toMatch(/arena/i);
      expect(live.metadata.warnings).toEqual([expect.stringMatching(/not in English/)]);
    }, 240_000);
  },
);
