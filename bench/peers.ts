// Parlance beside what a user would install instead: the same files on the same machine, one after another, from one set of weights.
// Usage: npm run bench -- peers CHECKPOINT [files|live]. CHECKPOINT is a folder with Whisper base as a hub publishes it. Python 3 with venv
// is needed for the peers; what cannot be set up is skipped, with the reason. Writes docs/comparison.md from the last run of each half.
// PEER_ROUNDS: rounds of speed; PEER_FILES: number of short files; PEER_SESSIONS: numbers of live sessions, as 1,2,4; PEER_SECONDS: of each;
// PEER_ONLY: a part of the names of those that are measured.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { WHISPER_BASE, wav } from "../test/fixtures/recordings.ts";
import { normalizedWords, wordErrors, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { liveFigures } from "./peers/live.ts";
import { livePeers } from "./peers/live-peers.ts";
import { comparisonPage, type FilesRun, type LiveRun, type PeerFigures } from "./peers/page.ts";
import { parlanceModes } from "./peers/parlance.ts";
import { type Clip, type PeerMode, pythonPeers } from "./peers/peer.ts";
import { peakWhile } from "./process-memory.ts";
import { joined, loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { percentile } from "./table.ts";

const ROUNDS = Number(process.env["PEER_ROUNDS"] ?? 3);
const MOST_FILES = Number(process.env["PEER_FILES"] ?? Number.POSITIVE_INFINITY);
const LONG_SECONDS = Number(process.env["PEER_LONG_SECONDS"] ?? 20 * 60);
const SESSIONS = (process.env["PEER_SESSIONS"] ?? "1,2,4,8,16").split(",").map(Number);
const SESSION_SECONDS = Number(process.env["PEER_SECONDS"] ?? 40);
const isWanted = ({ name }: { name: string }) => name.includes(process.env["PEER_ONLY"] ?? "");

interface Sample {
  clip: Clip;
  recording: Recording;
}

function stored(folder: string, name: string, samples: Float32Array, language: string): Clip {
  const file = path.join(folder, `${name}.wav`);
  writeFileSync(file, wav([samples]));
  return { file, language, seconds: samples.length / SAMPLE_RATE };
}

const median = (values: readonly number[]) => percentile([...values], 0.5);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function errorsOf(samples: readonly Sample[], texts: readonly string[]): { errors: number; words: number } {
  let [errors, words] = [0, 0];
  for (const [at, { recording }] of samples.entries()) {
    const reference = normalizedWords(recording.transcript ?? "");
    errors += wordErrors(reference, normalizedWords(texts[at] ?? ""));
    words += reference.length;
  }
  return { errors, words };
}

async function accuracy(mode: PeerMode, english: Sample[], others: Sample[]): Promise<Partial<PeerFigures>> {
  const peer = await mode.start();
  try {
    const clips = (samples: Sample[]) => samples.map(({ clip }) => clip);
    const { texts } = await peer.transcribe(clips(english), false);
    const figures: Partial<PeerFigures> = { english: errorsOf(english, texts) };
    if (!mode.isEnglish) figures.others = errorsOf(others, (await peer.transcribe(clips(others), false)).texts);
    if (mode.hasNoTimes) return figures;
    const timed = english.filter(({ recording }) => recording.words !== undefined);
    const { words } = await peer.transcribe(clips(timed), true);
    const [starts, ends]: [number[], number[]] = [[], []];
    for (const [at, { recording }] of timed.entries()) {
      const known = recording.words ?? [];
      const found = words[at] ?? [];
      const pairs = wordPairs(
        known.map(({ word }) => word),
        found.map(({ word }) => word.trim()),
      );
      for (const [left, right] of pairs) {
        starts.push(Math.abs((known[left]?.start ?? 0) - (found[right]?.start ?? 0)));
        ends.push(Math.abs((known[left]?.end ?? 0) - (found[right]?.end ?? 0)));
      }
    }
    return { ...figures, startMilliseconds: mean(starts) * 1000, endMilliseconds: mean(ends) * 1000 };
  } finally {
    await peer.stop();
  }
}

/** Every peer in every round, in turns: a slow hour of the machine is everybody's. */
async function speeds(modes: PeerMode[], short: Clip[], long: Clip): Promise<Map<string, Partial<PeerFigures>>> {
  const found = new Map<string, { short: number[]; long: number[]; peak: number }>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const mode of modes) {
      const own = found.get(mode.name) ?? { short: [], long: [], peak: 0 };
      found.set(mode.name, own);
      const peer = await mode.start();
      try {
        await peer.transcribe(short.slice(0, 2), false);
        const seconds = short.reduce((sum, clip) => sum + clip.seconds, 0);
        own.short.push(seconds / (await peer.transcribe(short, false)).seconds);
        const work = peer.transcribe([long], false);
        own.peak = Math.max(own.peak, await peakWhile(peer.processId, work));
        own.long.push(long.seconds / (await work).seconds);
        process.stderr.write(`round ${round}, ${mode.name}: ${own.short.at(-1)}, ${own.long.at(-1)}\n`);
      } finally {
        await peer.stop();
      }
    }
  }
  return new Map(
    [...found].map(([name, own]) => [
      name,
      { short: median(own.short), long: median(own.long), peakMegabytes: own.peak / 1e6 },
    ]),
  );
}

