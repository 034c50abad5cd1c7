// Whether the channels of a finished recording separate its speakers, or a speaker model has to.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { spokenIn } from "../../intelligence/process/work/add-to-result.ts";
import { laterSpeakersStage } from "./later-speakers.ts";
import type { StageContext } from "./stage.ts";

/** Runs the stage where no speaker model is installed. @param texts  what the stored result has, by channel */
async function found(texts: readonly string[], row?: object) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-later-speakers-"));
  const objects = new FileStore(folder, new Disk(false));
  try {
    const utterances = texts.map((text, channel) => ({
      ...utterance(text),
      ...(text === "" ? { words: [] } : {}),
      channel,
    }));
    await objects.put("results/first", JSON.stringify({ transcription: { utterances } }));
    const stored = row ?? { status: "done", result_key: "results/first" };
    const query = { selectAll: () => query, where: () => query, executeTakeFirst: async () => stored };
    const context = {
      job: { id: "later", addedTo: "first", params: { diarization: true } },
      outputs: { decode: { durationSeconds: 1, distinctChannels: [...texts.keys()] } },
      services: {
        database: { selectFrom: () => query },
        models: { findSpeakerModel: () => Promise.resolve(undefined) },
        speech: { fetchModels: false },
        speakerModel: "pyannote-campplus",
        objects,
        resultProcesses: {
          send: async ({ request }: { request: { stored: string } }) => ({
            kind: "spoken",
            ...(await spokenIn(request.stored)),
          }),
        },
        logger: pino({ level: "silent" }),
      },
      signal: new AbortController().signal,
      progress: () => undefined,
    } as unknown as StageContext;
    return await laterSpeakersStage.run(context);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("two channels with words separate the speakers", async () => {
  expect(await found(["Hello there.", "Hi."])).toEqual({ pieces: 0 });
});

test.each([
  ["one channel", ["Hello there."]],
  ["a second channel without words", ["Hello there.", ""]],
])("the speakers of %s need a speaker model", async (_, texts) => {
  await expect(found(texts)).rejects.toMatchObject({ code: "add_ons.failed" });
});

test("without the transcript, the add-ons are outdated", async () => {
  await expect(found(["Hello.", "Hi."], { status: "done", result_key: null })).rejects.toMatchObject({
    code: "add_ons.outdated",
  });
});
