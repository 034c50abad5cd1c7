// Turns of real speech with the pauses in them, and the words and probabilities at each, for bench/turns.ts.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { joinedSamples } from "../src/speech/audio/samples.ts";
import { coldVoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "../src/speech/audio/voice-activity/detector-windows.ts";
import {
  loadVoiceActivityModel,
  speechProbabilities,
  type VoiceActivityModel,
} from "../src/speech/audio/voice-activity/silero.ts";
import type { Model } from "../src/speech/engines/engine.ts";
import { moonshine } from "../src/speech/engines/moonshine/engine.ts";
import { BUILT_IN_MODELS } from "../src/speech/engines/registry.ts";
import { TURN_FILE } from "../src/speech/engines/smart-turn/files.ts";
import { loadSmartTurn } from "../src/speech/engines/smart-turn/load.ts";
import type { Recognizer } from "../src/speech/recognition/recognizer.ts";
import type { TurnDetector } from "../src/speech/turns/turn-detector.ts";
import { SHARED } from "../test/fixtures/recordings.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE } from "./recordings.ts";

export const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;
/** Silence behind a turn. */
const TAIL_SECONDS = 4;
const THRESHOLD = 0.6;
const SILENT = 0.45;
/** Audio before the detected beginning of speech. */
const LEAD_SAMPLES = 0.2 * SAMPLE_RATE;
/** None of the compared rules ends an utterance in a shorter pause. */
const LEAST_PAUSE_WINDOWS = 6;
/** Silence in the audio that is recognised at a pause, as in live sessions. */
const RECOGNIZED_WINDOWS = 4;
/** Of the turns of meetings. */
const LEAST_TURN_SECONDS = 1.5;
const MOST_OVERLAP_SECONDS = 0.25;
const MOST_GAP_SECONDS = 3;
/** A pause that begins less than this before the end of the last word is the end of the turn: no word is short enough to follow it. */
const END_MARGIN_SECONDS = 0.35;
/** Silence in the audio that is judged. */
const JUDGED_WINDOWS = [4, 6, 18];

export interface Turn {
  name: string;
  /** With silence behind the turn. */
  samples: Float32Array;
  /** Without it. */
  speechSamples: number;
  half: number;
}

export interface Pause {
  /** Seconds from the beginning of the turn. */
  start: number;
  seconds: number;
  isEnd: boolean;
  /** Recognised so far. */
  words: string[];
  /** Probability of the detector by windows of silence. */
  judged: [windows: number, probability: number][];
}

export interface MeasuredTurn {
  name: string;
  half: number;
  /** End of the last word, seconds. */
  lastWord: number;
  pauses: Pause[];
}

/** Silence with the noise of a recording's quietest tenth. */
function quiet(samples: Float32Array, seconds: number): Float32Array {
  const frame = SAMPLE_RATE / 50;
  const levels: number[] = [];
  for (let at = 0; at + frame <= samples.length; at += frame) {
    levels.push(Math.sqrt(samples.subarray(at, at + frame).reduce((sum, value) => sum + value * value, 0) / frame));
  }
  const level = levels.sort((left, right) => left - right)[Math.floor(levels.length / 20)] ?? 0;
  const next = random(9);
  return Float32Array.from({ length: seconds * SAMPLE_RATE }, () => level * Math.sqrt(3) * (2 * next() - 1));
}

const turnOf = (name: string, half: number, speech: Float32Array): Turn => ({
  ...{ name, half, speechSamples: speech.length },
  samples: joinedSamples([speech, quiet(speech, TAIL_SECONDS)]),
});

/** Turns of a meeting: the speech of one person until another one speaks, without overlaps. */
function meetingTurns({ file, samples, speakers = [] }: Recording, half: number): Turn[] {
  const ordered = [...speakers].sort((left, right) => left.start - right.start);
  const turns: Turn[] = [];
  for (let at = 0; at < ordered.length; ) {
    const first = ordered[at] as (typeof ordered)[number];
    let until = at + 1;
    const continues = (next: (typeof ordered)[number] | undefined, before: (typeof ordered)[number] | undefined) =>
      next?.speaker === first.speaker && next.start - (before?.end ?? 0) < MOST_GAP_SECONDS;
    while (continues(ordered[until], ordered[until - 1])) until++;
    const end = Math.max(...ordered.slice(at, until).map((one) => one.end));
    const next = ordered[until]?.start ?? Number.POSITIVE_INFINITY;
    const before = Math.max(0, ...ordered.slice(0, at).map((one) => one.end));
    // A turn counts if another speaker follows and no speech overlaps it: only then is its end certain.
    const isAlone = next > end - MOST_OVERLAP_SECONDS && before < first.start + MOST_OVERLAP_SECONDS;
    const isFollowed = ordered[until] !== undefined && ordered[until]?.speaker !== first.speaker;
    if (isAlone && isFollowed && end - first.start >= LEAST_TURN_SECONDS) {
      const own = samples.slice(Math.round(first.start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
      turns.push(turnOf(`${file} ${first.start.toFixed(1)}`, half, own));
    }
    at = until;
  }
  return turns;
}

export async function loadTurns(): Promise<Turn[]> {
  const turns: Turn[] = [];
  const counts = new Map<string, number>();
  const isTurn = (file: string) => /^(order|reading|meeting|sentence|audiobook|speech-en|speech-1961)/.test(file);
  for (const recording of await loadRecordings(({ file }) => isTurn(file))) {
    const kind = recording.file.split("-")[0] as string;
    const number = counts.get(kind) ?? 0;
    counts.set(kind, number + 1);
    const half = number % 2;
    if (kind === "meeting") turns.push(...meetingTurns(recording, half));
    else turns.push(turnOf(recording.file, half, recording.samples));
  }
  return turns;
}

async function probabilitiesOf(model: VoiceActivityModel, samples: Float32Array): Promise<Float32Array> {
  const state = coldVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), state);
  return speechProbabilities(model, samples, state);
}

interface Silence {
  start: number;
  windows: number;
}

/** @returns the beginning of speech, and silences after it, windows */
function silencesOf(probabilities: Float32Array): { speech: number; silences: Silence[] } | undefined {
  const speech = probabilities.findIndex((probability) => probability >= THRESHOLD);
  if (speech < 0) return undefined;
  const silences: Silence[] = [];
  let start: number | undefined;
  for (let window = speech; window <= probabilities.length; window++) {
    const isSilent = (probabilities[window] ?? 1) < SILENT;
    if (isSilent) start ??= window;
    else if (start !== undefined) {
      if (window - start >= LEAST_PAUSE_WINDOWS) silences.push({ start, windows: window - start });
      start = undefined;
    }
  }
  return { speech, silences };
}

export interface Parts {
  recognizer: Recognizer;
  detector: TurnDetector;
  activity: VoiceActivityModel;
}

async function measureTurn(turn: Turn, parts: Parts): Promise<MeasuredTurn | undefined> {
  const { name, samples, half } = turn;
  const found = silencesOf(await probabilitiesOf(parts.activity, samples));
  if (!found) return undefined;
  const from = found.speech * WINDOW_SAMPLES;
  const recognized = async (until: number) => {
    const begin = Math.max(0, from - LEAD_SAMPLES);
    const { words } = await parts.recognizer.recognize({ samples: samples.slice(begin, until) });
    return words.map((word) => ({ ...word, endSeconds: word.endSeconds + begin / SAMPLE_RATE }));
  };
  const lastWord = (await recognized(turn.speechSamples + RECOGNIZED_WINDOWS * WINDOW_SAMPLES)).at(-1)?.endSeconds;
  if (lastWord === undefined) return undefined;
  const pauses: Pause[] = [];
  for (const { start, windows } of found.silences) {
    const isEnd = start * WINDOW_SECONDS > lastWord - END_MARGIN_SECONDS;
    const words = await recognized((start + RECOGNIZED_WINDOWS) * WINDOW_SAMPLES);
    const judged: Pause["judged"] = [];
    for (const silent of JUDGED_WINDOWS) {
      if (silent > windows && !isEnd) break;
      judged.push([silent, await parts.detector.judge(samples.slice(from, (start + silent) * WINDOW_SAMPLES))]);
    }
    pauses.push({
      start: start * WINDOW_SECONDS,
      seconds: isEnd ? TAIL_SECONDS : windows * WINDOW_SECONDS,
      isEnd,
      words: words.map(({ text }) => text),
      judged,
    });
    if (isEnd) break;
  }
  return pauses.at(-1)?.isEnd ? { name, half, lastWord, pauses } : undefined;
}

/** @throws Error if the shared recordings or models are missing */
export async function measuredTurns(turns: readonly Turn[]): Promise<MeasuredTurn[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-turns-"));
  symlinkSync(path.join(SHARED, "../models/turns/smart-turn-v3.2-cpu.onnx"), path.join(folder, TURN_FILE));
  const parts: Parts = {
    recognizer: await moonshine.load(BUILT_IN_MODELS[0] as Model),
    detector: await loadSmartTurn(folder),
    activity: await loadVoiceActivityModel(),
  };
  try {
    const measured: (MeasuredTurn | undefined)[] = [];
    for (const turn of turns) measured.push(await measureTurn(turn, parts));
    return measured.filter((turn) => turn !== undefined);
  } finally {
    await parts.recognizer.close();
    await parts.detector.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
