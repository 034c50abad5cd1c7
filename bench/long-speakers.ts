// Long recordings with speakers, through the service: audio seconds a second with recognition, memory of all processes, and whether the time
// grows linearly. Meetings of ../shared/data with eight people together, joined one after another. Needs Linux, for /proc.
// Usage: [--minutes 10,180]; the first length is also transcribed without speakers, and --minutes 0 only measures the clustering.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SPEAKER_MODEL } from "../src/service/models/catalogue.ts";
import { loadSpeakerNetworks } from "../src/speech/engines/speaker-networks/load.ts";
import { voicesOfPieces } from "../src/speech/speakers/piece-voices.ts";
import { findPieces, WindowedSpeakers } from "../src/speech/speakers/pieces.ts";
import { diarizeLines, piecesLine, type SpeakerLine, windowsLine } from "../src/speech/speakers/recorded-speakers.ts";
import {
  FRAME_SAMPLES,
  RECORDED_STRIDE,
  STEP_SAMPLES,
  startFrameOf,
  WINDOW_SAMPLES,
  windowCount,
} from "../src/speech/speakers/speaker-networks.ts";
import { wav } from "../test/fixtures/recordings.ts";
import { call, doneJob, type RunningService, ready, startService, upload } from "../test/service.ts";
import { peakWhile } from "./process-memory.ts";
import { joined, loadRecordings, type Recording } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const PEOPLE = 8;
/** Of the meetings. */
const EXCERPT_SECONDS = 30;
const MOST_BYTES = 2e9;
/** Audio seconds a second on two cores. */
const LEAST_SPEED = 45;
const TIMEOUT_MILLISECONDS = 3_600_000;

const peopleIn = (recordings: readonly Recording[]) =>
  new Set(recordings.flatMap(({ speakers = [] }) => speakers.map(({ speaker }) => speaker)));

/** Recordings, most speech first, as long as they have no more than this many people together. */
function castOf(recordings: readonly Recording[], people: number): Recording[] {
  const cast: Recording[] = [];
  const speech = ({ speakers = [] }: Recording) => speakers.reduce((sum, { start, end }) => sum + end - start, 0);
  for (const one of [...recordings].sort((left, right) => speech(right) - speech(left))) {
    if (peopleIn([...cast, one]).size <= people) cast.push(one);
  }
  return cast;
}

async function transcribed(service: RunningService, audio: string, params: object) {
  const started = performance.now();
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: audio, ...params } });
  let result: Awaited<ReturnType<typeof doneJob>> | undefined;
  const work = doneJob(service, json.id, TIMEOUT_MILLISECONDS).then((found) => {
    result = found;
  });
  const peak = await peakWhile(service.processId, work);
  return { seconds: (performance.now() - started) / 1000, peak, result };
}

const models = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-models-"));
const store = await installSpeakerModel(models);
const cast = castOf(await loadRecordings(({ speakers }) => speakers !== undefined), PEOPLE);

/**
 * Time and memory of the step that clusters voices and makes turns, for 45 minutes to 3 hours: the time of a minute must not grow. The
 * networks run once; their windows and voices repeat.
 */
async function clustering(): Promise<Result[]> {
  const networks = await loadSpeakerNetworks((await store.findSpeakerModel(SPEAKER_MODEL))?.folder ?? "");
  const samples = joined(cast, cast.length * EXCERPT_SECONDS);
  const count = windowCount(samples.length, RECORDED_STRIDE);
  const frames = await networks.segment(samples, count, RECORDED_STRIDE);
  const pieces = findPieces(new WindowedSpeakers([{ first: 0, stride: RECORDED_STRIDE, frames }]));
  const { pieces: voiced, ...voices } = await voicesOfPieces(pieces, async (ranges, excerpts) => {
    const stretches = ranges.map(({ start, end }) => samples.slice(start * FRAME_SAMPLES, end * FRAME_SAMPLES));
    return { voices: await networks.voices(stretches, excerpts), dimensions: networks.dimensions };
  });
  await networks.close();
  const steps = (count + WINDOW_SAMPLES / STEP_SAMPLES) * RECORDED_STRIDE;
  const found: Result[] = [];
  let first = 0;
  for (const minutes of [45, 90, 180]) {
    const lines: SpeakerLine[] = [];
    for (let at = 0; at < minutes * 60; at += steps) {
      lines.push(windowsLine(0, { first: at, stride: RECORDED_STRIDE, frames }));
      const shift = startFrameOf(at);
      const moved = voiced.map(({ start, end }) => ({ start: start + shift, end: end + shift }));
      lines.push(piecesLine(0, { pieces: moved, ...voices }));
    }
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const turns = diarizeLines(lines, 0, { minimum: 1, maximum: 30 });
    const milliseconds = (performance.now() - started) / minutes;
    first ||= milliseconds;
    found.push({
      name: `clustering of ${minutes} minutes`,
      values: {
        "ms a minute": rounded(milliseconds, 1),
        "MB more": rounded((process.memoryUsage().rss - before) / 1e6, 0),
        "speakers found": new Set(turns.map(({ speaker }) => speaker)).size,
      },
      goal: "a minute takes at most 1.5 times as long as of 45 minutes",
      isMet: milliseconds <= 1.5 * first,
    });
  }
  return found;
}

/** @param lengths  of recordings, minutes */
async function throughService(lengths: readonly number[]): Promise<Result[]> {
  const found: Result[] = [];
  const service = await startService({ environment: { PARLANCE_MODELS_DIR: models } });
  try {
    await ready(service);
    const people = peopleIn(cast).size;
    const uploaded = async (minutes: number): Promise<string> =>
      (await upload(service, wav([joined(cast, minutes * 60)]))).json.audio_url;
    // Every process has loaded every model.
    await transcribed(service, await uploaded(1), { diarization: true });
    for (const [at, minutes] of lengths.entries()) {
      const audio = await uploaded(minutes);
      if (at === 0) {
        const { seconds } = await transcribed(service, audio, {});
        const name = `${minutes} minutes without speakers`;
        found.push({ name, values: { "audio s/s": rounded((60 * minutes) / seconds, 1) } });
      }
      const { seconds, peak, result } = await transcribed(service, audio, { diarization: true });
      const utterances: { speaker?: number }[] = result?.result?.transcription?.utterances ?? [];
      const speed = (60 * minutes) / seconds;
      found.push({
        name: `${minutes} minutes of ${people} people, with speakers`,
        values: {
          "audio s/s": rounded(speed, 1),
          "peak MB, all processes": rounded(peak / 1e6, 0),
          "speakers found": new Set(utterances.map(({ speaker }) => speaker)).size,
        },
        goal: `at least ${LEAST_SPEED} audio s/s, at most ${MOST_BYTES / 1e6} MB`,
        isMet: speed >= LEAST_SPEED && peak <= MOST_BYTES,
      });
    }
  } finally {
    await service.remove();
  }
  return found;
}

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10,180" } } });
const lengths = values.minutes.split(",").map(Number).filter(Boolean);
try {
  const results = await clustering();
  if (lengths.length > 0) results.push(...(await throughService(lengths)));
  printResults("Long recordings with speakers", results);
  saveResults("long-speakers", results);
} finally {
  rmSync(models, { recursive: true, force: true });
}
