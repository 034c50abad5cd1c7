// The longest sessions in a real result process: neither its requests nor its answers occupy this thread for long.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { turnsOf } from "../../../../test/fixtures/thread-time.ts";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { childEnvironment } from "../../../platform/config/load.ts";
import { computeAddon } from "./calls/addon.ts";
import { divideBySpeakers } from "./calls/diarization.ts";
import { ResultProcesses } from "./result-processes.ts";

/** Processor time of one turn of the event loop. Collections of garbage and first compilations are a part of it. */
const MOST_MILLISECONDS = 150;
const TRIES = 3;
/** Three hours of eight people who speak at once: 216,000 words. */
const [UTTERANCES, WORDS, SECONDS] = [10_800, 20, 10_800];
const TEXT = Array.from({ length: WORDS }, (_, at) => `word${at}`).join(" ");

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-large-"));
const limits = { calls: 1, callsPerTenant: 1, requests: 1, requestsPerTenant: 1 };
const processes = new ResultProcesses(childEnvironment(folder), {}, limits);
afterAll(async () => {
  await processes.stop();
  rmSync(folder, { recursive: true, force: true });
});

const utterances = Array.from({ length: UTTERANCES }, (_, at) => utterance(TEXT, at, at % 8));
const transcription = { full_transcript: utterances.map(({ text }) => text).join(" "), languages: ["en"], utterances };

test.each([
  [
    "speakers",
    async () => {
      const params = { diarization: true, diarization_config: {} };
      const diarized = await divideBySpeakers(processes, "account", { transcription, params, audioSeconds: SECONDS });
      expect(diarized.answer.error).toBeNull();
      return diarized.transcription.utterances;
    },
  ],
  [
    "an add-on",
    async () => {
      const params = { display_mode: true } as never;
      const { results } = await computeAddon(processes, "account", "display_mode", transcription, params);
      return results as unknown[];
    },
  ],
])("%s", { timeout: 180_000 }, async (what, work) => {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= MOST_MILLISECONDS; tries++) {
    const cost = await turnsOf(work);
    expect(cost.result.length).toBeGreaterThanOrEqual(UTTERANCES / 10);
    if (process.env["SHOW_TURNS"]) process.stderr.write(`${what} ${cost.longest}, all ${cost.all}\n`);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(MOST_MILLISECONDS);
});
