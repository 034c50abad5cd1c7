// Moonshine: English speech recognition and speaker embeddings, with the weights of an npm package.
import type { Engine, Model } from "../engine.ts";
import { BASE, type MoonshineVariant, TINY } from "./config.ts";

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

function variantOf({ id }: Model): MoonshineVariant {
  const variant = VARIANTS.find((candidate) => candidate.id === id);
  if (!variant) throw new Error(`Moonshine has no model ${id}`);
  return variant;
}

export const moonshine: Engine = {
  name: "moonshine",
  concurrentTasks: 8,
  continuesAudio: true,
  builtIn: VARIANTS.map(modelOf),
  async load(model, options) {
    return (await import("./load.ts")).loadMoonshine(variantOf(model), options);
  },
  async prepareGraphs(model, folder) {
    await (await import("./load.ts")).prepareMoonshine(variantOf(model), folder);
  },
  async loadVoices() {
    return (await import("./voices.ts")).loadMoonshineEmbedder();
  },
};
