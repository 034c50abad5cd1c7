// Speech in another language than English on an installation that may fetch the multilingual model: with real weights, from a
// hub of our own. Skipped where ../shared/models is missing. models.slow.test.ts: where the model cannot be fetched.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHub } from "../fixtures/hub.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasWhisper, SHARED, WHISPER_BASE } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, ready, startService, submit } from "../service.ts";

const CHECKPOINT_FILES = [
  "config.json",
  "generation_config.json",
  "tokenizer.json",
  "preprocessor_config.json",
  "model.safetensors",
];
const SPANISH = path.join(SHARED, "speech-es.flac");
/** Followed by a pause that ends the utterance. */
const joined = (speech: Float32Array) => Float32Array.from([...speech, ...new Float32Array(32_000)]);

describe.skipIf(!hasWhisper)(
  "with a hub that has the multilingual model (skipped where ../shared/models is missing)",
  () => {
    test("it is fetched; a recording is transcribed in its language, and so is an open live session from then on", async () => {
      const checkpoint = new Map(CHECKPOINT_FILES.map((file) => [file, readFileSync(path.join(WHISPER_BASE, file))]));
      const hub = await startHub({ "openai/whisper-base": checkpoint });
      onTestFinished(() => hub.close());
      const service = await startService({
        environment: {
          PARLANCE_FETCH_MODELS: "true",
          PARLANCE_MULTILINGUAL_MODEL: "whisper-base",
          PARLANCE_MODELS_URL: hub.url,
          // A session without audio is ended after a while by default; fetching and preparing the model takes longer on a busy machine.
          PARLANCE_LIVE_IDLE_SECONDS: "600",
        },
      });
      onTestFinished(() => service.remove());
      await ready(service);
      const speech = encodePcm([joined(await decodeSpeech(SPANISH))]);
      const { id: session, url } = await createSession(service, { sample_rate: 16_000, endpointing: 1.2 });
      const client = await LiveClient.connect(url);
      client.send(speech);
      await client.message(({ type }) => type === "error");
      // It waits until the model is fetched and prepared.
      const { status, result } = await finished(service, await submit(service, readFileSync(SPANISH)), 240_000);
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
    }, 400_000);
  },
);
