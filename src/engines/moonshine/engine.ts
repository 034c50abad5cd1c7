// Moonshine: English words and voices, from the weights of an npm package.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import { SecondModel } from "../../recognition/decoding/second-opinion.ts";
import type { Engine, Model } from "../engine.ts";
import { BASE, type MoonshineVariant, TINY } from "./config.ts";
import { MoonshineModel } from "./model.ts";
import { loadMoonshineEmbedder } from "./voices.ts";

const VARIANTS: readonly MoonshineVariant[] = [BASE, TINY];

function modelOf({ id }: MoonshineVariant): Model {
  return {
    id,
    engine: "moonshine",
    languages: ["en"],
    capabilities: {
      wordTimes: true,
      confidence: true,
      continuation: true,
      vocabulary: true,
      bearsPauses: false,
      languageDetection: false,
      translation: false,
    },
    licence: "MIT",
  };
}

export const moonshine: Engine = {
  name: "moonshine",
  builtIn: VARIANTS.map(modelOf),
  async load({ id }) {
    const variant = VARIANTS.find((candidate) => candidate.id === id);
    if (!variant) throw new Error(`Moonshine has no model ${id}`);
    const model = await MoonshineModel.load(variant);
    const adviser = variant === BASE ? new SecondModel(model, () => MoonshineModel.load(TINY, 1)) : undefined;
    return new AttentionRecognizer(model, adviser);
  },
  loadVoices: loadMoonshineEmbedder,
};
