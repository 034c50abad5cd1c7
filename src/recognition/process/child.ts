// A recogniser process: one inference thread, models loaded when first asked for.
import type * as ort from "onnxruntime-node";
import { samplesOf } from "../../audio/samples.ts";
import {
  initialVoiceActivityState,
  loadVoiceActivityModel,
  speechProbabilities,
} from "../../audio/voice-activity/silero.ts";
import { serveParent } from "../../process/child.ts";
import type { SpeakerEmbedder } from "../../speakers/embedder.ts";
import { loadMoonshineEmbedder } from "../../speakers/moonshine/embedder.ts";
import type { Recognizer } from "../recognizer.ts";
import { engines } from "../registry.ts";
import type { InferenceRequest, InferenceResponse } from "./message.ts";

const recognizers = new Map<string, Promise<Recognizer>>();
let voiceActivity: Promise<ort.InferenceSession> | undefined;
let embedder: Promise<SpeakerEmbedder> | undefined;

function recognizer(model: string): Promise<Recognizer> {
  const known = recognizers.get(model);
  if (known) return known;
  const engine = engines().find((candidate) => candidate.id === model);
  if (!engine) throw new Error(`no engine ${model}`);
  const loading = engine.load();
  recognizers.set(model, loading);
  return loading;
}

async function handle(request: InferenceRequest): Promise<InferenceResponse> {
  switch (request.kind) {
    case "load": {
      voiceActivity ??= loadVoiceActivityModel();
      await Promise.all([request.model ? recognizer(request.model) : undefined, voiceActivity]);
      return { kind: "loaded" };
    }
    case "recognize": {
      const { kind: _, model, audio, ...options } = request;
      const recognition = await (await recognizer(model)).recognize({ samples: await samplesOf(audio), ...options });
      return { kind: "recognition", ...recognition };
    }
    case "voice-activity": {
      voiceActivity ??= loadVoiceActivityModel();
      const state = request.state ?? initialVoiceActivityState();
      const probabilities = await speechProbabilities(await voiceActivity, await samplesOf(request.audio), state);
      return { kind: "voice-activity", probabilities, state };
    }
    case "embed-speakers": {
      embedder ??= loadMoonshineEmbedder();
      const { kind: _, audio, ...options } = request;
      const { space, embed } = await embedder;
      return { kind: "speaker-embeddings", space, ...(await embed({ samples: await samplesOf(audio), ...options })) };
    }
  }
}

serveParent(handle);