/** The newest figures of one half; the other half may be of another day. */
const RESULTS = "bench/results";
const resultsFile = (half: "files" | "live") => path.join(RESULTS, `peers-${half}.json`);

function keepHalf(half: "files" | "live", run: object): void {
  mkdirSync(RESULTS, { recursive: true });
  const machine = { processor: os.cpus()[0]?.model, cores: os.availableParallelism(), node: process.version };
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(resultsFile(half), `${JSON.stringify({ date, machine, ...run }, null, 2)}\n`);
}

const keptHalf = <Half>(half: "files" | "live"): Half | undefined =>
  existsSync(resultsFile(half)) ? (JSON.parse(readFileSync(resultsFile(half), "utf8")) as Half) : undefined;

async function filesHalf(recordings: Recording[], modes: PeerMode[], skipped: string[]): Promise<void> {
  const samples = recordings.map((recording) => ({
    recording,
    clip: stored(folder, recording.file, recording.samples, recording.language),
  }));
  const english = samples.filter(({ recording }) => recording.language === "en");
  const others = samples.filter(({ recording }) => recording.language !== "en");
  const spoken = joined(
    english.map(({ recording }) => recording),
    LONG_SECONDS,
  );
  const clips = english.map(({ clip }) => clip);
  const measured = await speeds(modes, clips, stored(folder, "long", spoken, "en"));
  const figures: PeerFigures[] = [];
  for (const mode of modes) {
    const { name, version } = mode;
    const one = { name, version, ...measured.get(name), ...(await accuracy(mode, english, others)) };
    figures.push(one as PeerFigures);
    process.stderr.write(`${JSON.stringify(one)}\n`);
  }
  keepHalf("files", { rounds: ROUNDS, longSeconds: LONG_SECONDS, figures, skipped });
}

/** Modes that start; a failure is repeated once before it counts. */
async function working(modes: PeerMode[], skipped: string[]): Promise<PeerMode[]> {
  const kept: PeerMode[] = [];
  for (const mode of modes) {
    const attempt = async () => (await mode.start()).stop();
    try {
      await attempt().catch(attempt);
      kept.push(mode);
    } catch (error) {
      skipped.push(`${mode.name} does not start: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return kept;
}

const [, , given, half] = process.argv;
const checkpoint = path.resolve(given ?? WHISPER_BASE);
const cache = path.resolve("dist-bench/peers");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-peers-"));
try {
  const models = path.join(folder, "models");
  await installModel(checkpoint, new ModelStore(models), { hub: { base: "" }, progress: () => undefined });
  const recordings = await loadRecordings(
    ({ file, transcript }) => transcript !== undefined && !file.startsWith("meeting"),
    "all languages",
  );
  const own = parlanceModes(models);
  const { modes, skipped, weights } = pythonPeers(cache, checkpoint);
  if (half !== "live") {
    const all = [...own, ...(await working(modes, skipped))].filter(isWanted);
    // Every nth of them, so that few files are of every kind.
    const step = Math.ceil(recordings.length / MOST_FILES);
    await filesHalf(
      recordings.filter((_, at) => at % Math.max(1, step) === 0),
      all,
      skipped,
    );
  }
  if (half !== "files") {
    const live = livePeers(cache, weights, models, own[0]?.version ?? "");
    const { figures, skipped: failed } = await liveFigures(
      live.peers.filter(isWanted),
      recordings,
      SESSIONS,
      SESSION_SECONDS,
    );
    keepHalf("live", { seconds: SESSION_SECONDS, figures, skipped: [...live.skipped, ...failed] });
  }
  const files = keptHalf<FilesRun>("files");
  for (const reason of files?.skipped ?? []) process.stderr.write(`${reason}\n`);
  if (files) writeFileSync("docs/comparison.md", comparisonPage(files, keptHalf<LiveRun>("live")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
