// Entry point of an inference process: one thread, models loaded on first use, the least recently used ones unloaded.
// Requests are processed concurrently.

import { serveParent } from "../../platform/process/child.ts";
import { storableText } from "../../platform/storable.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { samplesOf } from "../../speech/audio/samples.ts";
import { initialVoiceActivityState } from "../../speech/audio/voice-activity/detector-state.ts";
import { WINDOW_SECONDS } from "../../speech/audio/voice-activity/detector-windows.ts";
import {
  loadVoiceActivityModel,
  probabilitiesOf,
  speechProbabilities,
  type VoiceActivityModel,
} from "../../speech/audio/voice-activity/silero.ts";
import type { LoadOptions } from "../../speech/engines/engine.ts";
import { ENGINES, engineOf } from "../../speech/engines/registry.ts";
import type { VoiceActivity } from "../../speech/recognition/decoding/speech-evidence.ts";
import type { RecognizedWord, Recognizer } from "../../speech/recognition/recognizer.ts";
import { textsOfStretch } from "../../speech/recognition/stretch.ts";
import type { SpeakerEmbedder } from "../../speech/speakers/embedder.ts";
import type { SpeakerNetworks } from "../../speech/speakers/speaker-networks.ts";
import type { TurnDetector } from "../../speech/turns/turn-detector.ts";
import { type InferenceRequest, type InferenceResponse, type LoadableModel, modelKey } from "./message.ts";
import { ProcessorMeter } from "./processor-meter.ts";

/** English, one for other languages, and one that a request names. */
const MOST_MODELS = 3;

/** By model identity, least recently used first. */
const recognizers = new Map<string, Promise<Recognizer>>();
let voiceActivity: Promise<VoiceActivityModel> | undefined;
let voices: Promise<SpeakerEmbedder> | undefined;
let networks: LastUsed<SpeakerNetworks> | undefined;
let turnDetector: LastUsed<TurnDetector> | undefined;

/** For recognisers that decide whether a short answer was spoken. */
const detector: VoiceActivity = {
  windowSeconds: WINDOW_SECONDS,
  async probabilities(samples) {
    voiceActivity ??= loadVoiceActivityModel();
    return probabilitiesOf(await voiceActivity, samples);
  },
};

/** The folder of shared graphs is the process's only argument. */
const [, , sharedFolder] = process.argv;
/** Set in the process that prepares graphs for the recognisers. */
let preparesGraphs = false;

function loadingOptions(model: LoadableModel): LoadOptions {
  if (sharedFolder === undefined) return { detector };
  if (preparesGraphs) return { sharedFolder };
  return {
    detector,
    sharedFolder,
    prepareGraphs: async (isPrepared) =>
      (await import("./graph-preparation.ts")).prepareElsewhere(sharedFolder, model, isPrepared),
  };
}

function recognizer(model: LoadableModel): Promise<Recognizer> {
  const key = modelKey(model);
  const loaded = recognizers.get(key) ?? engineOf(model).load(model, loadingOptions(model));
  recognizers.delete(key);
  recognizers.set(key, loaded);
  loaded.catch(() => recognizers.delete(key));
  for (const [oldest, dropped] of [...recognizers].slice(0, -MOST_MODELS)) {
    recognizers.delete(oldest);
    dropped.then((one) => one.close()).catch(() => undefined);
  }
  return loaded;
}

async function prepareGraphs(model: LoadableModel): Promise<void> {
  const engine = engineOf(model);
  if (engine.prepareGraphs && sharedFolder !== undefined) return engine.prepareGraphs(model, sharedFolder);
  preparesGraphs = true;
  await (await recognizer(model)).loadFallback?.();
}

/** Converting published weights to graphs leaves hundreds of megabytes of garbage. */
function collectGarbage(): void {
  globalThis.gc?.();
}

/** The recogniser of the start, until its second model is loaded or being loaded. */
let startedRecognizer: Recognizer | undefined;

/**
 * Loads the second model with the first task: a process without work has none. The task is begun first.
 */
function loadRest(): void {
  const recognizer = startedRecognizer;
  startedRecognizer = undefined;
  if (recognizer) setImmediate(() => void loadFallback(recognizer));
}

/** A failure is ignored: the parts are loaded again on first use. */
async function loadFallback(recognizer: Recognizer): Promise<void> {
  await recognizer.loadFallback?.().catch(() => undefined);
  collectGarbage();
}

/** A model's vocabulary has tokens for every byte, including NUL, which PostgreSQL cannot store. */
const storableWord = (word: RecognizedWord): RecognizedWord => {
  const text = storableText(word.text);
  return text === word.text ? word : { ...word, text };
};

function speakerEmbedder(): Promise<SpeakerEmbedder> {
  const engine = ENGINES.find(({ loadVoices }) => loadVoices);
  if (!engine?.loadVoices) throw new Error("no engine supports speaker embeddings");
  return engine.loadVoices();
}

