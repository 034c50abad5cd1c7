// A job whose speaker embeddings fail still has a transcript.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { transcription } from "../../../../test/fixtures/utterances.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { errors } from "../../../platform/errors.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { printJsonLine } from "../../../platform/storage/json-lines.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { runAddons } from "../../intelligence/run-addons.ts";
import { speakersStage } from "./speakers.ts";
import type { StageContext } from "./stage.ts";
import { WorkFiles } from "./work-files.ts";

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
