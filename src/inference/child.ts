// An inference process: one thread, models loaded when first asked for, the least recently used ones dropped. Requests may
// be under way side by side.
import { samplesOf } from "../audio/samples.ts";
import {
  initialVoiceActivityState,
  loadVoiceActivityModel,
  speechProbabilities,
  type VoiceActivityModel,
} from "../audio/voice-activity/silero.ts";
import { ENGINES, engineOf } from "../engines/registry.ts";
import { serveParent } from "../process/child.ts";
import type { Recognizer } from "../recognition/recognizer.ts";
import type { SpeakerEmbedder } from "../speakers/embedder.ts";
import type { InferenceRequest, InferenceResponse, LoadableModel } from "./message.ts";

/** English, one for other languages, and one that a request names. */
const MOST_MODELS = 3;

/** By what makes a model itself, least recently used first. */
const recognizers = new Map<string, Promise<Recognizer>>();
let voiceActivity: Promise<VoiceActivityModel> | undefined;
let voices: Promise<SpeakerEmbedder> | undefined;

function recognizer(model: LoadableModel): Promise<Recognizer> {
  // A model that was removed and added again is another one.
  const key = JSON.stringify([model.id, model.folder, model.stamp]);
  const loaded = recognizers.get(key) ?? engineOf(model).load(model);
  recognizers.delete(key);
  recognizers.set(key, loaded);
  loaded.catch(() => recognizers.delete(key));
  for (const [oldest, dropped] of [...recognizers].slice(0, -MOST_MODELS)) {
    recognizers.delete(oldest);
    dropped.then((one) => one.close()).catch(() => undefined);
  }
  return loaded;
}

/** Published weights are turned into graphs at load: what they were is hundreds of megabytes that nobody needs any more. */
function forgetWeights(): void {
  globalThis.gc?.();
}

/** What fails is tried again when it is needed. */
async function complete(recognizer: Recognizer): Promise<void> {
  await recognizer.complete?.().catch(() => undefined);
  forgetWeights();
}

function speakerEmbedder(): Promise<SpeakerEmbedder> {
  const engine = ENGINES.find(({ loadVoices }) => loadVoices);
  if (!engine?.loadVoices) throw new Error("no engine tells voices apart");
  return engine.loadVoices();
}

const MEMORY_REPORT_MILLISECONDS = 500;
/** A collection takes some 7 ms; voice activity of sixteen sessions is asked for 250 times a second. */
const COLLECT_EVERY = 2_000;

async function handle(request: InferenceRequest): Promise<InferenceResponse> {
  switch (request.kind) {
    case "load": {
      voiceActivity ??= loadVoiceActivityModel();
      const [loaded] = await Promise.all([request.model ? recognizer(request.model) : undefined, voiceActivity]);
      forgetWeights();
      // The answer goes first: work may begin.
      if (loaded) setImmediate(() => void complete(loaded));
      return { kind: "loaded" };
    }
    case "recognize": {
      const { kind: _, model, audio, ...options } = request;
      const samples = await samplesOf(audio);
      const recognition = await (await recognizer(model)).recognize({ samples, ...options });
      return { kind: "recognition", ...recognition };
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
  }
}

serveParent(handle, { memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS, collectEvery: COLLECT_EVERY });
