// Runs the engine on real weights.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, test } from "vitest";
import { expectSameInBatches } from "../../../../test/fixtures/batches.ts";
import { hasWhisper, WHISPER_BASE } from "../../../../test/fixtures/recordings.ts";
import { decodeSpeech } from "../../../../test/fixtures/speech.ts";
import { WhisperModel } from "./model.ts";
import { prepareWhisper } from "./prepare.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-whisper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!hasWhisper)(
  "real weights in batches of real speech say what they say alone (needs ../shared/models)",
  async () => {
    await prepareWhisper(WHISPER_BASE, folder, { progress: () => undefined });
    const base = await WhisperModel.load(folder);
    const speech = await decodeSpeech();
    const pieces = Array.from({ length: 9 }, (_, at) => speech.slice(at * 3_000, at * 3_000 + 16_000 + at * 7_000));
    const audio = await Promise.all(pieces.map(async (samples) => (await base.encode(samples)).encoded));
    await expectSameInBatches(base, audio, 50_258, 70);
    await base.release();
  },
);
