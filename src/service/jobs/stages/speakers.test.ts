// A job whose speaker embeddings fail still has a transcript, and warnings state what its speakers lack.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { transcription } from "../../../../test/fixtures/utterances.ts";
import { readMessage } from "../../../contract/messages/read-message.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { errors } from "../../../platform/errors.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { printJsonLine } from "../../../platform/storage/json-lines.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { runAddons } from "../../intelligence/run-addons.ts";
import { speakersStage } from "./speakers.ts";
import type { StageContext } from "./stage.ts";
import { WorkFiles } from "./work-files.ts";

const SPEAKER_MODEL = "pyannote-campplus";
const MISSING = /the speaker model pyannote-campplus is not installed; the operator can add it/;

/** Warnings of the stage without its model. @param talking  number of channels with words */
async function warningsWithout(channels: number, params: object, talking = channels): Promise<string[] | undefined> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-speakers-"));
  const objects = new FileStore(folder, new Disk(false));
  try {
    const files = WorkFiles.ofAttempt("job", 1);
    const distinctChannels = Array.from({ length: channels }, (_, channel) => channel);
    const lines = distinctChannels.map((channel) => {
      const words = [{ text: "hello", startSeconds: 0, endSeconds: 1, confidence: 1 }];
      const segment = { startSample: 0, endSample: 16_000 };
      return printJsonLine({ channel, segment, language: "en", words: channel < talking ? words : [] });
    });
    await objects.put(files.recognized, lines.join(""));
    const services = {
      models: { findSpeakerModel: () => Promise.resolve(undefined) },
      speech: { fetchModels: false },
      speakerModel: SPEAKER_MODEL,
      objects,
      logger: pino({ level: "silent" }),
    };
    const context = {
      job: { id: "job", params: { diarization: true, ...params } },
      files,
      // Without a duration, there are no embeddings to compute.
      outputs: { decode: { durationSeconds: 0, distinctChannels } },
      services,
      signal: new AbortController().signal,
      progress: () => undefined,
    } as unknown as StageContext;
    return (await speakersStage.run(context)).warnings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("without the speaker model, warnings state that the encoder is used and that names are missing", async () => {
  const identify = { diarization_config: { identify_speakers: true } };
  const [encoder, names, ...others] = (await warningsWithout(1, identify)) ?? [];
  expect(encoder).toMatch(/^the speakers were distinguished by a less accurate method: /);
  expect(encoder).toMatch(MISSING);
  expect(names).toMatch(/^speakers have no names: /);
  expect(names).toMatch(MISSING);
  expect(others).toEqual([]);
  expect(await warningsWithout(2, identify)).toEqual([names]);
  expect(await warningsWithout(1, {})).toEqual([encoder]);
  expect(await warningsWithout(2, {})).toBeUndefined();
  expect([encoder, names].map((warning) => readMessage(warning ?? "")?.code)).toEqual([
    "live.speakers.encoder",
    "live.speakers.names",
  ]);
});

test("a channel without words does not separate the speakers of another channel", async () => {
  expect(await warningsWithout(2, {}, 1)).toEqual(await warningsWithout(1, {}));
});

test("a crash of the recogniser process removes the speakers, not the words", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-speakers-"));
  const objects = new FileStore(folder, new Disk(false));
  try {
    const files = WorkFiles.ofAttempt("job", 1);
    const words = [{ text: "hello", startSeconds: 0, endSeconds: 1, confidence: 1 }];
    const line = { channel: 0, segment: { startSample: 0, endSample: 16_000 }, language: "en", words };
    await objects.put(files.recognized, printJsonLine(line));
    const params = { diarization: true };
    const context = {
      job: { id: "job", params },
      files,
      outputs: { decode: { durationSeconds: 1, distinctChannels: [0] } },
      services: {
        models: { findSpeakerModel: () => Promise.resolve(undefined) },
        speech: { fetchModels: false },
        speakerModel: "",
        objects,
        recognition: { embedSpeakers: () => Promise.reject(errors.processFailed("recogniser", "it was killed")) },
        logger: pino({ level: "silent" }),
      },
      signal: new AbortController().signal,
      progress: () => undefined,
    } as unknown as StageContext;
    expect(await speakersStage.run(context)).toEqual({ pieces: 0, hasFailed: true });

    const result: TranscriptionResult = {
      metadata: { audio_duration: 1, number_of_distinct_channels: 1, billing_time: 1, transcription_time: 1 },
      transcription: transcription("Hello there."),
    };
    await runAddons(result, params, {}, { voices: null });
    expect(result["diarization"]).toMatchObject({
      success: false,
      is_empty: true,
      results: [],
      error: { message: expect.stringMatching(/could not be distinguished/) },
    });
    expect(result.transcription).toEqual(transcription("Hello there."));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
