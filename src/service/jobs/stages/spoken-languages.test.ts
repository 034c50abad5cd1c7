import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { SegmentTask } from "./segment-recognition.ts";
import { findLanguages } from "./spoken-languages.ts";
import type { StageContext } from "./stage.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "spoken-languages-"));
});
afterAll(() => rm(folder, { recursive: true }));

const task = (channel: number, start: number, seconds: number): SegmentTask => ({
  channel,
  segment: { startSample: start * SAMPLE_RATE, endSample: (start + seconds) * SAMPLE_RATE },
});

const PLAN = { model: "whisper", languages: ["en", "es"], isSwitching: false } as unknown as SpeechPlan;

/** @param languages  what is detected in each channel, with its probability */
async function found(name: string, tasks: readonly SegmentTask[], languages: readonly [string, number][]) {
  const detected: string[] = [];
  const recognize = async (_: string, { audio }: { audio: { file: string } }) => {
    const [language, probability] = languages[Number(audio.file)] as [string, number];
    detected.push(language);
    const other = language === "en" ? "es" : "en";
    return {
      words: [],
      language,
      languageProbabilities: [
        [language, probability],
        [other, 1 - probability],
      ],
    };
  };
  const context = {
    job: { id: "job", accountId: "account", params: {} },
    files: { detectedLanguages: path.join(folder, name), channel: String },
    services: {
      objects: { localPath: async (key: string) => key },
      recognition: { capabilitiesOf: async () => ({ bearsPauses: false }), capacity: 1, recognize },
      logger: { info: () => {} },
    },
    signal: new AbortController().signal,
    priority: "recorded",
  } as unknown as StageContext;
  const { languageOf, confidence } = await findLanguages(PLAN, tasks, context, () => {});
  return { languages: tasks.map(languageOf), confidence, detected };
}

test("two channels have their own languages", async () => {
  const tasks = [task(0, 0, 13), task(0, 15, 5), task(1, 3, 4), task(1, 20, 5)];
  const { languages, confidence } = await found("two", tasks, [
    ["en", 0.9],
    ["es", 0.95],
  ]);
  expect(languages).toEqual(["en", "en", "es", "es"]);
  // There is no one language of the whole recording.
  expect(confidence).toBeUndefined();
});

test.each([
  ["says one short word", 0.8, 0.95],
  ["is not clearly in another language", 4, 0.45],
])("a channel that %s takes the language of all", async (name, seconds, probability) => {
  const tasks = [task(0, 0, 13), task(1, 3, seconds)];
  const { languages, confidence } = await found(name, tasks, [
    ["en", 0.9],
    ["es", probability],
  ]);
  expect(languages).toEqual(["en", "en"]);
  expect(confidence).toBeLessThan(0.9);
});

test("the first seconds of each channel are examined", async () => {
  const tasks = [...Array.from({ length: 9 }, (_, at) => task(0, 4 * at, 4)), task(1, 0, 13), task(1, 20, 4)];
  const { languages, confidence, detected } = await found("first", tasks, [
    ["en", 0.9],
    ["en", 0.8],
  ]);
  expect(new Set(languages)).toEqual(new Set(["en"]));
  expect(confidence).toBeCloseTo(0.848);
  expect(detected).toHaveLength(4);
});
