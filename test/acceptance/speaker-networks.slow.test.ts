// Recordings are diarized by an installed speaker model; if its files are damaged, by the recogniser's encoder, and the result says so.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SpeakerTurn, Utterance } from "../../src/contract/transcript/transcript.ts";
import { SPEAKER_MODEL } from "../../src/service/models/catalogue.ts";
import type { ModelStore } from "../../src/service/models/store.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

let folder: string;
let store: ModelStore;
let service: RunningService;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-speaker-networks-"));
  store = await tinySpeakerModels(folder);
  speech = await decodeSpeech();
  service = await startService({ environment: { PARLANCE_MODELS_DIR: store.folder } });
});
afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function diarized(audio: Buffer) {
  const job = await finished(service, await submit(service, audio, { diarization: true }));
  expect(job.status).toBe("done");
  expect(job.result.diarization).toBeUndefined();
  return job.result;
}

test("turns and the method are in the result, and every word has a speaker", async () => {
  const { metadata, transcription } = await diarized(wav([repeated(speech, 3, 1)]));
  expect(metadata.diarization).toEqual({ method: "networks", model: SPEAKER_MODEL });
  expect(transcription.speaker_turns.length).toBeGreaterThan(0);
  for (const { start, end } of transcription.speaker_turns as SpeakerTurn[]) {
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(metadata.audio_duration);
  }
  for (const { speaker, words, start, end } of transcription.utterances as Utterance[]) {
    expect(speaker).toBeGreaterThanOrEqual(0);
    expect(words[0]?.start).toBeGreaterThanOrEqual(start);
    expect(words.at(-1)?.end).toBeLessThanOrEqual(end);
  }
});

test("silence has no turns and no words", async () => {
  const { transcription } = await diarized(wav([silence(5)]));
  expect(transcription.utterances).toEqual([]);
  expect(transcription.speaker_turns ?? []).toEqual([]);
});

test("with a damaged model, the encoder finds the speakers, and the result names it", async () => {
  const installed = path.join(store.folder, SPEAKER_MODEL, "voices.onnx");
  writeFileSync(installed, "not a network");
  const other = await startService({ environment: { PARLANCE_MODELS_DIR: store.folder } });
  try {
    const job = await finished(other, await submit(other, wav([speech]), { diarization: true }));
    expect(job.result.metadata.diarization).toEqual({ method: "encoder" });
    expect(job.result.metadata.warnings).toEqual([
      expect.stringMatching(/by a less accurate method: the speaker model failed$/),
    ]);
    expect(job.result.transcription.utterances[0].speaker).toBe(0);
  } finally {
    await other.remove();
  }
});
