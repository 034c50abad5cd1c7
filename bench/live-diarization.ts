// Delays of finals and of shown words of live sessions, with and without diarization.
// Streams recordings of ../shared in real time, with the speaker model of ../shared/models. Option: the number of concurrent sessions.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ready, startService } from "../test/service.ts";
import { continuous, stream } from "./live-stream.ts";
import { loadRecordings } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { milliseconds, printResults, type Result, saveResults } from "./table.ts";

const sessions = Number(process.argv[2] ?? 1);
const SECONDS = 60;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-live-diarization-"));
await installSpeakerModel(folder);
const spoken = await loadRecordings(({ transcript }) => transcript !== undefined);

async function measured(diarization: boolean): Promise<Result> {
  const service = await startService({ environment: { PARLANCE_MODELS_DIR: folder } });
  await ready(service);
  const body = { diarization, messages_config: { receive_partial_transcripts: true, receive_acknowledgments: false } };
  const outcomes = await Promise.all(
    Array.from({ length: sessions }, (_, index) => stream(service, continuous(spoken, index * 3, SECONDS), body, 0.3)),
  );
  await service.remove();
  const finals = outcomes.flatMap(({ finalDelays }) => finalDelays);
  const words = outcomes.flatMap(({ partialDelays }) => partialDelays);
  return {
    name: diarization ? "with diarization" : "without",
    values: {
      "final median ms": milliseconds(finals, 0.5),
      "final 95 % ms": milliseconds(finals, 0.95),
      "word median ms": milliseconds(words, 0.5),
      "word 95 % ms": milliseconds(words, 0.95),
    },
  };
}

const results = [await measured(false), await measured(true)];
rmSync(folder, { recursive: true, force: true });
printResults(`Live sessions at once: ${sessions}`, results);
saveResults("live-diarization", results);