/** Keeps only the most recently used model of its kind loaded: a machine has one. */
interface LastUsed<T> {
  key: string;
  loaded: Promise<T>;
}

/** @returns `last`, or the model in place of it */
function lastUsed<T extends { close(): Promise<void> }>(
  last: LastUsed<T> | undefined,
  model: LoadableModel,
  load: ((model: LoadableModel) => Promise<T>) | undefined,
): LastUsed<T> {
  const key = modelKey(model);
  if (last?.key === key) return last;
  last?.loaded.then((one) => one.close()).catch(() => undefined);
  if (!load) throw new Error(`the model ${model.id} is for another purpose`);
  const used = { key, loaded: load(model) };
  // A file that could not be read is tried again.
  used.loaded.catch(() => {
    used.key = "";
  });
  return used;
}

function speakerNetworks(model: LoadableModel): Promise<SpeakerNetworks> {
  networks = lastUsed(networks, model, engineOf(model).loadSpeakers);
  return networks.loaded;
}

function detectorOfTurns(model: LoadableModel): Promise<TurnDetector> {
  turnDetector = lastUsed(turnDetector, model, engineOf(model).loadTurns);
  return turnDetector.loaded;
}

/**
 * Tensors leave garbage outside of V8's heap, about 3 MB for a second of audio, which V8 lets grow to hundreds of megabytes. A collection
 * takes about 5 ms. Partials are left out: their audio is counted again and again.
 */
const COLLECT_SECONDS = 10;
let secondsSinceCollection = 0;

function collectAfter(seconds: number): void {
  secondsSinceCollection += seconds;
  if (secondsSinceCollection < COLLECT_SECONDS) return;
  secondsSinceCollection = 0;
  collectGarbage();
}

const MEMORY_REPORT_MILLISECONDS = 500;
/** A collection takes about 5 ms; voice activity for sixteen sessions causes 250 requests per second. */
const COLLECT_EVERY = 2_000;

async function handle(request: InferenceRequest): Promise<InferenceResponse> {
  switch (request.kind) {
    case "load": {
      if (request.model) startedRecognizer = await recognizer(request.model);
      else {
        voiceActivity ??= loadVoiceActivityModel();
        await voiceActivity;
      }
      collectGarbage();
      return { kind: "loaded" };
    }
    case "prepare": {
      await prepareGraphs(request.model);
      return { kind: "loaded" };
    }
    case "recognize": {
      const { kind: _, model, audio, ...options } = request;
      const samples = await samplesOf(audio);
      const recognition = await (await recognizer(model)).recognize({ samples, ...options });
      if (options.audioId === undefined) collectAfter(samples.length / SAMPLE_RATE);
      return { kind: "recognition", ...recognition, words: recognition.words.map(storableWord) };
    }
    case "texts": {
      const { kind: _, model, audio, ...stretch } = request;
      const samples = await samplesOf(audio);
      const { language, texts } = await textsOfStretch(await recognizer(model), { samples, ...stretch });
      collectAfter(samples.length / SAMPLE_RATE);
      return { kind: "texts", language, texts: texts.map((one) => ({ ...one, text: storableText(one.text) })) };
    }
    case "voice-activity": {
      voiceActivity ??= loadVoiceActivityModel();
      const state = request.state ?? initialVoiceActivityState();
      const probabilities = await speechProbabilities(await voiceActivity, await samplesOf(request.audio), state);
      return { kind: "voice-activity", probabilities, state };
    }
    case "embed-speakers": {
      voices ??= speakerEmbedder();
      const { kind: _, audio, ...options } = request;
      const { space, embed } = await voices;
      return { kind: "speaker-embeddings", space, ...(await embed({ samples: await samplesOf(audio), ...options })) };
    }
    case "segment-speakers": {
      const loaded = await speakerNetworks(request.model);
      const { audio, windows, stride } = request;
      return { kind: "speaker-windows", frames: await loaded.segment(await samplesOf(audio), windows, stride) };
    }
    case "voices": {
      const loaded = await speakerNetworks(request.model);
      const stretches = await Promise.all(request.stretches.map(samplesOf));
      const voices = await loaded.voices(stretches, request.excerpts);
      return { kind: "voices", dimensions: loaded.dimensions, voices };
    }
    case "judge-turn": {
      const detector = await detectorOfTurns(request.model);
      return { kind: "turn", probability: await detector.judge(await samplesOf(request.audio)) };
    }
    default:
      throw new Error("no such request");
  }
}

const meter = new ProcessorMeter(() => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
});

async function handleMetered(request: InferenceRequest): Promise<InferenceResponse> {
  const end = meter.begin(request.kind === "recognize" && request.isUrgent === true);
  try {
    if (request.kind !== "load" && request.kind !== "prepare") loadRest();
    const response = await handle(request);
    return { ...response, processorMilliseconds: end() };
  } finally {
    end();
  }
}

serveParent(handleMetered, { memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS, collectEvery: COLLECT_EVERY });
